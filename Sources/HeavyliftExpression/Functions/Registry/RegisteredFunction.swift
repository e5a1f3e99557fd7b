/// A function for `FUNCTION` whose arguments are already given.
typealias PreparedFunction = @Sendable (ExpressionValue) throws -> ExpressionValue

/// A type-erased function for `FUNCTION`.
struct RegisteredFunction: Sendable {
  var selector: String
  /// The kind of receiver that the function requires, for messages.
  var receiverKind: String
  /// True if the receiver is an object such as a policy or a manager, for which there is no sample value.
  var isOfObject = false
  var signature = FunctionSignature.unknown
  /// True for a function of `FunctionRegistry.builtIn`, whose result depends on nothing but its arguments.
  var isBuiltIn = false
  /// Does the work that depends only on the arguments, and returns the function of the receiver; nil if there is no such
  /// work.
  var prepare: (@Sendable ([ExpressionValue]) throws -> PreparedFunction)?
  /// Checks the value of a constant argument, given its index.
  var checkArgument: (@Sendable (Int, ExpressionValue) throws(EvaluationMistake) -> Void)?
  var accepts: @Sendable (ExpressionValue) -> Bool
  var call: @Sendable (ExpressionValue, [ExpressionValue]) throws -> ExpressionValue
}

extension RegisteredFunction {
  /// Returns the function with the work done that depends only on the arguments. If that fails, so does every call.
  func prepared(for arguments: [ExpressionValue]) -> RegisteredFunction {
    guard let prepared = try? prepare?(arguments) else { return self }
    var copy = self
    copy.call = { receiver, _ in try prepared(receiver) }
    return copy
  }
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
