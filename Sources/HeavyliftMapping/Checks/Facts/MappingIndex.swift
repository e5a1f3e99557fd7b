import HeavyliftExpression
import HeavyliftModel

/// A complete mapping made ready for its rules: what they look up again and again is found without walking it.
struct MappingIndex: Sendable {
  let complete: CompleteMappingModel
  let environment: MappingCheckEnvironment
  let source: ModelIndex
  let destination: ModelIndex
  let mappings: [EntityMappingFact]
  /// Every destination property of every mapping that makes objects or may make them.
  let properties: [PropertyMappingFact]
  /// The names of the entity mappings, each once, in order.
  let names: [String]
  /// Nil if it is not known which there are.
  let policies: PolicyNames?
  private let byName: [String: Int]
  /// Those of the mapping models that run before, the last of each name.
  private let earlier: [String: EntityMappingFact]
  private let bySource: [Int: [Int]]
  private let byDestination: [Int: [Int]]
  private let checking: CheckingEnvironment

  init(_ complete: CompleteMappingModel, _ environment: MappingCheckEnvironment) {
    self.complete = complete
    self.environment = environment
    let (source, destination) = (complete.indexes.source, complete.indexes.destination)
    (self.source, self.destination) = (source, destination)
    var presumption = PresumedNames()
    let mappings = complete.entityMappings.enumerated().map { number, mapping in
      EntityMappingFact(mapping, number: number, source: source, destination: destination, &presumption)
    }
    self.mappings = mappings
    properties = mappings.flatMap { Self.properties(of: $0) }
    let byName = Dictionary(mappings.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
    self.byName = byName
    // Below 0, because they run before all others.
    let earlier = complete.earlierEntityMappings.enumerated().map { number, mapping in
      EntityMappingFact(
        mapping, number: number - complete.earlierEntityMappings.count, source: source, destination: destination,
        &presumption)
    }
    let earlierByName = Dictionary(earlier.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    self.earlier = earlierByName
    names = Set(byName.keys).union(earlierByName.keys).sorted()
    policies = environment.policies.map { PolicyNames($0) }
    var (bySource, byDestination): ([Int: [Int]], [Int: [Int]]) = ([:], [:])
    for mapping in mappings {
      if let entity = mapping.source { bySource[entity, default: []].append(mapping.number) }
      if let entity = mapping.destination { byDestination[entity, default: []].append(mapping.number) }
    }
    (self.bySource, self.byDestination) = (bySource, byDestination)

    let known = earlierByName.merging(byName.mapValues { mappings[$0] }) { $1 }
    let sides = known.mapValues { fact in
      CheckingEnvironment.EntityMappingSides(
        source: fact.mapping.sourceEntityName, destination: fact.mapping.destinationEntityName)
    }
    var checking = CheckingEnvironment(
      indexedSource: source, destination: destination, functions: environment.functions)
    checking.managerSelectors = environment.managerSelectors
    checking.entityMappings = sides
    self.checking = checking
  }

  private static func properties(of mapping: EntityMappingFact) -> [PropertyMappingFact] {
    let written = Dictionary(
      mapping.description.propertyMappings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return (mapping.mapping.attributeMappings + mapping.mapping.relationshipMappings).compactMap { complete in
      mapping.destinationProperties[complete.name].map {
        PropertyMappingFact(owner: mapping, complete: complete, property: $0, written: written[complete.name])
      }
    }
  }

  /// The first mapping of that name, or else the last of that name that runs before.
  func mapping(named name: String) -> EntityMappingFact? { byName[name].map { mappings[$0] } ?? earlier[name] }

  /// Whether an entity mapping of a mapping model that runs before takes objects of that very entity.
  func isTakenEarlier(_ entity: Int) -> Bool { earlier.values.contains { $0.source == entity } }

  /// Whether an entity mapping of a mapping model that runs before makes objects of that very entity.
  func isMadeEarlier(_ entity: Int) -> Bool { earlier.values.contains { $0.destination == entity } }

  /// The mappings that take objects of that very entity.
  func mappings(from entity: Int) -> [EntityMappingFact] { bySource[entity, default: []].map { mappings[$0] } }

  /// The mappings that make objects of that very entity.
  func mappings(to entity: Int) -> [EntityMappingFact] { byDestination[entity, default: []].map { mappings[$0] } }

  /// Where the mapping model as a whole stands.
  var location: SourceLocation? { complete.mappingModel.markup.location }

  // MARK: Expressions

  /// What expressions of an entity mapping may refer to.
  func checking(_ occasion: ExpressionOccasion, in mapping: EntityMappingFact) -> CheckingEnvironment {
    var environment = checking
    environment.enter(
      occasion, source: mapping.mapping.sourceEntityName, destination: mapping.mapping.destinationEntityName)
    environment.policySelectors = policySelectors(of: mapping)
    environment.sourceFilter = mapping.mapping.filter
    return environment
  }

  /// What an expression's value will be, in the relationship pass of an entity mapping.
  func type(of expression: MappingExpression, in mapping: EntityMappingFact) -> ExpressionType {
    ExpressionChecker(checking(.relationship, in: mapping)).check(expression).type
  }

  private func policySelectors(of mapping: EntityMappingFact) -> Set<String>? {
    // The policy that a mapping has when it names none has no functions.
    guard let name = mapping.mapping.policyClassName else { return [] }
    return policies?.selectors(of: name)
  }
}
