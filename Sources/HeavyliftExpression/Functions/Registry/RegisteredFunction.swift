/// A function that `FUNCTION` calls, with its types taken away.
struct RegisteredFunction: Sendable {
  var selector: String
  /// What the receiver must be, for messages.
  var receiverKind: String
  /// Whether the receiver is an object: a policy, a manager. No other value stands for one before anything is read.
  var isOfObject = false
  var argumentTypes: [ExpressionType] = []
  var resultType = ExpressionType.unknown
  var accepts: @Sendable (ExpressionValue) -> Bool
  var call: @Sendable (ExpressionValue, [ExpressionValue]) throws -> ExpressionValue
}

/// Takes the arguments of a call one after the other, each as the type that the function wants.
package struct ArgumentReader {
  private let selector: String
  private let arguments: [ExpressionValue]
  private var place = 0

  package init(_ selector: String, _ arguments: [ExpressionValue]) {
    self.selector = selector
    self.arguments = arguments
  }

  package mutating func next<Argument: ExpressionConvertible>(
    _ type: Argument.Type
  ) throws(EvaluationMistake) -> Argument {
    defer { place += 1 }
    guard let argument = Argument(expressionValue: arguments[place]) else {
      throw .wrongArgument(place + 1, of: selector, expected: type.expressionKind, found: arguments[place].kind)
    }
    return argument
  }
}
