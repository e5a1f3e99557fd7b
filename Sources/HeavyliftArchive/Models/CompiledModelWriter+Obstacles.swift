import HeavyliftModel

extension CompiledModelWriter {
  /// Returns errors about the parts of a model whose archived form is unknown and about the model's mistakes; empty if
  /// the model can be written.
  package static func obstacles(to model: ManagedObjectModel) -> [Diagnostic] {
    var obstacles: [Diagnostic] = []
    func refuse(_ part: String) {
      obstacles.append(
        Diagnostic(
          .error, code: "archive.not-representable",
          problem: "\(part): how a compiled model stores this is unknown",
          remedy: "create the store without its model: like older stores, it works just as well without one"))
    }
    func breaks(_ problem: String) {
      obstacles.append(
        Diagnostic(
          .error, code: "archive.broken-model", problem: problem, remedy: "check the model first"))
    }
    for template in model.fetchRequestTemplates { refuse("fetch request '\(template.name)'") }
    for composite in model.composites { refuse("composite type '\(composite.name)'") }
    var names: Set<String> = []
    for entity in model.entities {
      if !names.insert(entity.name).inserted { breaks("the model has two entities named '\(entity.name)'") }
      let lineage = model.lineage(of: entity)
      if let missing = lineage.last?.superentityName {
        breaks("entity '\(entity.name)' inherits from '\(missing)', which does not exist or inherits from this entity")
      }
      let inherited = Set(lineage.dropFirst().flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) })
      for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) where inherited.contains(name) {
        refuse("property '\(name)' of '\(entity.name)' hides an inherited one")
      }
      for property in entity.fetchedProperties { refuse("fetched property '\(property.name)' of '\(entity.name)'") }
      for attribute in entity.attributes {
        for words in attribute.obstacles { refuse("attribute '\(attribute.name)' of '\(entity.name)' \(words)") }
      }
      for relationship in entity.relationships {
        let place = "relationship '\(relationship.name)' of '\(entity.name)'"
        for words in relationship.obstacles { refuse("\(place) \(words)") }
        guard let destination = model.entity(named: relationship.destinationEntityName) else {
          breaks("\(place) has no destination entity in the model")
          continue
        }
        guard let inverse = relationship.inverseName else { continue }
        if !model.allRelationships(of: destination).contains(where: { $0.name == inverse }) {
          breaks("\(place) has the inverse '\(inverse)', which '\(destination.name)' does not have")
        }
      }
      for index in entity.fetchIndexes where index.hasUnknownForm {
        refuse("index '\(index.name)' of '\(entity.name)' has a predicate or an expression")
      }
    }
    for configuration in model.configurations {
      for name in configuration.entityNames.sorted() where model.entity(named: name) == nil {
        breaks("configuration '\(configuration.name)' has entity '\(name)', which is not in the model")
      }
    }
    return obstacles
  }
}

extension AttributeDescription {
  fileprivate var obstacles: [String] {
    var words: [String] = []
    if isDerived { words.append("is derived") }
    if type == .composite { words.append("is composite") }
    if allowsExternalBinaryDataStorage { words.append("allows external storage") }
    if validation != AttributeValidation() { words.append("is validated") }
    if isIndexedBySpotlight { words.append("is indexed by Spotlight") }
    if isStoredInExternalRecord { words.append("is stored in an external record") }
    return words
  }
}

extension RelationshipDescription {
  fileprivate var obstacles: [String] {
    var words: [String] = []
    if inverseName == nil { words.append("has no inverse") }
    if isIndexed { words.append("is indexed") }
    if isIndexedBySpotlight { words.append("is indexed by Spotlight") }
    if isStoredInExternalRecord { words.append("is stored in an external record") }
    return words
  }
}

extension FetchIndexDescription {
  fileprivate var hasUnknownForm: Bool {
    partialIndexPredicate != nil || elements.contains { $0.propertyName == nil || $0.collationType != .binary }
  }
}
