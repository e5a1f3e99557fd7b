/// All numbers that occur most often in a collection, as an array.
enum Mode: UnaryFunction {
  static let function = BuiltinFunction.mode

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let elements = try collected(operand, name) else { return .null }
    var occurrences: [Number: Int] = [:]
    var distinct: [Number] = []
    for number in try numbers(in: elements, of: name) {
      if occurrences[number] == nil { distinct.append(number) }
      occurrences[number, default: 0] += 1
    }
    let most = occurrences.values.max()
    return .array(distinct.filter { occurrences[$0] == most }.map(\.value))
  }
}
