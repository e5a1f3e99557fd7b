/// `@distinctUnionOfArrays.key`: the distinct elements of all arrays.
enum DistinctUnionOfArrays: CollectionOperation {
  static let collectionOperator = CollectionOperator.distinctUnionOfArrays

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    .array(DistinctValues(try flattened(values, name)).elements)
  }
}
