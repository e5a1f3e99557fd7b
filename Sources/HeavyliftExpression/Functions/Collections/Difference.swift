/// `a MINUS b`: what the left side has and the right has not.
enum Difference: SetOperation {
  static let setOperator = SetOperator.minus

  static func call(_ left: DistinctValues, _ right: [ExpressionValue]) -> DistinctValues {
    let taken = DistinctValues(right)
    return DistinctValues(left.elements.filter { !taken.contains($0) })
  }
}
