"""Models and mapping files as text, from short descriptions.

A model is a dictionary of entities, each a dictionary of properties: "String", "Integer 64", "Binary external",
"one Customer.orders", "many Order.customer", "ordered Track.album".
"""

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


def model_text(entities):
    lines = [HEAD + '<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" '
             'lastSavedToolsVersion="1" systemVersion="1" minimumToolsVersion="Automatic" sourceLanguage="Swift" '
             'userDefinedModelVersionIdentifier="">']
    for entity, properties in entities.items():
        lines.append(f'    <entity name="{entity}" representedClassName="{entity}" syncable="YES">')
        lines += [f"        {property_text(name, kind)}" for name, kind in properties.items()]
        lines.append("    </entity>")
    return "\n".join([*lines, "</model>\n"])


def property_text(name, kind):
    count, _, rest = kind.partition(" ")
    if count in ("one", "many", "ordered"):
        entity, inverse = rest.split(".")
        shape = {"one": 'maxCount="1"', "many": 'toMany="YES"', "ordered": 'toMany="YES" ordered="YES"'}[count]
        return (f'<relationship name="{name}" optional="YES" {shape} deletionRule="Nullify" '
                f'destinationEntity="{entity}" inverseName="{inverse}" inverseEntity="{entity}"/>')
    external = ' allowsExternalBinaryDataStorage="YES"' if kind.endswith(" external") else ""
    return f'<attribute name="{name}" optional="YES" attributeType="{kind.removesuffix(" external")}"{external}/>'


def mapping_text(number, entity_mappings):
    return (f'{HEAD}<mapping-model source="Soak {number}" destination="Soak {number + 1}">\n'
            f'{entity_mappings.strip()}\n</mapping-model>\n')


def write_versions(folder, versions, mappings):
    """Writes a bundle of all versions, and the mapping file of each hop that has one."""
    bundle = folder / "Soak.xcdatamodeld"
    for number, entities in enumerate(versions, start=1):
        version = bundle / f"Soak {number}.xcdatamodel"
        version.mkdir(parents=True)
        (version / "contents").write_text(model_text(entities))
    (bundle / ".xccurrentversion").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>_XCCurrentVersionName</key>'
        f'<string>Soak {len(versions)}.xcdatamodel</string></dict></plist>\n')
    for number, entity_mappings in enumerate(mappings, start=1):
        (folder / f"{number}-{number + 1}.xml").write_text(mapping_text(number, entity_mappings))
    return bundle
