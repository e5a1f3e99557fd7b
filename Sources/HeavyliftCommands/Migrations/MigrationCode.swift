public import Heavylift

/// The Swift code that a program brings to its migrations: policies, and functions that expressions call.
///
/// ```swift
/// var tool = CommandLineTool.heavylift
/// tool.code = MigrationCode(
///   policies: PolicyRegistry(ArtistsFromJSON.self),
///   functions: ["dateFromNumericRepresentation:": MigrationFunction { (seconds: Double) in
///     Date(timeIntervalSince1970: seconds)
///   }])
/// ```
public struct MigrationCode {
  /// Where policies are found that mappings name.
  public var policies: PolicyRegistry
  /// What `FUNCTION($manager, "selector:", …)` may call, by selector.
  public var functions: [String: MigrationFunction]

  /// Creates what a program has; without arguments it has nothing.
  public init(policies: PolicyRegistry = PolicyRegistry(), functions: [String: MigrationFunction] = [:]) {
    self.policies = policies
    self.functions = functions
  }

  /// Whether nothing is registered: then it is not known what a mapping may name.
  public var isEmpty: Bool { policies.names.isEmpty && functions.isEmpty }

  /// What is told of a mapping that names what is not registered.
  static let diagnosticCodes: Set<String> = ["mapping.unknown-policy", "expression.unknown-function"]

  /// What carries out hops with it.
  var execution: MappingHopExecution {
    MappingHopExecution(policies: policies) { [functions] manager, _ in manager.functions = functions }
  }

  /// What a check of a mapping must know.
  ///
  /// - Parameter isComplete: Whether what is not registered does not exist.
  func checkEnvironment(
    for mapping: MappingModel, file: String?, isComplete: Bool
  ) -> MappingCheckEnvironment {
    guard isComplete else { return MappingCheckEnvironment(file: file) }
    var selectors = policies.selectors
    // A class may go by another module in a file.
    for name in mapping.entityMappings.compactMap(\.policyClassName) {
      selectors[name] = policies.selectors(ofPolicyNamed: name)
    }
    return MappingCheckEnvironment(policies: selectors, managerSelectors: Set(functions.keys), file: file)
  }
}
