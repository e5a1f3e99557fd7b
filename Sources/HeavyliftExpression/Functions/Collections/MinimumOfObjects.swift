/// `@min.key`: the least value; nil for an empty collection.
enum MinimumOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.min

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    try extreme(of: values, wanted: .less, name) ?? .null
  }
}
