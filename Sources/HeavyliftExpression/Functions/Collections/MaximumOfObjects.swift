/// `@max.key`: the greatest value; nil for an empty collection.
enum MaximumOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.max

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    try extreme(of: values, wanted: .greater, name) ?? .null
  }
}
