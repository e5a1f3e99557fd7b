/// `@min.key`: the least non-nil value; nil if there is none.
enum MinimumOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.min

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    try extreme(of: values, wanted: .less, name) ?? .null
  }
}
