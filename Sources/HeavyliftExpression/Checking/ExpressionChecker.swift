import HeavyliftModel

/// Finds mistakes in expressions before they are evaluated.
///
/// ```swift
/// var environment = CheckingEnvironment(source: library)
/// environment.object = ExpressionType(.object(entity: "Book", .source))
/// let predicate = try MappingPredicate(parsing: "tilte != nil")
/// print(ExpressionChecker(environment).check(predicate).diagnostics())
/// // error[expression.unknown-key]: entity 'Book' has no property 'tilte'
/// //   did you mean 'title'?
/// ```
package struct ExpressionChecker: Sendable {
  package var environment: CheckingEnvironment

  /// Creates a checker.
  package init(_ environment: CheckingEnvironment) { self.environment = environment }

  /// Checks an expression, and whether its value suits the property that it is for.
  package func check(_ expression: MappingExpression) -> CheckedExpression {
    var inspector = ExpressionInspector(environment)
    let facts = inspector.inspect(expression)
    if let wanted = environment.wanted { inspector.check(facts, suits: wanted) }
    return CheckedExpression(type: facts.type, findings: inspector.sortedFindings)
  }

  /// Checks a predicate.
  package func check(_ predicate: MappingPredicate) -> CheckedExpression {
    var inspector = ExpressionInspector(environment)
    inspector.inspect(predicate)
    return CheckedExpression(type: ExpressionType(.boolean), findings: inspector.sortedFindings)
  }
}
