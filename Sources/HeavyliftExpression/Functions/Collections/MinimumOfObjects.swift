/// `@min.key`: the least value; of none it is nil.
enum MinimumOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.min

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    try extreme(of: values, wanted: .less, name) ?? .null
  }
}
