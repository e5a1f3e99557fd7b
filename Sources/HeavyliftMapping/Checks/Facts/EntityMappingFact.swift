import HeavyliftExpression
import HeavyliftModel

/// An entity mapping with its names resolved.
final class EntityMappingFact: Sendable {
  /// The mapping's index; negative if the mapping belongs to an earlier mapping model.
  let number: Int
  let mapping: CompleteEntityMapping
  /// The indexes of the mapping's entities in their models; nil if unset or unknown.
  let source: Int?
  let destination: Int?
  /// All properties of the destination entity, including inherited ones, by name.
  let destinationProperties: [String: PropertyReference]
  /// Destination properties that misspelled names probably refer to.
  let presumedProperties: Set<String>

  init(
    _ mapping: CompleteEntityMapping, number: Int, _ pair: ModelPair, _ presumption: inout PresumedNames
  ) {
    self.number = number
    self.mapping = mapping
    source = pair.source.entity(named: mapping.sourceEntityName)
    destination = pair.destination.entity(named: mapping.destinationEntityName)
    let properties = destination.map { pair.destination.properties(of: $0) } ?? []
    let known = Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    destinationProperties = known
    let unknown = mapping.description.propertyMappings.map(\.name).filter { known[$0] == nil }
    presumedProperties = Set(unknown.compactMap { presumption.name(for: $0, among: Array(known.keys)) })
  }

  var name: String { mapping.name }
  var description: EntityMappingDescription { mapping.description }
  /// True if the mapping belongs to an earlier mapping model that fills the same store.
  var isOfEarlierPass: Bool { number < 0 }
  var isImplied: Bool { mapping.origin == .implied }
  var place: String { "\(isImplied ? "implied entity mapping" : "entity mapping") \(name.quotedName)" }
  /// True if the mapping has a custom policy.
  var isCustom: Bool { mapping.policyClassName != nil }
  /// Both entities, if both exist. Without both, only a policy can create objects.
  var entities: (source: Int, destination: Int)? {
    guard let source, let destination else { return nil }
    return (source, destination)
  }
  /// True if the mapping names an unknown source entity.
  var hasUnknownSource: Bool { mapping.sourceEntityName != nil && source == nil }
  /// True if the mapping takes all objects of its source entity. The objects of a source expression are unknown before
  /// it runs.
  var takesEverything: Bool { description.sourceExpression == nil && mapping.filter?.isAlwaysTrue ?? true }

  /// Returns true if both mappings certainly take the same objects of a source entity.
  func takesSameObjects(as other: EntityMappingFact) -> Bool {
    mapping.filter == other.mapping.filter && description.sourceExpression == other.description.sourceExpression
  }

  /// Returns the location of an XML attribute of the mapping's element, or of the element if the attribute is missing.
  func location(of name: String) -> DiagnosticLocation? { description.markup.location(of: name) }
}

extension MappingPredicate {
  var isAlwaysTrue: Bool { if case .literal(true) = kind { true } else { false } }
}
