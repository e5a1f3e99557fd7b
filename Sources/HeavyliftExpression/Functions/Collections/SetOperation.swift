/// The meaning of a set operator between two collections.
protocol SetOperation {
  static var setOperator: SetOperator { get }
  static func call(_ left: DistinctValues, _ right: [ExpressionValue]) -> DistinctValues
}

extension SetOperator {
  /// The code behind the word. A new operator is a file like the others, and a line here.
  private var implementation: any SetOperation.Type {
    switch self {
    case .union: Union.self
    case .intersect: Intersection.self
    case .minus: Difference.self
    }
  }

  /// An ordered set where the left side is one, otherwise a set; nil where a side is nil.
  func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    if left.isNull || right.isNull { return .null }
    guard let others = right.elements else {
      throw .wrongOperand(of: rawValue, expected: "collections", found: right.kind)
    }
    switch left {
    case .set(let values): return .set(implementation.call(values, others))
    case .orderedSet(let values): return .orderedSet(implementation.call(values, others))
    case .array(let elements): return .set(implementation.call(DistinctValues(elements), others))
    default: throw .wrongOperand(of: rawValue, expected: "collections", found: left.kind)
    }
  }
}
