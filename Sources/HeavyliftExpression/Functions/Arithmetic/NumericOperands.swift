import Foundation

/// Two numbers converted to the same kind: an integer and a decimal become decimals; if either is a double, both become
/// doubles.
enum NumericOperands {
  case integers(Int64, Int64)
  case decimals(Decimal, Decimal)
  case doubles(Double, Double)

  init(_ left: Number, _ right: Number) {
    self =
      switch (left, right) {
      case (.integer(let left), .integer(let right)): .integers(left, right)
      case (.decimal(let left), .decimal(let right)): .decimals(left, right)
      case (.integer(let left), .decimal(let right)): .decimals(Decimal(left), right)
      case (.decimal(let left), .integer(let right)): .decimals(left, Decimal(right))
      default: .doubles(left.double, right.double)
      }
  }

  /// Returns `nil` if an operand is nil, which makes the result nil.
  init?(
    _ left: ExpressionValue, _ right: ExpressionValue, of operation: String
  ) throws(EvaluationMistake) {
    if left.isNull || right.isNull { return nil }
    guard let first = Number(left) else {
      throw .wrongOperand(of: operation, expected: "numbers", found: left.kind)
    }
    guard let second = Number(right) else {
      throw .wrongOperand(of: operation, expected: "numbers", found: right.kind)
    }
    self.init(first, second)
  }
}

/// Returns the sum, difference, product or quotient of decimals, as `NSDecimalNumber` does; the result is NaN if an
/// operand is NaN.
func calculate(
  _ left: Decimal, _ right: Decimal, of operation: String,
  with function: (
    UnsafeMutablePointer<Decimal>, UnsafePointer<Decimal>, UnsafePointer<Decimal>, NSDecimalNumber.RoundingMode
  ) -> NSDecimalNumber.CalculationError
) throws(EvaluationMistake) -> ExpressionValue {
  if left.isNaN || right.isNaN { return .decimal(.nan) }
  var (result, left, right) = (Decimal(), left, right)
  switch function(&result, &left, &right, .plain) {
  case .noError, .lossOfPrecision: return .decimal(result)
  // A result too small for a decimal is 0, as for a double.
  case .underflow: return .decimal(0)
  case .divideByZero: throw .divisionByZero(operation)
  case .overflow: throw .overflow(operation)
  @unknown default: throw .overflow(operation)
  }
}

/// Returns the result of integer arithmetic, or throws if 64 bits cannot hold it.
func checked(
  _ result: (partialValue: Int64, overflow: Bool), of operation: String
) throws(EvaluationMistake) -> ExpressionValue {
  if result.overflow { throw .overflow(operation) }
  return .integer(result.partialValue)
}
