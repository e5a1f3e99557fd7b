/// `collection[index]`: an element by its index, or a value of a dictionary by its key.
enum ElementAtIndex: BinaryFunction {
  static let function = BuiltinFunction.elementAtIndex

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    switch left {
    case .null: return .null
    case .dictionary(let values):
      guard case .string(let key) = right else {
        throw .wrongOperand(of: "[ ]", expected: "a string as the dictionary key", found: right.kind)
      }
      return values[key] ?? .null
    case .array(let elements): return try element(elements, at: right)
    case .orderedSet(let values): return try element(values.elements, at: right)
    default: throw .wrongOperand(of: "[ ]", expected: "an ordered collection or a dictionary", found: left.kind)
    }
  }

  private static func element(
    _ elements: [ExpressionValue], at index: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    guard let number = Number(index), let place = number.truncated, Number.integer(place) == number else {
      throw .wrongOperand(of: "[ ]", expected: "a whole number as the index", found: index.kind)
    }
    guard elements.indices.contains(Int(place)) else { throw .indexOutOfBounds(count: elements.count) }
    return elements[Int(place)]
  }
}

/// Returns the first argument: `indexed:by:` only hints that a store should use an index.
enum Indexed: BinaryFunction {
  static let function = BuiltinFunction.indexed

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    left
  }
}

/// An internal column of Core Data that no expression can access.
enum InverseOrderKey: UnaryFunction {
  static let function = BuiltinFunction.inverseOrderKey

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    throw .unavailableFunction(name)
  }
}

/// Returns the argument: `noindex:` only hints that a store should not use an index.
enum NoIndex: UnaryFunction {
  static let function = BuiltinFunction.noIndex

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue { operand }
}
