/// A comparison by equality or order, with a fast path for scalars.
///
/// The fast path runs before any `ExpressionValue` is created. If it returns nil, the values are created and compared.
protocol ScalarComparison: ComparisonOperator {
  /// Returns true if the comparison holds for two non-nil values with the given order.
  static func holds(_ order: ValueOrder) -> Bool
  /// True if the comparison holds for two nils.
  static var holdsForNils: Bool { get }
  /// True if the comparison holds for nil and a value.
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
