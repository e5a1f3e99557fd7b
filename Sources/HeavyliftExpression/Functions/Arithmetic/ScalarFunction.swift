/// A function of two arguments with a fast path for scalars.
///
/// The fast path runs before any `ExpressionValue` is created. It returns `other` if it does not handle the operands'
/// kinds or if the result would be an error. In that case, `call` is used, which defines all results of the function.
protocol ScalarFunction: BinaryFunction {
  static func callScalar(_ left: ExpressionScalar, _ right: ExpressionScalar) -> ExpressionScalar
}

extension ScalarFunction {
  /// Calculates with numbers, converting them as `NumericOperands` does.
  ///
  /// - Parameter integers: The operation on integers, which sets the overflow flag for every error, including division
  ///   by zero.
  @inline(__always)
  static func combine(
    _ left: ExpressionScalar, _ right: ExpressionScalar,
    integers: (Int64, Int64) -> (partialValue: Int64, overflow: Bool), doubles: (Double, Double) -> Double
  ) -> ExpressionScalar {
    switch (left, right) {
    case (.integer(let left), .integer(let right)):
      let result = integers(left, right)
      return result.overflow ? .other : .integer(result.partialValue)
    case (.double(let left), .double(let right)): return .double(doubles(left, right))
    case (.integer(let left), .double(let right)): return .double(doubles(Double(left), right))
    case (.double(let left), .integer(let right)): return .double(doubles(left, Double(right)))
    case (.null, .null), (.null, .integer), (.null, .double), (.integer, .null), (.double, .null): return .null
    default: return .other
    }
  }
}
