/// `@max.key`: the greatest non-nil value; nil if there is none.
enum MaximumOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.max

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    try extreme(of: values, wanted: .greater, name) ?? .null
  }
}
