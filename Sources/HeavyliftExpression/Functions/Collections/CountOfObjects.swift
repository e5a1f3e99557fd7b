/// `@count`: the number of elements.
enum CountOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.count

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    .integer(Int64(values.count))
  }
}
