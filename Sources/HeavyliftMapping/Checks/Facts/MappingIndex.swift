import HeavyliftExpression
import HeavyliftModel

/// A complete mapping, indexed because the rules look up the same facts again and again.
struct MappingIndex: Sendable {
  let complete: CompleteMappingModel
  let environment: MappingCheckEnvironment
  let source: ModelIndex
  let destination: ModelIndex
  let mappings: [EntityMappingFact]
  /// Every destination property of every mapping that creates objects or may create them.
  let properties: [PropertyMappingFact]
  /// The distinct names of the entity mappings, sorted.
  let names: [String]
  /// The registered policies; nil if unknown.
  let policies: PolicyNames?
  /// The entity mappings of earlier mapping models, in order.
  let earlierMappings: [EntityMappingFact]
  private let byName: [String: Int]
  /// The entity mappings of earlier mapping models, by name; the last one if several have the same name.
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
    // The numbers are negative, because these mappings run before all others.
    let earlier = complete.earlierEntityMappings.enumerated().map { number, mapping in
      EntityMappingFact(
        mapping, number: number - complete.earlierEntityMappings.count, source: source, destination: destination,
        &presumption)
    }
    earlierMappings = earlier
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
    checking.managerFunctions = environment.managerFunctions
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

  /// Returns the first mapping with that name, or else the last mapping with that name in the earlier mapping models.
  func mapping(named name: String) -> EntityMappingFact? { byName[name].map { mappings[$0] } ?? earlier[name] }

  /// Returns true if an earlier mapping model takes objects of that entity, sub-entities excluded.
  func isTakenEarlier(_ entity: Int) -> Bool {
    let name = source.model.entities[entity].name
    return earlierMappings.contains { $0.mapping.takenEntities.contains(name) }
  }

  /// Returns true if an earlier mapping model creates objects of that entity, sub-entities excluded.
  func isMadeEarlier(_ entity: Int) -> Bool { earlierMappings.contains { $0.destination == entity } }

  /// The mappings that take objects of that entity, sub-entities excluded.
  func mappings(from entity: Int) -> [EntityMappingFact] { bySource[entity, default: []].map { mappings[$0] } }

  /// The mappings that create objects of that entity, sub-entities excluded.
  func mappings(to entity: Int) -> [EntityMappingFact] { byDestination[entity, default: []].map { mappings[$0] } }

  /// The location of the mapping model's element.
  var location: SourceLocation? { complete.mappingModel.markup.location }

  // MARK: Expressions

  /// Returns the environment in which an expression of the entity mapping is checked.
  func checking(_ occasion: ExpressionOccasion, in mapping: EntityMappingFact) -> CheckingEnvironment {
    var environment = checking
    environment.enter(
      occasion, source: mapping.mapping.sourceEntityName, destination: mapping.mapping.destinationEntityName)
    environment.policyFunctions = policyFunctions(of: mapping)
    environment.sourceFilter = mapping.mapping.filter
    return environment
  }

  /// Returns the type of an expression in the relationship pass of an entity mapping.
  func type(of expression: MappingExpression, in mapping: EntityMappingFact) -> ExpressionType {
    ExpressionChecker(checking(.relationship, in: mapping)).check(expression).type
  }

  private func policyFunctions(of mapping: EntityMappingFact) -> [String: FunctionSignature]? {
    // The default policy has no functions.
    guard let name = mapping.mapping.policyClassName else { return [:] }
    return policies?.functions(of: name)
  }
}
