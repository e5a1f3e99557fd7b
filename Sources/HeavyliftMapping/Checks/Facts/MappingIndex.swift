import HeavyliftExpression
import HeavyliftModel

/// A complete mapping as the rules see it: the facts about it, and the policies, functions and store that it is checked
/// with.
final class MappingIndex: Sendable {
  let complete: CompleteMappingModel
  let facts: MappingFacts
  let environment: MappingCheckEnvironment
  /// The registered policies; nil if unknown.
  let policies: PolicyNames?
  private let checking: CheckingEnvironment

  init(_ complete: CompleteMappingModel, _ environment: MappingCheckEnvironment) {
    self.complete = complete
    self.environment = environment
    let facts = complete.facts
    self.facts = facts
    policies = environment.policies.map { PolicyNames($0) }
    var checking = CheckingEnvironment(
      indexedSource: facts.source, destination: facts.destination, functions: environment.functions)
    checking.managerFunctions = environment.managerFunctions
    checking.entityMappings = Dictionary(
      facts.names.compactMap { facts.mapping(named: $0) }.map { fact in
        let sides = CheckingEnvironment.EntityMappingSides(
          source: fact.mapping.sourceEntityName, destination: fact.mapping.destinationEntityName)
        return (fact.name, sides)
      }, uniquingKeysWith: { first, _ in first })
    self.checking = checking
  }

  var source: ModelIndex { facts.pair.source }
  var destination: ModelIndex { facts.pair.destination }
  var mappings: [EntityMappingFact] { facts.mappings }
  var properties: [PropertyMappingFact] { facts.properties }
  var earlierMappings: [EntityMappingFact] { facts.earlierMappings }
  /// The location of the mapping model's element.
  var location: DiagnosticLocation? { complete.mappingModel.markup.location }

  /// Returns the first mapping with that name, or else the last mapping with that name in the earlier mapping models.
  func mapping(named name: String) -> EntityMappingFact? { facts.mapping(named: name) }

  /// The mappings that take objects of that entity, sub-entities excluded.
  func mappings(from entity: Int) -> [EntityMappingFact] { facts.mappings(from: entity) }

  /// The mappings that create objects of that entity, sub-entities excluded.
  func mappings(to entity: Int) -> [EntityMappingFact] { facts.mappings(to: entity) }

  // MARK: Expressions

  /// Returns the environment in which an expression of the entity mapping is checked.
  func checking(_ place: ExpressionPlace, in mapping: EntityMappingFact) -> CheckingEnvironment {
    var environment = checking
    environment.enter(
      place, source: mapping.mapping.sourceEntityName, destination: mapping.mapping.destinationEntityName)
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
