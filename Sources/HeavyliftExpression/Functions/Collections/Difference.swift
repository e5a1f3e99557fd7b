/// `a MINUS b`: the elements of the left side that are not in the right side.
enum Difference: SetOperation {
  static let setOperator = SetOperator.minus

  static func call(_ left: DistinctValues, _ right: [ExpressionValue]) -> DistinctValues {
    let taken = DistinctValues(right)
    return DistinctValues(left.elements.filter { !taken.contains($0) })
  }
}
