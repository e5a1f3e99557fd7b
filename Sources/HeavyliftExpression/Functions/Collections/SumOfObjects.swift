/// `@sum.key`: the sum of numbers; 0 for an empty collection.
enum SumOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.sum

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    try Sum.total(values, of: name)
  }
}
