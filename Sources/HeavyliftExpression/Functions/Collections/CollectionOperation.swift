/// The meaning of a collection operator over the values that the keys behind it gave, nil ones included.
protocol CollectionOperation {
  static var collectionOperator: CollectionOperator { get }
  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue
}

extension CollectionOperation {
  /// What stands in messages.
  static var name: String { "@\(collectionOperator.rawValue)" }
}

extension CollectionOperator {
  /// The code behind the name. A new operator is a file like the others, and a line here.
  var implementation: any CollectionOperation.Type {
    switch self {
    case .count: CountOfObjects.self
    case .sum: SumOfObjects.self
    case .avg: AverageOfObjects.self
    case .min: MinimumOfObjects.self
    case .max: MaximumOfObjects.self
    case .unionOfObjects: UnionOfObjects.self
    case .distinctUnionOfObjects: DistinctUnionOfObjects.self
    case .unionOfArrays: UnionOfArrays.self
    case .distinctUnionOfArrays: DistinctUnionOfArrays.self
    case .unionOfSets: UnionOfSets.self
    case .distinctUnionOfSets: DistinctUnionOfSets.self
    }
  }

  /// Whether it counts the elements themselves, and no key may stand behind it.
  var takesNoKey: Bool { self == .count }
}
