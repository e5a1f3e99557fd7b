/// `@sum.key`: the sum of numbers; of none it is 0.
enum SumOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.sum

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    try Sum.total(values, of: name)
  }
}
