import HeavyliftExpression

/// Why an expression has a value only while a migration runs.
enum Recomputability {
  /// A reason, or nil if the expression can be evaluated again.
  static func obstacle(in expression: MappingExpression) -> String? {
    var found: String?
    func note(_ reason: String) { found = found ?? reason }
    switch expression.kind {
    case .function(let function, _) where ["now", "random", "randomn"].contains(function.rawValue.prefix { $0 != ":" }):
      note("its value is another one every time")
    case .call(_, _, let arguments), .otherFunction(_, let arguments):
      if arguments.contains(where: isRunning) { note("it hands the running migration to a function") }
    default: break
    }
    _ = expression.kind.mapExpressions {
      if let reason = obstacle(in: $0) { note(reason) }
      return $0
    } predicates: {
      if let reason = obstacle(in: $0) { note(reason) }
      return $0
    }
    return found
  }

  private static func obstacle(in predicate: MappingPredicate) -> String? {
    var found: String?
    _ = predicate.kind.mapExpressions {
      found = found ?? obstacle(in: $0)
      return $0
    } predicates: {
      found = found ?? obstacle(in: $0)
      return $0
    }
    return found
  }

  /// What only a migration can give: its manager, and a policy that remembers what it did.
  private static func isRunning(_ argument: MappingExpression) -> Bool {
    if case .variable(let name) = argument.kind { return ["manager", "entityPolicy"].contains(name) }
    return false
  }
}
