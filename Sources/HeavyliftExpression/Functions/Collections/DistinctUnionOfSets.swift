/// `@distinctUnionOfSets.key`: a set of the elements of all sets.
enum DistinctUnionOfSets: CollectionOperation {
  static let collectionOperator = CollectionOperator.distinctUnionOfSets

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    .set(DistinctValues(try flattened(values, name)))
  }
}
