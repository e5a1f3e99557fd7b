/// `@unionOfObjects.key`: the values that are not nil.
enum UnionOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.unionOfObjects

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    .array(values.filter { !$0.isNull })
  }
}
