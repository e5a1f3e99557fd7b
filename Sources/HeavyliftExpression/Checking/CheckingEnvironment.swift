import HeavyliftModel

/// The names that an expression may refer to, and the property that its value is for.
///
/// ```swift
/// var environment = CheckingEnvironment(source: version1, destination: version2)
/// environment.enter(.attribute, source: "Track", destination: "Track")
/// environment.wanted = .attribute(duration)
/// let diagnostics = ExpressionChecker(environment).check(expression).diagnostics { attribute.location(ofScalarAt: $0) }
/// ```
package struct CheckingEnvironment: Sendable {
  /// The property that the value is for.
  package enum Wanted: Hashable, Sendable {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
  }

  /// The source and the destination entity of an entity mapping.
  package struct EntityMappingSides: Hashable, Sendable {
    package var source: String?
    package var destination: String?

    /// Creates the sides; a mapping of type add has no source.
    package init(source: String?, destination: String?) {
      self.source = source
      self.destination = destination
    }
  }

  package var place: ExpressionPlace
  /// The type of `SELF`, which is also the base of bare key paths; nil if there is no such object.
  package var object: ExpressionType?
  /// The types of variables, by name without `$`.
  package var variables: [String: ExpressionType]
  /// The functions of values and of registered receivers, and the functions without a receiver.
  package var functions: FunctionRegistry
  /// The functions of the migration manager besides its standard functions, by selector; nil if unknown.
  package var managerFunctions: [String: FunctionSignature]?
  /// The functions of the entity policy, by selector; nil if unknown.
  package var policyFunctions: [String: FunctionSignature]?
  /// The entity mappings that functions may name; nil if unknown.
  package var entityMappings: [String: EntityMappingSides]? {
    didSet { entityMappingNames = entityMappings?.keys.sorted() ?? [] }
  }
  /// The property that the value is for, if any.
  package var wanted: Wanted?
  /// The filter of the source objects: keys that it requires to be non-nil count as non-nil.
  package var sourceFilter: MappingPredicate?

  let source: CheckedModel?
  let destination: CheckedModel?
  private(set) var sourceEntity: String?
  /// The keys of `entityMappings`, sorted once rather than for every mistake.
  private(set) var entityMappingNames: [String] = []

  /// Creates an environment without variables.
  package init(
    source: ManagedObjectModel? = nil, destination: ManagedObjectModel? = nil, functions: FunctionRegistry = .builtIn
  ) {
    self.init(
      indexedSource: source.map { ModelIndex($0) }, destination: destination.map { ModelIndex($0) },
      functions: functions)
  }

  /// Creates an environment without variables, for models that are already indexed.
  package init(indexedSource source: ModelIndex?, destination: ModelIndex?, functions: FunctionRegistry = .builtIn) {
    place = .fetch
    variables = [:]
    self.functions = functions
    managerFunctions = [:]
    self.source = source.map { CheckedModel(index: $0) }
    self.destination = destination.map { CheckedModel(index: $0) }
  }

  /// Declares the variables for one use of an expression in an entity mapping, replacing all earlier declarations.
  ///
  /// - Parameters:
  ///   - place: The use of the expression.
  ///   - source: The source entity; nil for a mapping of type add.
  ///   - destination: The destination entity; nil for a mapping of type remove.
  package mutating func enter(_ place: ExpressionPlace, source: String?, destination: String?) {
    self.place = place
    object = nil
    variables = [:]
    wanted = nil
    sourceEntity = source
    switch place {
    case .sourceFilter, .fetch:
      object = source.map { ExpressionType(.object(entity: $0, .source)) }
    case .sourceExpression, .attribute, .relationship:
      variables["manager"] = ExpressionType(.migrationManager)
      variables["entityMapping"] = ExpressionType(.entityMapping)
      variables["entityPolicy"] = ExpressionType(.entityPolicy)
      if place == .sourceExpression { break }
      variables["propertyMapping"] = ExpressionType(.propertyMapping)
      variables["source"] = source.map { ExpressionType(.object(entity: $0, .source)) }
      variables["destination"] = destination.map { ExpressionType(.object(entity: $0, .destination)) }
    }
  }

  /// The variables that every migration defines, including those that some expressions cannot use.
  static let migrationVariables: Set<String> = [
    "manager", "source", "destination", "entityMapping", "propertyMapping", "entityPolicy",
  ]

  func model(_ side: ExpressionType.ModelSide) -> CheckedModel? {
    side == .source ? source : destination
  }
}
