/// `@max.key`: the greatest value; of none it is nil.
enum MaximumOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.max

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    try extreme(of: values, wanted: .greater, name) ?? .null
  }
}
