/// A type-erased function for `FUNCTION`.
struct RegisteredFunction: Sendable {
  var selector: String
  /// The kind of receiver that the function requires, for messages.
  var receiverKind: String
  /// True if the receiver is an object such as a policy or a manager, for which there is no sample value.
  var isOfObject = false
  var signature = FunctionSignature.unknown
  var accepts: @Sendable (ExpressionValue) -> Bool
  var call: @Sendable (ExpressionValue, [ExpressionValue]) throws -> ExpressionValue
}

/// Reads the arguments of a call in order, converting each to the type that the function expects.
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
