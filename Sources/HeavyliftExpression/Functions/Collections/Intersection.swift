/// `a INTERSECT b`: the elements in both sides.
enum Intersection: SetOperation {
  static let setOperator = SetOperator.intersect

  static func call(_ left: DistinctValues, _ right: [ExpressionValue]) -> DistinctValues {
    DistinctValues(left.elements.filter(DistinctValues(right).contains))
  }
}
