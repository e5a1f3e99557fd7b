import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel

extension MappingModel {
  init(_ root: XMLElement, _ surroundings: MappingSurroundings, _ findings: inout MappingFindings) {
    findings.checkPrefix(of: root)
    findings.checkAttributes(of: root)
    var source = ModelReference(
      name: findings.text("source", of: root), checksum: findings.checksum("source-checksum", of: root))
    var destination = ModelReference(
      name: findings.text("destination", of: root), checksum: findings.checksum("destination-checksum", of: root))
    let pass = findings.pass(of: root)
    let copying = findings.copying(of: root) ?? .everything
    let content = MappingChildren(of: root.children, in: root.localName, &findings)
    var markup = surroundings.markup
    markup.close(with: content)
    var entityMappings: [EntityMappingDescription] = []
    for child in content.children {
      findings.checkPrefix(of: child.element)
      switch child.element.localName {
      case "entity-mapping": entityMappings.append(EntityMappingDescription(child, &findings))
      case "source-entity": source.addFingerprint(child, in: &markup, &findings) { .sourceEntity($0) }
      case "destination-entity": destination.addFingerprint(child, in: &markup, &findings) { .destinationEntity($0) }
      default: findings.reportUnknown(child.element, in: root)
      }
    }
    self.init(
      source: source, destination: destination, copying: copying, entityMappings: entityMappings, pass: pass,
      markup: markup)
  }
}

extension EntityMappingDescription {
  init(_ child: MappingChildren.Child, _ findings: inout MappingFindings) {
    let element = child.element
    findings.enter(Self.subject(of: element))
    defer { findings.leave() }
    findings.checkAttributes(of: element)
    self.init(
      name: findings.text("name", of: element),
      type: findings.word("type", of: element, EntityMappingType.allCases.map { ($0.word, $0) }),
      source: findings.text("source", of: element), destination: findings.text("destination", of: element),
      filter: findings.predicate("where", of: element),
      sourceExpression: findings.expression("source-expression", of: element),
      policy: findings.text("policy", of: element), copying: findings.copying(of: element),
      intendsDuplicates: findings.word("duplicates", of: element, [("intended", true)]) ?? false,
      intendsLosses: findings.word("losses", of: element, [("intended", true)]) ?? false, markup: child.markup)
    let content = MappingChildren(of: element.children, in: element.localName, &findings)
    markup.close(with: content)
    for child in content.children {
      findings.checkPrefix(of: child.element)
      switch child.element.localName {
      case "attribute":
        if let mapping = PropertyMappingDescription(.attribute, child, &findings) { propertyMappings.append(mapping) }
      case "relationship":
        if let mapping = PropertyMappingDescription(.relationship, child, &findings) {
          propertyMappings.append(mapping)
        }
      case "drop": if let drop = DroppedProperty(child, &findings) { droppedProperties.append(drop) }
      case "user-info": findings.readUserInfo(child, into: &userInfo, &markup)
      default: findings.reportUnknown(child.element, in: element)
      }
    }
  }

  private static func subject(of element: XMLElement) -> String {
    let stated = { (name: String) in element[name].flatMap { $0.isBlank ? nil : $0 } }
    let given = EntityMappingDescription(
      name: stated("name"), source: stated("source"), destination: stated("destination"))
    let isNamed = given.givenName != nil || given.sourceEntityName != nil || given.destinationEntityName != nil
    return isNamed ? "entity mapping '\(given.name.shownInMessage)'" : "an entity mapping without a name"
  }
}

extension DroppedProperty {
  init?(_ child: MappingChildren.Child, _ findings: inout MappingFindings) {
    let element = child.element
    findings.enter(element["name"].map { "drop '\($0.shownInMessage)'" } ?? "a drop without a name")
    defer { findings.leave() }
    findings.checkAttributes(of: element)
    let markup = findings.markup(ofEmpty: child)
    guard let name = findings.requiredText("name", of: element) else { return nil }
    self.init(name, markup: markup)
  }
}

extension PropertyMappingDescription {
  init?(_ kind: Kind, _ child: MappingChildren.Child, _ findings: inout MappingFindings) {
    let element = child.element
    findings.enter(element["name"].map { "\(kind.rawValue) '\($0.shownInMessage)'" } ?? kind.withoutName)
    defer { findings.leave() }
    findings.checkAttributes(of: element)
    let name = findings.requiredText("name", of: element)
    let source = findings.source(of: element, kind)
    let isShared = kind == .relationship ? findings.word("shared", of: element, [("last", true)]) : nil
    self.init(kind, name: name ?? "", source: source, leavesSharedToLast: isShared ?? false, markup: child.markup)
    let content = MappingChildren(of: element.children, in: element.localName, &findings)
    markup.close(with: content)
    for child in content.children {
      findings.checkPrefix(of: child.element)
      if child.element.localName == "user-info" {
        findings.readUserInfo(child, into: &userInfo, &markup)
      } else {
        findings.reportUnknown(child.element, in: element)
      }
    }
    if name == nil { return nil }
  }
}

extension PropertyMappingDescription.Kind {
  fileprivate var withoutName: String {
    switch self {
    case .attribute: "an attribute without a name"
    case .relationship: "a relationship without a name"
    }
  }
}

extension ModelReference {
  /// Reads the fingerprint of an entity: digests of its properties as they were when the mapping was written.
  fileprivate mutating func addFingerprint(
    _ child: MappingChildren.Child, in markup: inout MappingMarkup, _ findings: inout MappingFindings,
    _ part: (String) -> MappingForm.Part
  ) {
    let element = child.element
    findings.enter(
      element["name"].map { "\(element.localName) '\($0.shownInMessage)'" } ?? "a \(element.localName) without a name")
    defer { findings.leave() }
    findings.checkAttributes(of: element)
    let form = findings.markup(ofEmpty: child)
    let name = findings.requiredText("name", of: element)
    guard let properties = element.attribute(named: "properties") else {
      return findings.reportMissing("properties", of: element)
    }
    let (fingerprint, mistakes) = FingerprintText.parse(properties.value)
    findings.report(mistakes, in: properties)
    guard let name else { return }
    guard fingerprints.updateValue(fingerprint, forKey: name) == nil else {
      return findings.report(
        "repeated-entity", "there is a second \(findings.subject)", "keep one of the two", at: element.location)
    }
    markup.form.parts[part(name)] = form
  }
}
