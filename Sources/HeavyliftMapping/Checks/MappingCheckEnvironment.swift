public import HeavyliftExpression

/// The policies, functions and store facts that a check needs besides the mapping.
///
/// ```swift
/// var environment = MappingCheckEnvironment()
/// environment.policies = ["TrackPolicy": ["minutesOfSeconds:": FunctionSignature((Double.self), Double.self)]]
/// let diagnostics = complete.check(environment)
/// ```
public struct MappingCheckEnvironment: Sendable {
  /// The functions of each registered entity migration policy, by class name and selector; nil if unknown.
  public var policies: [String: [String: FunctionSignature]]?
  /// The functions of the migration manager besides its standard ones, by selector; nil if unknown.
  public var managerFunctions: [String: FunctionSignature]?
  /// Functions that are called on values, and functions without a receiver.
  public var functions: FunctionRegistry
  /// The number of objects of each source entity in the store, not counting sub-entities; nil if no store is known.
  ///
  /// Xcode's mapping models run as in Core Data: a mistake that only matters if certain objects exist is a warning, or
  /// an error if the store has them.
  public var objectCounts: [String: Int]?
  /// The highest number of targets that an object in the store has in each to-many relationship, by source entity and
  /// relationship name; nil if unknown.
  public var mostTargets: [String: [String: Int]]?
  /// The file name for messages about a mapping without locations.
  public var file: String?

  /// Creates an environment; by default, policies and their functions are unknown.
  public init(
    policies: [String: [String: FunctionSignature]]? = nil, managerFunctions: [String: FunctionSignature]? = nil,
    functions: FunctionRegistry = .builtIn, objectCounts: [String: Int]? = nil,
    mostTargets: [String: [String: Int]]? = nil, file: String? = nil
  ) {
    self.policies = policies
    self.managerFunctions = managerFunctions
    self.functions = functions
    self.objectCounts = objectCounts
    self.mostTargets = mostTargets
    self.file = file
  }
}
