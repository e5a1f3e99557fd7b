/// `@count`: the number of elements.
enum CountOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.count

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    .integer(Int64(values.count))
  }
}

/// `@sum.key`: the sum of numbers; 0 for an empty collection.
enum SumOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.sum

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    try Sum.total(values, of: name)
  }
}

/// `@avg.key`: the mean of numbers; 0 for an empty collection.
enum AverageOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.avg

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    try Average.mean(values, of: name)
  }
}

/// `@min.key`: the least non-nil value; nil if there is none.
enum MinimumOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.min

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    try extreme(of: values, wanted: .less, name) ?? .null
  }
}

/// `@max.key`: the greatest non-nil value; nil if there is none.
enum MaximumOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.max

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    try extreme(of: values, wanted: .greater, name) ?? .null
  }
}

/// `@unionOfObjects.key`: the non-nil values.
enum UnionOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.unionOfObjects

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    .array(values.filter { !$0.isNull })
  }
}

/// `@distinctUnionOfObjects.key`: the distinct non-nil values.
enum DistinctUnionOfObjects: CollectionOperation {
  static let collectionOperator = CollectionOperator.distinctUnionOfObjects

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    .array(DistinctValues(values.filter { !$0.isNull }).elements)
  }
}

/// `@unionOfArrays.key`: the elements of all arrays.
enum UnionOfArrays: CollectionOperation {
  static let collectionOperator = CollectionOperator.unionOfArrays

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    .array(try flattened(values, name))
  }
}

/// `@distinctUnionOfArrays.key`: the distinct elements of all arrays.
enum DistinctUnionOfArrays: CollectionOperation {
  static let collectionOperator = CollectionOperator.distinctUnionOfArrays

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    .array(DistinctValues(try flattened(values, name)).elements)
  }
}

/// `@unionOfSets.key`: a set of the elements of all sets.
enum UnionOfSets: CollectionOperation {
  static let collectionOperator = CollectionOperator.unionOfSets

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    .set(DistinctValues(try flattened(values, name)))
  }
}

/// `@distinctUnionOfSets.key`: a set of the elements of all sets.
enum DistinctUnionOfSets: CollectionOperation {
  static let collectionOperator = CollectionOperator.distinctUnionOfSets

  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue {
    .set(DistinctValues(try flattened(values, name)))
  }
}
