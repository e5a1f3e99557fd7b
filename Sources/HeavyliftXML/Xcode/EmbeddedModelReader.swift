import HeavyliftArchive
import HeavyliftModel

/// Reads the model that Xcode embeds in a mapping model: a keyed archive of its own editing objects.
///
/// Every editing object keeps its facts in "stereotypes", which are lists of named values. Unknown values are ignored:
/// the model only serves to detect changes since the mapping was edited, not to open stores.
struct EmbeddedModelReader {
  let archive: KeyedArchive
  let subject: String
  private(set) var diagnostics: [Diagnostic] = []
  private var budget: ReadingBudget

  init(archive: KeyedArchive, subject: String) {
    self.archive = archive
    self.subject = subject
    budget = ReadingBudget(byteCount: archive.byteCount)
  }

  mutating func model() throws(Diagnostic) -> ManagedObjectModel {
    try KeyedArchive.reading(subject) { () throws(ArchiveMistake) in try readModel() }
  }

  private mutating func readModel() throws(ArchiveMistake) -> ManagedObjectModel {
    guard let root = archive.root?.object, root.isKind(of: "XDPMModel") else {
      let found = archive.root?.object?.className.prefix(64)
      throw .wrongRoot(expected: "XDPMModel", found: found.map(String.init))
    }
    guard let package = root["_xd_rootPackage"]?.object,
      let classes = package["XDBucketForClassesstorage"]?.dictionary
    else { throw .missingKey("_xd_rootPackage", className: root.className) }
    var entities: [EntityDescription] = []
    for entry in classes {
      try budget.spend()
      guard let object = entry.value.object, object.isKind(of: "XDPMEntity") else { continue }
      entities.append(try entity(object))
    }
    let identifier = root["_modelVersionIdentifier"]?.string ?? ""
    return ManagedObjectModel(
      versionIdentifiers: identifier.isEmpty ? [] : [identifier], entities: entities,
      configurations: try configurations(root))
  }

  private mutating func configurations(
    _ root: ArchivedObject
  ) throws(ArchiveMistake) -> [ConfigurationDescription] {
    guard let entries = root["_configurationsByName"]?.dictionary else { return [] }
    var configurations: [ConfigurationDescription] = []
    for entry in entries {
      guard let name = entry.key.string, let object = entry.value.object else { continue }
      var names: Set<String> = []
      if let members = object["_entities"]?.elements {
        for member in members {
          try budget.spend()
          if let entity = member.object?["_name"]?.string { names.insert(entity) }
        }
      }
      configurations.append(ConfigurationDescription(name: name, entityNames: names))
    }
    return configurations
  }

  private mutating func entity(_ object: ArchivedObject) throws(ArchiveMistake) -> EntityDescription {
    let facts = try stereotypes(of: object)
    var entity = EntityDescription(
      name: try name(of: object), managedObjectClassName: facts.text("XD_PSK_entityClassName"),
      isAbstract: facts.flag("XD_PSK_isAbstract") ?? object["_isAbstract"]?.boolean ?? false,
      superentityName: object["XDBucketForGeneralizationsstorage"]?.elements?.first?.object?["_general"]?.object?[
        "_name"]?.string,
      renamingIdentifier: facts.text("XD_PSK_elementID"),
      versionHashModifier: facts.text("XD_PSK_versionHashModifier"), userInfo: facts.texts("XD_PSK_userInfo"))
    for list in try lists("XDPMUniquenessConstraints", facts) {
      entity.uniquenessConstraints.append(EntityDescription.UniquenessConstraint(list))
    }
    for list in try lists("XDPMCompoundIndexes", facts) { entity.compoundIndexes.append(list) }
    guard let properties = object["XDBucketForOwnedAttributesstorage"]?.dictionary else { return entity }
    var (attributes, relationships) = ([AttributeDescription](), [RelationshipDescription]())
    for entry in properties {
      try budget.spend()
      guard let property = entry.value.object else { continue }
      let facts = try stereotypes(of: property)
      if property.isKind(of: "XDPMAttribute") {
        attributes.append(AttributeDescription(name: try name(of: property), facts: facts))
      } else if property.isKind(of: "XDPMRelationship") {
        relationships.append(RelationshipDescription(name: try name(of: property), facts: facts))
      } else if property.isKind(of: "XDPMFetchedProperty") {
        entity.fetchedProperties.append(FetchedPropertyDescription(name: try name(of: property), fetchRequest: nil))
      }
    }
    // Assigned once, because the entity sorts them.
    (entity.attributes, entity.relationships) = (attributes, relationships)
    return entity
  }

  /// Returns the lists of names that are not empty.
  private mutating func lists(_ key: String, _ facts: EmbeddedFacts) throws(ArchiveMistake) -> [[String]] {
    var lists: [[String]] = []
    guard let elements = facts[key]?.elements else { return [] }
    for element in elements {
      guard let names = element.elements else { continue }
      try budget.spend(names.count + 1)
      let texts = names.compactMap { $0.string ?? $0.object?["_name"]?.string }
      if !texts.isEmpty { lists.append(texts) }
    }
    return lists
  }

  private mutating func name(of object: ArchivedObject) throws(ArchiveMistake) -> String {
    try budget.spend()
    guard let name = object["_name"]?.string else { throw .missingKey("_name", className: object.className) }
    return name
  }

  /// Returns the named values of all stereotypes of an object.
  private mutating func stereotypes(of object: ArchivedObject) throws(ArchiveMistake) -> EmbeddedFacts {
    var facts = EmbeddedFacts()
    guard let stereotypes = object["XDBucketForStereotypesstorage"]?.dictionary else { return facts }
    for stereotype in stereotypes {
      guard let values = stereotype.value.object?["XDBucketForOwnedAttributesstorage"]?.dictionary else { continue }
      for entry in values {
        try budget.spend()
        guard let name = entry.key.string, let value = entry.value.object?["_default"], !value.isNull else { continue }
        facts[name] = value
      }
    }
    return facts
  }
}
