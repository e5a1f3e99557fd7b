/// `@avg.key`: the mean of numbers; 0 for an empty collection.
enum AverageOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.avg

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    try Average.mean(values, of: name)
  }
}
