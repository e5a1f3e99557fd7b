import HeavyliftExpression

/// The policies, functions and store facts that a check needs besides the mapping.
///
/// ```swift
/// var environment = MappingCheckEnvironment()
/// environment.policies = ["TrackPolicy": ["minutesOfSeconds:": FunctionSignature((Double.self), Double.self)]]
/// let diagnostics = complete.check(environment)
/// ```
package struct MappingCheckEnvironment: Sendable {
  /// The functions of each registered entity migration policy, by class name and selector; nil if unknown.
  package var policies: [String: [String: FunctionSignature]]?
  /// The functions of the migration manager besides its standard ones, by selector; nil if unknown.
  package var managerFunctions: [String: FunctionSignature]?
  /// Functions that are called on values, and functions without a receiver.
  package var functions: FunctionRegistry
  /// The number of objects of each source entity in the store, not counting sub-entities; nil if no store is known.
  ///
  /// Xcode's mapping models run as in Core Data: a mistake that only matters if certain objects exist is a warning, or
  /// an error if the store has them.
  package var objectCounts: [String: Int]?
  /// The highest number of targets that an object in the store has in each to-many relationship, by source entity and
  /// relationship name; nil if unknown.
  package var mostTargets: [String: [String: Int]]?
  /// The file name for messages about a mapping without locations.
  package var file: String?

  /// Creates an environment; by default, policies and their functions are unknown.
  package init(
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
