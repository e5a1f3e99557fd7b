/// `@distinctUnionOfObjects.key`: the distinct non-nil values.
enum DistinctUnionOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.distinctUnionOfObjects

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    .array(DistinctValues(values.filter { !$0.isNull }).elements)
  }
}
