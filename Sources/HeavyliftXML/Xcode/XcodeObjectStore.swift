import HeavyliftModel

/// The objects of an `xcmapping.xml`, which is an XML store of Core Data with Xcode's own editing objects in it.
struct XcodeObjectStore {
  private(set) var objects: [String: XcodeObject] = [:]
  /// In the order of the file.
  private(set) var ids: [String] = []

  /// Reads every object that has a kind that is known, and tells what is wrong with the store as such.
  init(root: XMLElement, _ findings: inout XcodeMappingFindings) {
    for element in root.elements(named: "object") {
      guard let object = Self.object(element, &findings) else { continue }
      guard objects[object.id] == nil else {
        findings.tell(
          .error, "repeated-id", "a second object has the id '\(object.id)'",
          "restore the file: references to '\(object.id)' could mean either", at: element.location)
        continue
      }
      objects[object.id] = object
      ids.append(object.id)
    }
  }

  /// The objects of a kind in the order of the file.
  func objects(of kind: XcodeObject.Kind) -> [XcodeObject] {
    ids.compactMap { objects[$0] }.filter { $0.kind == kind }
  }

  private static func object(_ element: XMLElement, _ findings: inout XcodeMappingFindings) -> XcodeObject? {
    guard let type = element["type"], !type.isEmpty else {
      findings.tell(
        .error, "missing-type", "an object has no type", "restore the file: what the object is cannot be told",
        at: element.location)
      return nil
    }
    guard let kind = XcodeObject.Kind(rawValue: type.uppercased()) else {
      findings.noteUnknown(
        "an object of type '\(type)'", at: element.attribute(named: "type")?.valueLocation ?? element.location)
      return nil
    }
    guard let id = element["id"], !id.isEmpty else {
      findings.tell(
        .error, "missing-id", "\(kind.words) has no id", "restore the file: nothing can refer to the object",
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
      return findings.tell(
        .error, "missing-name",
        "\(child.name == "attribute" ? "an" : "a") \(child.name) of object '\(object.id)' has "
          + "no name", "restore the file: what it says cannot be told", at: child.location)
    }
    guard object.values[name] == nil, object.references[name] == nil else {
      return findings.tell(
        .error, "repeated-value", "object '\(object.id)' has a second '\(name)'",
        "restore the file: either could be meant", at: child.location)
    }
    if child.name == "attribute" {
      object.values[name] = child
      if !object.kind.attributes.contains(name) { findings.noteUnknown("an attribute '\(name)'", at: child.location) }
    } else {
      let written = child.attribute(named: "idrefs")
      object.references[name] = (written?.value ?? "").split(whereSeparator: \.isWhitespace).map {
        XcodeObject.Reference(id: String($0), location: written?.valueLocation ?? child.location)
      }
      if !object.kind.relationships.contains(name) {
        findings.noteUnknown("a relationship '\(name)'", at: child.location)
      }
    }
  }
}

extension XcodeObject.Kind {
  /// The names of the values that such objects were seen with.
  fileprivate var attributes: Set<String> {
    switch self {
    case .mappingModel: ["sourcemodelpath", "destinationmodelpath", "sourcemodeldata", "destinationmodeldata"]
    case .entityMapping:
      [
        "mappingnumber", "name", "sourcename", "destinationname", "migrationpolicyclassname",
        "sourcefilterpredicatestring", "sourceexpressiondata", "userinfodata", "mappingtypename",
        "autogenerateexpression",
      ]
    case .attributeMapping: ["name", "valueexpressiondata", "userinfodata", "autogenerateexpression"]
    case .relationshipMapping:
      ["name", "valueexpressiondata", "userinfodata", "autogenerateexpression", "sourcemappingname", "sourcekeypath"]
    }
  }

  /// The names of the relationships that such objects were seen with.
  fileprivate var relationships: Set<String> {
    switch self {
    case .mappingModel: ["entitymappings"]
    case .entityMapping: ["mappingmodel", "attributemappings", "relationshipmappings"]
    case .attributeMapping, .relationshipMapping: ["entitymapping"]
    }
  }
}
