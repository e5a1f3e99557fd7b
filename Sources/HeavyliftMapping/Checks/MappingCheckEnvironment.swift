public import HeavyliftExpression

/// What a program brings to a migration besides the mapping: what a check must know to find names that nobody has.
///
/// ```swift
/// var environment = MappingCheckEnvironment()
/// environment.policies = ["TrackPolicy": ["dateFromNumericRepresentation:"]]
/// let diagnostics = complete.check(environment)
/// ```
public struct MappingCheckEnvironment: Sendable {
  /// The registered classes of entity migration policies, and the selectors of their functions; nil if they are not known.
  public var policies: [String: Set<String>]?
  /// The selectors of the migration manager besides those that it always has; nil if they are not known.
  public var managerSelectors: Set<String>?
  /// Functions of values, and those without a receiver.
  public var functions: FunctionRegistry
  /// How many objects of each source entity the store has, sub-entities not included; nil if no store is known.
  ///
  /// Xcode's mapping models run as Core Data runs them: a mistake that only shows with objects is a warning, and an error for
  /// a store that has them.
  public var objectCounts: [String: Int]?
  /// The most targets that an object of the store has in each to-many relationship, by source entity and name; nil if that
  /// is not known.
  public var mostTargets: [String: [String: Int]]?
  /// What messages call the file of a mapping that does not know its places.
  public var file: String?

  /// Creates an environment; without arguments nothing is known of policies and of what they bring.
  public init(
    policies: [String: Set<String>]? = nil, managerSelectors: Set<String>? = nil,
    functions: FunctionRegistry = .builtIn, objectCounts: [String: Int]? = nil,
    mostTargets: [String: [String: Int]]? = nil, file: String? = nil
  ) {
    self.policies = policies
    self.managerSelectors = managerSelectors
    self.functions = functions
    self.objectCounts = objectCounts
    self.mostTargets = mostTargets
    self.file = file
  }
}
