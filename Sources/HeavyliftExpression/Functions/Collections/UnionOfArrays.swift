/// `@unionOfArrays.key`: the elements of all arrays.
enum UnionOfArrays: CollectionOperation {
  static let collectionOperator = CollectionOperator.unionOfArrays

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    .array(try flattened(values, name))
  }
}
