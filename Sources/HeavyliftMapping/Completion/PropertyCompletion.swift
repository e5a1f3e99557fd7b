import HeavyliftExpression
import HeavyliftModel

/// Fills in the property defaults of one entity mapping.
struct PropertyCompletion {
  private let completion: MappingCompletion
  private let copying: ConservativeCopy
  private let written: [String: PropertyMappingDescription]
  /// All properties of the destination entity, including inherited ones.
  private let properties: [PropertyReference]
  private let hasSource: Bool
  /// The index of the source entity.
  private let sourceEntity: Int?
  /// The source counterpart of each destination property, by name.
  private let origins: [String: PropertyReference]

  init(_ mapping: EntityMappingDescription, in completion: MappingCompletion) {
    self.completion = completion
    let copying = mapping.copying ?? completion.mappingModel.copying
    self.copying = copying
    written = Dictionary(
      mapping.propertyMappings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let new = completion.destination.entity(named: mapping.destinationEntityName)
    properties = new.map { completion.destination.properties(of: $0) } ?? []
    hasSource = mapping.sourceEntityName != nil
    let old = completion.source.entity(named: mapping.sourceEntityName)
    sourceEntity = old
    let olds = old.map { completion.source.properties(of: $0) } ?? []
    guard copying == .everything, let old, let new else {
      origins = Dictionary(olds.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      return
    }
    var origins: [String: PropertyReference] = [:]
    for case (let before?, let after?) in completion.pair.match(old, new).pairs {
      origins[properties[after].name] = olds[before]
    }
    self.origins = origins
  }

  // MARK: Attributes

  func attributeMappings() -> [CompletePropertyMapping] {
    properties.compactMap { property in
      guard case .attribute(let attribute) = property else { return nil }
      let (expression, origin) = value(of: attribute)
      return CompletePropertyMapping(
        .attribute, name: attribute.name, expression, origin, written: written[attribute.name])
    }
  }

  private func value(of attribute: AttributeDescription) -> (MappingExpression?, PropertyMappingOrigin) {
    switch written[attribute.name]?.source {
    case .expression(let expression), .related(let expression?, _): return (expression, .written)
    case .unmapped: return (nil, .unmapped(.written))
    case nil where copying == .listed: return (nil, .unmapped(.notListed))
    case nil where copying == .everything && (attribute.isRecomputed || attribute.isTransient):
      return (nil, .unmapped(.notStored))
    case nil where copying == .everything && attribute.isTimeOfSave:
      let value = automaticValue(of: attribute)
      // The store computes it.
      if case (nil, .unmapped(.incompatible)) = value { return (nil, .unmapped(.notStored)) }
      return value
    case .automatic, .related(nil, _), nil: return automaticValue(of: attribute)
    }
  }

  private func automaticValue(of attribute: AttributeDescription) -> (MappingExpression?, PropertyMappingOrigin) {
    guard hasSource else { return (nil, .unmapped(.noSource)) }
    guard let property = origins[attribute.name] else { return (nil, .unmapped(.notInSource)) }
    guard case .attribute(let old) = property else { return (nil, .unmapped(.otherKind(property.name))) }
    // Xcode's mapping models copy by name regardless of type.
    if copying == .everything,
      AttributeCopy(from: old, in: completion.source.model, to: attribute, in: completion.destination.model)
        == .impossible
    {
      return (nil, .unmapped(.incompatible(from: old.name)))
    }
    return (.source(key: old.name), .copied(from: old.name))
  }

  // MARK: Relationships

  func relationshipMappings() -> [CompletePropertyMapping] {
    properties.compactMap { property in
      guard case .relationship(let relationship) = property else { return nil }
      let (expression, origin) = value(of: relationship)
      return CompletePropertyMapping(
        .relationship, name: relationship.name, expression, origin, written: written[relationship.name])
    }
  }

  private func value(of relationship: RelationshipDescription) -> (MappingExpression?, PropertyMappingOrigin) {
    switch written[relationship.name]?.source {
    case .expression(let expression)
    where completion.leadsNowhere(throughMapping: expression.counterpartsRequest?.mapping):
      return (nil, .unmapped(.noFittingMapping(from: expression.description)))
    case .related(let objects, let mapping) where completion.leadsNowhere(throughMapping: mapping):
      return (nil, .unmapped(.noFittingMapping(from: objects?.description ?? relationship.name)))
    case .expression(let expression): return (expression, .written)
    case .unmapped: return (nil, .unmapped(.written))
    case .related(let objects?, let mapping?):
      return (.destinationInstances(ofEntityMapping: mapping, for: objects), .written)
    case .related(let objects?, nil): return related(objects, relationship)
    case .related(nil, let mapping): return automaticValue(of: relationship, through: mapping)
    case nil where copying == .listed: return (nil, .unmapped(.notListed))
    case nil where copying == .everything && relationship.isTransient: return (nil, .unmapped(.notStored))
    case .automatic, nil: return automaticValue(of: relationship, through: nil)
    }
  }

  private func automaticValue(
    of relationship: RelationshipDescription, through mapping: String?
  ) -> (MappingExpression?, PropertyMappingOrigin) {
    guard hasSource else { return (nil, .unmapped(.noSource)) }
    guard let property = origins[relationship.name] else { return (nil, .unmapped(.notInSource)) }
    guard case .relationship(let old) = property else { return (nil, .unmapped(.otherKind(property.name))) }
    if copying == .everything, old.isToMany, !relationship.isToMany {
      return (nil, .unmapped(.manyIntoOne(from: old.name)))
    }
    let objects = MappingExpression.source(key: old.name)
    if let mapping {
      return (
        .destinationInstances(ofEntityMapping: mapping, for: objects), .rebuilt(from: old.name, through: [mapping])
      )
    }
    let (fitting, isChoice) = fittingMappings(from: old.destinationEntityName, to: relationship.destinationEntityName)
    guard let first = fitting.first else { return (nil, .unmapped(.noFittingMapping(from: old.name))) }
    return (
      isChoice
        ? .destinationInstances(ofSourceRelationship: old.name, for: objects)
        : .destinationInstances(ofEntityMapping: first, for: objects), .rebuilt(from: old.name, through: fitting)
    )
  }

  /// Returns the mappings that rebuild a relationship, and whether Core Data must choose among them for each object.
  private func fittingMappings(from old: String?, to new: String?) -> (names: [String], isChoice: Bool) {
    // In the other copying modes, relationships follow the rules of Xcode's compiler.
    if copying != .everything { return completion.fitting.compiled(from: old, to: new) }
    let names = completion.fitting.names(from: old, to: new)
    return (names, names.count > 1)
  }

  /// Returns a request for the destination instances of a `from` expression's objects, through the mapping that fits.
  private func related(
    _ objects: MappingExpression, _ relationship: RelationshipDescription
  ) -> (MappingExpression?, PropertyMappingOrigin) {
    let direct = objects.sourceKey
    let (fitting, isChoice) = fittingMappings(from: entity(of: objects), to: relationship.destinationEntityName)
    if let only = fitting.first, !isChoice {
      return (.destinationInstances(ofEntityMapping: only, for: objects), .written)
    }
    if let direct, !fitting.isEmpty {
      return (.destinationInstances(ofSourceRelationship: direct, for: objects), .written)
    }
    return (
      nil,
      .unmapped(
        fitting.isEmpty
          ? .noFittingMapping(from: objects.description) : .severalFittingMappings(from: objects.description, fitting))
    )
  }

  /// Returns the source entity of an expression's objects, if the expression is a path of relationships.
  private func entity(of objects: MappingExpression) -> String? {
    guard case .keyPath(let base, let path) = objects.kind, case .variable("source") = base.kind else { return nil }
    var entity = sourceEntity
    for key in path.keys {
      guard case .name(let name) = key else { continue }
      guard let current = entity,
        case .relationship(let relationship)? = completion.source.property(named: name, of: current)?.property
      else { return nil }
      entity = completion.source.entity(named: relationship.destinationEntityName)
    }
    return entity.map { completion.source.model.entities[$0].name }
  }
}
