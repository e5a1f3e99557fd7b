import HeavyliftModel

extension ManagedObjectModel {
  static var needsName: Bool { false }

  /// Reads the root element of a model file.
  init(document: XMLDocument, _ findings: inout ModelFindings) {
    var parts = ModelParts()
    self.init(reading: document.root, &findings) { parts.read($0, in: document.root, &$1) }
    markup.form.prologue = document.prologue
    markup.form.epilogue = document.epilogue
    take(parts)
  }

  // Not part of `init`: the property observers, which sort by name, do not run there.
  private mutating func take(_ parts: ModelParts) {
    entities = parts.entities
    composites = parts.composites
    configurations = parts.configurations
    fetchRequestTemplates = parts.fetchRequests
  }
}

/// The children of a model, collected before they are sorted.
private struct ModelParts {
  var entities: [EntityDescription] = []
  var composites: [CompositeDescription] = []
  var configurations: [ConfigurationDescription] = []
  var fetchRequests: [FetchRequestDescription] = []
  private var hasElements = false

  mutating func read(_ child: XMLElement, in root: XMLElement, _ findings: inout ModelFindings) -> Markup.Child? {
    switch child.name {
    case "entity": entities.append(EntityDescription(child, &findings))
    case "composite", "compositeAttribute": composites.append(CompositeDescription(child, &findings))
    case "configuration": configurations.append(ConfigurationDescription(child, &findings))
    case "fetchRequest": fetchRequests.append(FetchRequestDescription(reading: child, &findings))
    case "elements":
      guard !hasElements else {
        findings.noteRepeated(child, in: root)
        return .verbatim(child.text)
      }
      // The positions where Xcode draws the entities are not part of the model, but are updated when its entities change.
      hasElements = true
      return .stated(element: "elements", key: "", text: child.text)
    default: return nil
    }
    return .described(child)
  }
}

extension EntityDescription {
  init(_ element: XMLElement, _ findings: inout ModelFindings) {
    var properties = EntityProperties()
    var lists = StatedChildren()
    self.init(reading: element, &findings) { child, findings in
      properties.read(child, &findings) ?? lists.read(child, in: element, &findings)
    }
    take(properties)
    userInfo = lists.userInfo
    uniquenessConstraints = lists.uniquenessConstraints
    compoundIndexes = lists.compoundIndexes
  }

  // Not part of `init`: the property observers, which sort by name, do not run there.
  private mutating func take(_ properties: EntityProperties) {
    attributes = properties.attributes
    relationships = properties.relationships
    fetchedProperties = properties.fetchedProperties
    fetchIndexes = properties.fetchIndexes
  }
}

/// The children of an entity, collected before they are sorted.
private struct EntityProperties {
  var attributes: [AttributeDescription] = []
  var relationships: [RelationshipDescription] = []
  var fetchedProperties: [FetchedPropertyDescription] = []
  var fetchIndexes: [FetchIndexDescription] = []

  mutating func read(_ child: XMLElement, _ findings: inout ModelFindings) -> Markup.Child? {
    switch child.name {
    case "attribute": attributes.append(AttributeDescription(child, &findings))
    case "relationship": relationships.append(RelationshipDescription(child, &findings))
    case "fetchedProperty": fetchedProperties.append(FetchedPropertyDescription(child, &findings))
    case "fetchIndex": fetchIndexes.append(FetchIndexDescription(child, &findings))
    default: return nil
    }
    return .described(child)
  }
}

extension AttributeDescription {
  init(_ element: XMLElement, _ findings: inout ModelFindings) {
    var lists = StatedChildren()
    self.init(reading: element, &findings) { lists.readUserInfo($0, in: element, &$1) }
    userInfo = lists.userInfo
  }
}

extension RelationshipDescription {
  init(_ element: XMLElement, _ findings: inout ModelFindings) {
    var lists = StatedChildren()
    self.init(reading: element, &findings) { lists.readUserInfo($0, in: element, &$1) }
    userInfo = lists.userInfo
  }

  func reportContradictions(in element: XMLElement, _ findings: inout ModelFindings) {
    guard maxCount == 1, let toMany = element.attribute(named: "toMany"), toMany.value == "YES" else { return }
    findings.report(
      .warning, "contradictory-counts", "\(findings.subject) has toMany=\"YES\" and maxCount=\"1\"",
      "it is read as to-one; remove one of the two", at: toMany.valueLocation)
  }
}

extension FetchedPropertyDescription {
  init(_ element: XMLElement, _ findings: inout ModelFindings) {
    var lists = StatedChildren()
    var request: FetchRequestDescription?
    self.init(reading: element, &findings) { child, findings in
      guard child.name == "fetchRequest" else { return lists.readUserInfo(child, in: element, &findings) }
      guard request == nil else {
        findings.noteRepeated(child, in: element)
        return .verbatim(child.text)
      }
      request = FetchRequestDescription(reading: child, &findings)
      return .described(child)
    }
    fetchRequest = request
    userInfo = lists.userInfo
  }
}

extension FetchIndexDescription {
  init(_ element: XMLElement, _ findings: inout ModelFindings) {
    var elements: [Element] = []
    self.init(reading: element, &findings) { child, findings in
      guard child.name == "fetchIndexElement" else { return nil }
      elements.append(Element(reading: child, &findings))
      return .described(element: child.name, key: "")
    }
    self.elements = elements
  }
}

extension FetchIndexDescription.Element {
  static var needsName: Bool { false }

  func reportContradictions(in element: XMLElement, _ findings: inout ModelFindings) {
    guard propertyName == nil, expression == nil else { return }
    findings.report(
      .error, "empty-index-element", "\(findings.subject) names neither a property nor an expression",
      "add property=\"…\"", at: element.location)
  }
}

extension ConfigurationDescription {
  init(_ element: XMLElement, _ findings: inout ModelFindings) {
    var names: Set<String> = []
    self.init(reading: element, &findings) { child, findings in
      guard child.name == "memberEntity" else { return nil }
      let name = findings.required("name", of: child)
      // A duplicate member counts once, and its second element is kept unchanged.
      guard names.insert(name).inserted else { return .verbatim(child.text) }
      return .stated(element: child.name, key: name, text: child.text)
    }
    entityNames = names
  }
}

extension CompositeDescription {
  init(_ element: XMLElement, _ findings: inout ModelFindings) {
    var elements: [AttributeDescription] = []
    self.init(reading: element, &findings) { child, findings in
      guard child.name == "attribute" else { return nil }
      elements.append(AttributeDescription(child, &findings))
      return .described(child)
    }
    take(elements)
  }

  // Not part of `init`: the property observers, which sort by name, do not run there.
  private mutating func take(_ elements: [AttributeDescription]) { self.elements = elements }
}

extension Markup.Child {
  /// Returns the markup of a child that has a description of its own.
  fileprivate static func described(_ element: XMLElement) -> Markup.Child {
    .described(element: element.name, key: element["name"] ?? "")
  }
}

extension ModelFindings {
  /// Returns the value of a required attribute.
  mutating func required(_ name: String, of element: XMLElement) -> String {
    if let value = element[name], !value.isEmpty { return value }
    report(
      .error, "missing-\(name)", "element '\(element.name)' has no \(name)", "add \(name)=\"…\"",
      at: element.attribute(named: name)?.valueLocation ?? element.location)
    return ""
  }
}
