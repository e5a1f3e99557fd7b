import HeavyliftModel

/// The objects of an `xcmapping.xml`, which is a Core Data XML store of Xcode's own editing objects.
struct XcodeObjectStore {
  private(set) var objects: [String: XcodeObject] = [:]
  /// The IDs in file order.
  private(set) var ids: [String] = []

  /// Reads every object of a known kind, and reports problems with the store itself.
  init(root: XMLElement, _ findings: inout XcodeMappingFindings) {
    for element in root.elements(named: "object") {
      guard let object = Self.object(element, &findings) else { continue }
      guard objects[object.id] == nil else {
        findings.report(
          .error, "repeated-id", "a second object has the id '\(object.id)'",
          "restore the file from a backup: references to '\(object.id)' could mean either", at: element.location)
        continue
      }
      objects[object.id] = object
      ids.append(object.id)
    }
  }

  /// Returns the objects of a kind in file order.
  func objects(of kind: XcodeObject.Kind) -> [XcodeObject] {
    ids.compactMap { objects[$0] }.filter { $0.kind == kind }
  }

  private static func object(_ element: XMLElement, _ findings: inout XcodeMappingFindings) -> XcodeObject? {
    guard let type = element["type"], !type.isEmpty else {
      findings.report(
        .error, "missing-type", "an object has no type",
        "restore the file from a backup: the kind of object is unknown",
        at: element.location)
      return nil
    }
    guard let kind = XcodeObject.Kind(rawValue: type.uppercased()) else {
      findings.noteUnknown(
        "an object of type '\(type)'", at: element.attribute(named: "type")?.valueLocation ?? element.location)
      return nil
    }
    guard let id = element["id"], !id.isEmpty else {
      findings.report(
        .error, "missing-id", "\(kind.words) has no id",
        "restore the file from a backup: nothing can refer to the object",
        at: element.location)
      return nil
    }
    var object = XcodeObject(id: id, kind: kind, location: element.location)
    for child in element.elements { Self.read(child, into: &object, &findings) }
    return object
  }

  private static func read(
    _ child: XMLElement, into object: inout XcodeObject, _ findings: inout XcodeMappingFindings
  ) {
    guard child.name == "attribute" || child.name == "relationship" else {
      return findings.noteUnknown("an element '\(child.name)'", at: child.location)
    }
    guard let name = child["name"]?.lowercased(), !name.isEmpty else {
      return findings.report(
        .error, "missing-name",
        "\(child.name == "attribute" ? "an" : "a") \(child.name) of object '\(object.id)' has "
          + "no name", "restore the file from a backup: the meaning of this value is unknown", at: child.location)
    }
    guard object.values[name] == nil, object.references[name] == nil else {
      return findings.report(
        .error, "repeated-value", "object '\(object.id)' has a second '\(name)'",
        "restore the file from a backup: either value could be meant", at: child.location)
    }
    if child.name == "attribute" {
      object.values[name] = child
      if XcodeObject.Kind.attributes[object.kind]?.contains(name) != true {
        findings.noteUnknown("an attribute '\(name)'", at: child.location)
      }
    } else {
      object.references[name] = child.attribute(named: "idrefs").map(Self.references) ?? []
      if XcodeObject.Kind.relationships[object.kind]?.contains(name) != true {
        findings.noteUnknown("a relationship '\(name)'", at: child.location)
      }
    }
  }
}

extension XcodeObjectStore {
  /// Returns the space-separated IDs in an attribute.
  private static func references(_ written: XMLAttribute) -> [XcodeObject.Reference] {
    let places = written.valuePlaces
    let scalars = written.value.unicodeScalars
    var (references, id, start) = ([XcodeObject.Reference](), String.UnicodeScalarView(), 0)
    func end() {
      guard !id.isEmpty else { return }
      references.append(XcodeObject.Reference(id: String(id), location: places?.location(ofScalarAt: start)))
      id = String.UnicodeScalarView()
    }
    for (offset, scalar) in scalars.enumerated() {
      if scalar.properties.isWhitespace {
        end()
      } else {
        if id.isEmpty { start = offset }
        id.append(scalar)
      }
    }
    end()
    return references
  }
}

extension XcodeObject.Kind {
  /// The names of the values that objects of each kind are known to have in files.
  fileprivate static let attributes: [XcodeObject.Kind: Set<String>] = [
    .mappingModel: ["sourcemodelpath", "destinationmodelpath", "sourcemodeldata", "destinationmodeldata"],
    .entityMapping: [
      "mappingnumber", "name", "sourcename", "destinationname", "migrationpolicyclassname",
      "sourcefilterpredicatestring", "sourceexpressiondata", "userinfodata", "mappingtypename",
      "autogenerateexpression",
    ],
    .attributeMapping: ["name", "valueexpressiondata", "userinfodata", "autogenerateexpression"],
    .relationshipMapping: [
      "name", "valueexpressiondata", "userinfodata", "autogenerateexpression", "sourcemappingname", "sourcekeypath",
    ],
  ]

  /// The names of the relationships that objects of each kind are known to have in files.
  fileprivate static let relationships: [XcodeObject.Kind: Set<String>] = [
    .mappingModel: ["entitymappings"],
    .entityMapping: ["mappingmodel", "attributemappings", "relationshipmappings"],
    .attributeMapping: ["entitymapping"],
    .relationshipMapping: ["entitymapping"],
  ]
}
