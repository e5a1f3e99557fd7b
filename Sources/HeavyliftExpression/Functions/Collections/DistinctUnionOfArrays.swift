/// `@distinctUnionOfArrays.key`: the elements of all arrays, each once.
enum DistinctUnionOfArrays: CollectionOperation {
  static let collectionOperator = CollectionOperator.distinctUnionOfArrays

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    .array(DistinctValues(try flattened(values, name)).elements)
  }
}
