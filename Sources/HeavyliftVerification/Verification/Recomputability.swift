import HeavyliftExpression

/// Why an expression has a value only while a migration runs.
enum Recomputability {
  /// A reason, or nil if the expression can be evaluated again.
  static func obstacle(in expression: MappingExpression) -> String? {
    var found: String?
    expression.visit { found = found ?? ownObstacle(in: $0) }
    return found
  }

  private static func ownObstacle(in expression: MappingExpression) -> String? {
    switch expression.kind {
    case .function(let function, _) where ["now", "random", "randomn"].contains(function.rawValue.prefix { $0 != ":" }):
      "its value is different every time"
    case .call(_, _, let arguments), .otherFunction(_, let arguments):
      arguments.contains(where: isRunning) ? "it passes the running migration to a function" : nil
    default: nil
    }
  }

  /// Values that only a migration provides: its manager, and a policy that remembers what it did.
  private static func isRunning(_ argument: MappingExpression) -> Bool {
    if case .variable(let name) = argument.kind { return ["manager", "entityPolicy"].contains(name) }
    return false
  }
}
