import HeavyliftModel

extension ManagedObjectModel {
  /// Reads the root element of a model file.
  init(document: XMLDocument, _ findings: inout ModelFindings) {
    let root = document.root
    findings.enter(root)
    defer { findings.leave() }
    self.init(attributesOf: root, &findings)
    findings.noteUnknownAttributes(of: root, known: Self.rules)
    var parts = ModelParts()
    markup = Markup(of: root, &findings) { child, findings in
      parts.read(child, in: root, &findings)
    }
    markup.form.prologue = document.prologue
    markup.form.epilogue = document.epilogue
    take(parts)
  }

  // Not in `init`: there, observers that keep the order of names do not run.
  private mutating func take(_ parts: ModelParts) {
    entities = parts.entities
    composites = parts.composites
    configurations = parts.configurations
    fetchRequestTemplates = parts.fetchRequests
  }
}

/// The children of a model, gathered before they are sorted.
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
    case "fetchRequest": fetchRequests.append(FetchRequestDescription(child, &findings))
    case "elements":
      guard !hasElements else {
        findings.noteRepeated(child, in: root)
        return .verbatim(child.text)
      }
      // Where Xcode draws the entities: no fact, but it follows them.
      hasElements = true
      return .stated(element: "elements", key: "", text: child.text)
    default: return nil
    }
    return .described(element: child.name, key: child["name"] ?? "")
  }
}

extension EntityDescription {
  init(_ element: XMLElement, _ findings: inout ModelFindings) {
    findings.enter(element)
    defer { findings.leave() }
    self.init(attributesOf: element, &findings)
    findings.check(element, known: Self.rules)
    var attributes: [AttributeDescription] = []
    var relationships: [RelationshipDescription] = []
    var fetchedProperties: [FetchedPropertyDescription] = []
    var lists = StatedChildren()
    let markup = Markup(of: element, &findings) { child, findings in
      switch child.name {
      case "attribute": attributes.append(AttributeDescription(child, &findings))
      case "relationship": relationships.append(RelationshipDescription(child, &findings))
      case "fetchedProperty": fetchedProperties.append(FetchedPropertyDescription(child, &findings))
      case "fetchIndex": fetchIndexes.append(FetchIndexDescription(child, &findings))
      default: return lists.read(child, in: element, &findings)
      }
      return .described(element: child.name, key: child["name"] ?? "")
    }
    take(attributes, relationships, fetchedProperties)
    userInfo = lists.userInfo
    uniquenessConstraints = lists.uniquenessConstraints
    compoundIndexes = lists.compoundIndexes
    self.markup = markup
  }

  // Not in `init`: there, observers that keep the order of names do not run.
  private mutating func take(
    _ attributes: [AttributeDescription], _ relationships: [RelationshipDescription],
    _ fetchedProperties: [FetchedPropertyDescription]
  ) {
    self.attributes = attributes
    self.relationships = relationships
    self.fetchedProperties = fetchedProperties
  }
}

extension AttributeDescription {
  init(_ element: XMLElement, _ findings: inout ModelFindings) {
    findings.enter(element)
    defer { findings.leave() }
    self.init(attributesOf: element, &findings)
    findings.check(element, known: Self.rules)
    var lists = StatedChildren()
    markup = Markup(of: element, &findings) { lists.readUserInfo($0, in: element, &$1) }
    userInfo = lists.userInfo
  }
}

extension RelationshipDescription {
  init(_ element: XMLElement, _ findings: inout ModelFindings) {
    findings.enter(element)
    defer { findings.leave() }
    self.init(attributesOf: element, &findings)
    findings.check(element, known: Self.rules)
    if maxCount == 1, let toMany = element.attribute(named: "toMany"), toMany.value == "YES" {
      findings.tell(
        .warning, "contradictory-counts", "\(findings.subject) has toMany=\"YES\" and maxCount=\"1\"",
        "it is read as a to-one: remove one of the two", at: toMany.valueLocation)
    }
    var lists = StatedChildren()
    markup = Markup(of: element, &findings) { lists.readUserInfo($0, in: element, &$1) }
    userInfo = lists.userInfo
  }
}

extension FetchedPropertyDescription {
  init(_ element: XMLElement, _ findings: inout ModelFindings) {
    findings.enter(element)
    defer { findings.leave() }
    self.init(attributesOf: element, &findings)
    findings.check(element, known: Self.rules)
    var lists = StatedChildren()
    var request: FetchRequestDescription?
    markup = Markup(of: element, &findings) { child, findings in
      guard child.name == "fetchRequest" else { return lists.readUserInfo(child, in: element, &findings) }
      guard request == nil else {
        findings.noteRepeated(child, in: element)
        return .verbatim(child.text)
      }
      request = FetchRequestDescription(child, &findings)
      return .described(element: child.name, key: child["name"] ?? "")
    }
    fetchRequest = request
    userInfo = lists.userInfo
  }
}

extension FetchRequestDescription {
  init(_ element: XMLElement, _ findings: inout ModelFindings) {
    findings.enter(element)
    defer { findings.leave() }
    self.init(attributesOf: element, &findings)
    findings.check(element, known: Self.rules)
    markup = Markup(of: element, &findings) { _, _ in nil }
  }
}

extension FetchIndexDescription {
  init(_ element: XMLElement, _ findings: inout ModelFindings) {
    findings.enter(element)
    defer { findings.leave() }
    self.init(attributesOf: element, &findings)
    findings.check(element, known: Self.rules)
    var elements: [Element] = []
    markup = Markup(of: element, &findings) { child, findings in
      guard child.name == "fetchIndexElement" else { return nil }
      elements.append(Element(child, &findings))
      return .described(element: child.name, key: "")
    }
    self.elements = elements
  }
}

extension FetchIndexDescription.Element {
  init(_ element: XMLElement, _ findings: inout ModelFindings) {
    findings.enter(element)
    defer { findings.leave() }
    self.init(attributesOf: element, &findings)
    findings.noteUnknownAttributes(of: element, known: Self.rules)
    if propertyName == nil, expression == nil {
      findings.tell(
        .error, "empty-index-element", "\(findings.subject) names neither a property nor an expression",
        "add property=\"…\"", at: element.location)
    }
    markup = Markup(of: element, &findings) { _, _ in nil }
  }
}

extension ConfigurationDescription {
  init(_ element: XMLElement, _ findings: inout ModelFindings) {
    findings.enter(element)
    defer { findings.leave() }
    self.init(attributesOf: element, &findings)
    findings.check(element, known: Self.rules)
    var names: Set<String> = []
    markup = Markup(of: element, &findings) { child, findings in
      guard child.name == "memberEntity" else { return nil }
      let name = findings.required("name", of: child)
      // The same member twice is one member, and the second line stays as it is.
      guard names.insert(name).inserted else { return .verbatim(child.text) }
      return .stated(element: child.name, key: name, text: child.text)
    }
    entityNames = names
  }
}

extension CompositeDescription {
  init(_ element: XMLElement, _ findings: inout ModelFindings) {
    findings.enter(element)
    defer { findings.leave() }
    self.init(attributesOf: element, &findings)
    findings.check(element, known: Self.rules)
    var elements: [AttributeDescription] = []
    markup = Markup(of: element, &findings) { child, findings in
      guard child.name == "attribute" else { return nil }
      elements.append(AttributeDescription(child, &findings))
      return .described(element: child.name, key: child["name"] ?? "")
    }
    take(elements)
  }

  // Not in `init`: there, observers that keep the order of names do not run.
  private mutating func take(_ elements: [AttributeDescription]) { self.elements = elements }
}

extension ModelFindings {
  /// Tells what every element with a name can get wrong.
  mutating func check<Description>(_ element: XMLElement, known rules: [AttributeRule<Description>]) {
    noteUnknownAttributes(of: element, known: rules)
    _ = required("name", of: element)
  }

  mutating func noteUnknownAttributes<Description>(of element: XMLElement, known rules: [AttributeRule<Description>]) {
    for attribute in element.attributes where !rules.contains(where: { $0.name == attribute.name }) {
      noteUnknown(attribute, of: element)
    }
  }

  /// An attribute without which an element means nothing.
  mutating func required(_ name: String, of element: XMLElement) -> String {
    if let value = element[name], !value.isEmpty { return value }
    tell(
      .error, "missing-\(name)", "element '\(element.name)' has no \(name)", "add \(name)=\"…\"",
      at: element.attribute(named: name)?.valueLocation ?? element.location)
    return ""
  }
}
