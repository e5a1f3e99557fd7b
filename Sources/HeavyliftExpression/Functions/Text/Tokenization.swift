/// The nonempty parts of a string between any of the separator characters.
enum Tokenization: BinaryFunction {
  static let function = BuiltinFunction.tokenize

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    if left.isNull || right.isNull { return .null }
    guard case .string(let text) = left, case .string(let separators) = right else {
      let wrong = if case .string = left { right } else { left }
      throw .wrongOperand(of: name, expected: "strings", found: wrong.kind)
    }
    let characters = Set(separators)
    return .array(text.split { characters.contains($0) }.map { .string(String($0)) })
  }
}
