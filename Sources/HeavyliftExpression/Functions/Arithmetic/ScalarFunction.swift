/// A function of two arguments that has a short way for scalars.
///
/// It is taken before any value is made. Where it gives `other`, be it for the kinds of the operands or because the result
/// would be a mistake, `call` decides: what a function means is told there, and the short way only repeats it.
protocol ScalarFunction: BinaryFunction {
  static func callScalar(_ left: ExpressionScalar, _ right: ExpressionScalar) -> ExpressionScalar
}

extension ScalarFunction {
  /// Calculates with numbers as `NumericOperands` does.
  ///
  /// - Parameter integers: Says that it overflows for whatever is a mistake, division by zero among it.
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
