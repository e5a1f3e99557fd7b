import HeavyliftMapping

/// An element of a mapping file before layout: its contents and the markup around it.
struct MappingTag {
  var name: String
  var attributes: [(name: String, value: String)]
  var children: [MappingTag]
  var markup: MappingMarkup

  init(
    _ name: String, attributes: [(String, String?)], children: [MappingTag] = [],
    markup: MappingMarkup = MappingMarkup()
  ) {
    self.name = name
    self.attributes = attributes.compactMap { name, value in value.map { (name, $0) } }
    self.children = children
    self.markup = markup
  }
}

extension MappingTag {
  init(_ mapping: MappingModel, _ obstacles: inout MappingObstacles) {
    obstacles.enter("the mapping model", mapping.markup.location)
    defer { obstacles.leave() }
    if mapping.unmentionedEntities == .dropped { obstacles.reportDroppedEntities() }
    let (source, destination) = (mapping.source, mapping.destination)
    var children = mapping.entityMappings.map { MappingTag($0, &obstacles) }
    let parts = mapping.markup.form.parts
    children += MappingTag.fingerprints(of: source, "source-entity", &obstacles) { parts[.sourceEntity($0)] }
    children += MappingTag.fingerprints(of: destination, "destination-entity", &obstacles) {
      parts[.destinationEntity($0)]
    }
    self.init(
      "mapping-model",
      attributes: [
        ("source", obstacles.text(source.name, "source")),
        ("destination", obstacles.text(destination.name, "destination")),
        ("source-checksum", obstacles.checksum(source.checksum, "source-checksum")),
        ("destination-checksum", obstacles.checksum(destination.checksum, "destination-checksum")),
        ("pass", obstacles.pass(mapping.pass)),
        ("copy", mapping.copying == .everything ? nil : mapping.copying.rawValue),
      ],
      children: children, markup: mapping.markup)
  }

  private init(_ mapping: EntityMappingDescription, _ obstacles: inout MappingObstacles) {
    obstacles.enter("entity mapping '\(mapping.name.shownInMessage)'", mapping.markup.location)
    defer { obstacles.leave() }
    let userInfo = MappingTag.userInfo(mapping.userInfo, mapping.markup, &obstacles)
    self.init(
      "entity-mapping",
      attributes: [
        ("name", obstacles.text(mapping.givenName, "name")),
        ("type", mapping.givenType?.word),
        ("source", obstacles.text(mapping.sourceEntityName, "source")),
        ("destination", obstacles.text(mapping.destinationEntityName, "destination")),
        ("where", obstacles.text(mapping.filter, "where")),
        ("source-expression", obstacles.text(mapping.sourceExpression, "source-expression")),
        ("policy", obstacles.text(mapping.policyClassName, "policy")),
        ("copy", mapping.copying?.rawValue), ("duplicates", mapping.intendsDuplicates ? "intended" : nil),
        ("losses", mapping.intendsLosses ? "intended" : nil),
      ],
      children: userInfo + mapping.propertyMappings.map { MappingTag($0, &obstacles) }
        + mapping.droppedProperties.map { MappingTag($0, &obstacles) }, markup: mapping.markup)
  }

  private init(_ drop: DroppedProperty, _ obstacles: inout MappingObstacles) {
    obstacles.enter("drop '\(drop.name.shownInMessage)'", drop.markup.location)
    defer { obstacles.leave() }
    self.init("drop", attributes: [("name", obstacles.text(drop.name, "name"))], markup: drop.markup)
  }

  private init(_ mapping: PropertyMappingDescription, _ obstacles: inout MappingObstacles) {
    obstacles.enter("\(mapping.kind.rawValue) '\(mapping.name.shownInMessage)'", mapping.markup.location)
    defer { obstacles.leave() }
    var attributes: [(String, String?)] = [("name", obstacles.text(mapping.name, "name"))]
    switch mapping.source {
    case .automatic: break
    case .unmapped: attributes.append(("copy", "no"))
    case .expression(let expression): attributes.append(("value", obstacles.text(expression, "value")))
    // Without `from` and `mapping`, the property is read back as automatic.
    case .related(let source, let entityMapping):
      attributes.append(("from", obstacles.text(source, "from")))
      attributes.append(("mapping", obstacles.text(entityMapping, "mapping")))
      if mapping.kind == .attribute { obstacles.reportRelatedAttribute() }
    }
    if mapping.leavesSharedToLast { attributes.append(("shared", "last")) }
    self.init(
      mapping.kind.rawValue, attributes: attributes,
      children: MappingTag.userInfo(mapping.userInfo, mapping.markup, &obstacles), markup: mapping.markup)
  }

  private static func userInfo(
    _ userInfo: [String: String], _ markup: MappingMarkup, _ obstacles: inout MappingObstacles
  ) -> [MappingTag] {
    userInfo.sorted { $0.key.precedesInScalars($1.key) }.map { key, value in
      MappingTag(
        "user-info",
        attributes: [("key", obstacles.anyText(key, "key")), ("value", obstacles.anyText(value, "value"))],
        markup: markup.form.parts[.userInfo(key)] ?? MappingMarkup())
    }
  }

  private static func fingerprints(
    of reference: ModelReference, _ element: String, _ obstacles: inout MappingObstacles,
    _ markup: (String) -> MappingMarkup?
  ) -> [MappingTag] {
    reference.fingerprints.sorted { $0.key.precedesInScalars($1.key) }.map { name, fingerprint in
      obstacles.enter("\(element) '\(name.shownInMessage)'", markup(name)?.location)
      defer { obstacles.leave() }
      return MappingTag(
        element,
        attributes: [("name", obstacles.text(name, "name")), ("properties", obstacles.text(fingerprint))],
        markup: markup(name) ?? MappingMarkup())
    }
  }
}
