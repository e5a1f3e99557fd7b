/// `@avg.key`: the mean of numbers; of none it is 0.
enum AverageOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.avg

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    try Average.mean(values, of: name)
  }
}
