import HeavyliftExpression
import HeavyliftModel

/// An entity mapping together with what its names turned out to be.
struct EntityMappingFact: Sendable {
  /// Its place among the mappings.
  let number: Int
  let mapping: CompleteEntityMapping
  /// The numbers of its entities in their models; nil where there is none, or none of that name.
  let source: Int?
  let destination: Int?
  /// What the destination entity has, own and inherited, by name.
  let destinationProperties: [String: PropertyReference]
  /// The destination properties that were probably meant by names that the entity does not have.
  let presumedProperties: Set<String>

  init(
    _ mapping: CompleteEntityMapping, number: Int, source: ModelIndex, destination: ModelIndex,
    _ presumption: inout PresumedNames
  ) {
    self.number = number
    self.mapping = mapping
    self.source = source.entity(named: mapping.sourceEntityName)
    self.destination = destination.entity(named: mapping.destinationEntityName)
    let properties = self.destination.map { destination.properties(of: $0) } ?? []
    let known = Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    destinationProperties = known
    let unknown = mapping.description.propertyMappings.map(\.name).filter { known[$0] == nil }
    presumedProperties = Set(unknown.compactMap { presumption.name(for: $0, among: Array(known.keys)) })
  }

  var name: String { mapping.name }
  var description: EntityMappingDescription { mapping.description }
  var isImplied: Bool { mapping.origin == .implied }
  var place: String { "\(isImplied ? "implied entity mapping" : "entity mapping") \(name.quotedName)" }
  /// Whether a policy decides what becomes of the objects.
  var isCustom: Bool { mapping.policyClassName != nil }
  /// Both entities, where both are there: only then objects come out of it without a policy's doing.
  var entities: (source: Int, destination: Int)? {
    guard let source, let destination else { return nil }
    return (source, destination)
  }
  /// Whether it names a source entity that there is not.
  var hasUnknownSource: Bool { mapping.sourceEntityName != nil && source == nil }
  var takesEverything: Bool { mapping.filter?.isAlwaysTrue ?? true }

  /// Where an attribute of the element stands, or else the element.
  func location(of name: String) -> SourceLocation? { description.markup.location(of: name) }
}

extension MappingPredicate {
  var isAlwaysTrue: Bool { if case .literal(true) = kind { true } else { false } }
}
