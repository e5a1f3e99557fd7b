/// A comparison that depends on how its sides stand to each other, and has a short way for scalars.
///
/// The short way is taken before any value is made. Where it gives nil, `holds` of values decides.
protocol ScalarComparison: ComparisonOperator {
  /// Whether it holds for two values that are not nil and have an order.
  static func holds(_ order: ValueOrder) -> Bool
  /// Whether it holds for nil and nil.
  static var holdsForNils: Bool { get }
  /// Whether it holds for nil and a value.
  static var holdsForNilAndValue: Bool { get }
}

extension ScalarComparison {
  @inline(__always)
  static func holds(_ left: ExpressionScalar, _ right: ExpressionScalar) -> Bool? {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): holds(ValueOrder(left, right))
    case (.other, _), (_, .other): nil
    case (.null, .null): holdsForNils
    case (.null, _), (_, .null): holdsForNilAndValue
    default: holdsForNumbers(left, right)
    }
  }

  @inline(never)
  private static func holdsForNumbers(_ left: ExpressionScalar, _ right: ExpressionScalar) -> Bool? {
    guard let left = Number(left), let right = Number(right) else { return nil }
    return holds(left.order(to: right))
  }
}
