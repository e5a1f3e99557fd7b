/// `@unionOfObjects.key`: the non-nil values.
enum UnionOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.unionOfObjects

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    .array(values.filter { !$0.isNull })
  }
}
