/// `a UNION b`: the elements in either side.
enum Union: SetOperation {
  static let setOperator = SetOperator.union

  static func call(_ left: DistinctValues, _ right: [ExpressionValue]) -> DistinctValues {
    DistinctValues(left.elements + right)
  }
}
