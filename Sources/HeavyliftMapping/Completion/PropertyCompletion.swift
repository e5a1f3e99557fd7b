import HeavyliftExpression
import HeavyliftModel

/// Fills in what one entity mapping leaves unsaid about its properties.
struct PropertyCompletion {
  private let completion: MappingCompletion
  private let copying: ConservativeCopy
  private let written: [String: PropertyMappingDescription]
  /// What the destination entity has, own and inherited.
  private let properties: [PropertyReference]
  private let hasSource: Bool
  /// The source property that each destination property was, by name.
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
    let olds = old.map { completion.source.properties(of: $0) } ?? []
    origins =
      copying == .everything
      ? Self.renamed(from: olds, to: properties)
      : Dictionary(olds.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static func renamed(
    from olds: [PropertyReference], to news: [PropertyReference]
  ) -> [String: PropertyReference] {
    let match = RenamingMatch(
      old: olds.map { RenamingMatch.Thing(name: $0.name, identifier: $0.renamingIdentifier) },
      new: news.map { RenamingMatch.Thing(name: $0.name, identifier: $0.renamingIdentifier) })
    var origins: [String: PropertyReference] = [:]
    for pair in match.pairs {
      if let old = pair.old, let new = pair.new { origins[news[new].name] = olds[old] }
    }
    return origins
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
    case nil where copying == .everything && (attribute.isDerived || attribute.isTransient):
      return (nil, .unmapped(.notStored))
    case .automatic, .related(nil, _), nil: return automaticValue(of: attribute)
    }
  }

  private func automaticValue(of attribute: AttributeDescription) -> (MappingExpression?, PropertyMappingOrigin) {
    guard hasSource else { return (nil, .unmapped(.noSource)) }
    guard let property = origins[attribute.name] else { return (nil, .unmapped(.notInSource)) }
    guard case .attribute(let old) = property else { return (nil, .unmapped(.otherKind(property.name))) }
    // The mapping models that Xcode makes copy by name whatever the types are.
    if copying == .everything, AttributeCopy(from: old, to: attribute) == .impossible {
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
    let fitting = completion.fitting.names(from: old.destinationEntityName, to: relationship.destinationEntityName)
    switch fitting.count {
    case 0: return (nil, .unmapped(.noFittingMapping(from: old.name)))
    case 1:
      return (
        .destinationInstances(ofEntityMapping: fitting[0], for: objects), .rebuilt(from: old.name, through: fitting)
      )
    default:
      return (
        .destinationInstances(ofSourceRelationship: old.name, for: objects), .rebuilt(from: old.name, through: fitting)
      )
    }
  }

  /// What became of objects that stand written, through the only mapping that fits.
  private func related(
    _ objects: MappingExpression, _ relationship: RelationshipDescription
  ) -> (MappingExpression?, PropertyMappingOrigin) {
    let direct = objects.sourceRelationshipName
    let old = direct.flatMap { name in origins.values.first { $0.name == name } }
    var given: String?
    if case .relationship(let old) = old { given = old.destinationEntityName }
    let fitting = completion.fitting.names(from: given, to: relationship.destinationEntityName)
    if let only = fitting.first, fitting.count == 1 {
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
}
