/// `@unionOfSets.key`: a set of the elements of all sets.
enum UnionOfSets: CollectionOperation {
  static let collectionOperator = CollectionOperator.unionOfSets

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    .set(DistinctValues(try flattened(values, name)))
  }
}
