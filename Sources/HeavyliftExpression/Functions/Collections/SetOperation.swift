/// The implementation of a set operator on two collections.
protocol SetOperation {
  static var setOperator: SetOperator { get }
  static func call(_ left: DistinctValues, _ right: [ExpressionValue]) -> DistinctValues
}

extension SetOperator {
  /// The implementation of the operator. To add an operator, add a file and a line here.
  private var implementation: any SetOperation.Type {
    switch self {
    case .union: Union.self
    case .intersect: Intersection.self
    case .minus: Difference.self
    }
  }

  /// Returns an ordered set if the left side is one, otherwise a set; nil if a side is nil.
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

/// `a UNION b`: the elements in either side.
enum Union: SetOperation {
  static let setOperator = SetOperator.union

  static func call(_ left: DistinctValues, _ right: [ExpressionValue]) -> DistinctValues {
    DistinctValues(left.elements + right)
  }
}

/// `a INTERSECT b`: the elements in both sides.
enum Intersection: SetOperation {
  static let setOperator = SetOperator.intersect

  static func call(_ left: DistinctValues, _ right: [ExpressionValue]) -> DistinctValues {
    DistinctValues(left.elements.filter(DistinctValues(right).contains))
  }
}

/// `a MINUS b`: the elements of the left side that are not in the right side.
enum Difference: SetOperation {
  static let setOperator = SetOperator.minus

  static func call(_ left: DistinctValues, _ right: [ExpressionValue]) -> DistinctValues {
    let taken = DistinctValues(right)
    return DistinctValues(left.elements.filter { !taken.contains($0) })
  }
}
