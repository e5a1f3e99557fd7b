/// The implementation of a collection operator. It receives each element's value for the keys after the operator,
/// including nil.
protocol CollectionOperation {
  static var collectionOperator: CollectionOperator { get }
  static func call(_ values: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue
}

extension CollectionOperation {
  /// The name in messages.
  static var name: String { "@\(collectionOperator.rawValue)" }
}

extension CollectionOperator {
  /// The implementation of the operator. To add an operator, add a file and a line here.
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

  /// True if the operator counts the elements themselves, so that no key may follow it.
  var takesNoKey: Bool { self == .count }
}

/// Returns the elements of several collections, one collection after the other, skipping nil.
func flattened(
  _ values: [ExpressionValue], _ name: String
) throws(EvaluationMistake) -> [ExpressionValue] {
  var flat: [ExpressionValue] = []
  for value in values where !value.isNull {
    guard let elements = value.elements else {
      throw .wrongOperand(of: name, expected: "collections", found: value.kind)
    }
    flat += elements
  }
  return flat
}
