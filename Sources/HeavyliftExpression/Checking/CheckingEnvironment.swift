public import HeavyliftModel

/// What an expression may refer to, and what it is for: what a checker must know besides the expression.
///
/// ```swift
/// var environment = CheckingEnvironment(source: version1, destination: version2)
/// environment.enter(.attribute, source: "Track", destination: "Track", policy: "TrackPolicy")
/// environment.wanted = .attribute(duration)
/// let diagnostics = ExpressionChecker(environment).check(expression).diagnostics { attribute.location(ofScalarAt: $0) }
/// ```
public struct CheckingEnvironment: Sendable {
  /// The property that the value is for.
  public enum Wanted: Hashable, Sendable {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
  }

  /// The entities that an entity mapping leads from and to.
  public struct EntityMappingSides: Hashable, Sendable {
    public var source: String?
    public var destination: String?

    /// Creates the sides; a mapping that adds has no source.
    public init(source: String?, destination: String?) {
      self.source = source
      self.destination = destination
    }
  }

  public var occasion: ExpressionOccasion
  /// What `SELF` is, and bare key paths belong to; nil where there is no such object.
  public var object: ExpressionType?
  /// What variables hold, by their names without `$`.
  public var variables: [String: ExpressionType]
  /// Functions of values, of whatever else is registered, and those without a receiver.
  public var functions: FunctionRegistry
  /// The selectors of the migration manager besides those that it always has; nil if they are not known.
  public var managerSelectors: Set<String>?
  /// The selectors of the entity policy; nil if they are not known.
  public var policySelectors: Set<String>?
  /// The entity mappings that functions may name; nil if they are not known.
  public var entityMappings: [String: EntityMappingSides]? {
    didSet { entityMappingNames = entityMappings?.keys.sorted() ?? [] }
  }
  /// The property that the value is for, if it is for one.
  public var wanted: Wanted?
  /// Which objects are mapped: what it says not to be nil is not.
  public var sourceFilter: MappingPredicate?

  let source: CheckedModel?
  let destination: CheckedModel?
  private(set) var sourceEntity: String?
  /// In order; sorted once, and not for each mistake.
  private(set) var entityMappingNames: [String] = []

  /// Creates an environment without variables.
  public init(
    source: ManagedObjectModel? = nil, destination: ManagedObjectModel? = nil, functions: FunctionRegistry = .builtIn
  ) {
    self.init(
      indexedSource: source.map { ModelIndex($0) }, destination: destination.map { ModelIndex($0) },
      functions: functions)
  }

  /// Creates an environment without variables, for models that were made ready before.
  package init(indexedSource source: ModelIndex?, destination: ModelIndex?, functions: FunctionRegistry = .builtIn) {
    occasion = .fetch
    variables = [:]
    self.functions = functions
    managerSelectors = []
    self.source = source.map { CheckedModel(index: $0) }
    self.destination = destination.map { CheckedModel(index: $0) }
  }

  /// Declares what there is on an occasion of an entity mapping; whatever was declared before is forgotten.
  ///
  /// - Parameters:
  ///   - occasion: what the expression is for.
  ///   - source: the source entity; nil for a mapping that adds.
  ///   - destination: the destination entity; nil for a mapping that removes.
  public mutating func enter(_ occasion: ExpressionOccasion, source: String?, destination: String?) {
    self.occasion = occasion
    object = nil
    variables = [:]
    wanted = nil
    sourceEntity = source
    switch occasion {
    case .sourceFilter, .fetch:
      object = source.map { ExpressionType(.object(entity: $0, .source)) }
    case .sourceExpression, .attribute, .relationship:
      variables["manager"] = ExpressionType(.migrationManager)
      variables["entityMapping"] = ExpressionType(.entityMapping)
      variables["entityPolicy"] = ExpressionType(.entityPolicy)
      if occasion == .sourceExpression { break }
      variables["propertyMapping"] = ExpressionType(.propertyMapping)
      variables["source"] = source.map { ExpressionType(.object(entity: $0, .source)) }
      variables["destination"] = destination.map { ExpressionType(.object(entity: $0, .destination)) }
    }
  }

  /// What every migration knows, whether or not it is there on an occasion.
  static let migrationVariables: Set<String> = [
    "manager", "source", "destination", "entityMapping", "propertyMapping", "entityPolicy",
  ]

  func model(_ side: ExpressionType.ModelSide) -> CheckedModel? {
    side == .source ? source : destination
  }
}
