import HeavyliftExpression

/// Finds expressions that have a value only while a migration runs.
enum Recomputability {
  /// Returns the reason why an expression cannot be evaluated again; `nil` if it can.
  static func obstacle(in expression: MappingExpression) -> String? {
    var found: String?
    expression.visit { found = found ?? ownObstacle(in: $0) }
    return found
  }

  private static func ownObstacle(in expression: MappingExpression) -> String? {
    switch expression.kind {
    case .function(let function, _) where ["now", "random", "randomn"].contains(function.rawValue.prefix { $0 != ":" }):
      "its value differs every time"
    case .call(_, _, let arguments), .otherFunction(_, let arguments):
      arguments.contains(where: isRunning) ? "it passes the running migration to a function" : nil
    default: nil
    }
  }

  /// True for values that only a running migration provides: its manager, and a policy with its state.
  private static func isRunning(_ argument: MappingExpression) -> Bool {
    if case .variable(let name) = argument.kind { return ["manager", "entityPolicy"].contains(name) }
    return false
  }
}
