/// The types of a function's arguments and of its result, for checking expressions that call the function.
///
/// ```swift
/// environment.managerFunctions = ["dateFromNumericRepresentation:": FunctionSignature((Double.self), Date.self)]
/// ```
public struct FunctionSignature: Hashable, Sendable {
  /// The types of the arguments; empty if they are unknown.
  var argumentTypes: [ExpressionType] = []
  var resultType = ExpressionType.unknown

  /// An unknown signature, which accepts any arguments.
  public static let unknown = FunctionSignature()

  private init() {}

  /// Creates the signature of a Swift function from its parameter types and its result type.
  public init<each Argument: ExpressionConvertible, Result: ExpressionConvertible>(
    _ arguments: (repeat (each Argument).Type), _ result: Result.Type
  ) {
    for type in repeat each arguments { argumentTypes.append(ExpressionType(swift: type)) }
    resultType = ExpressionType(swift: result)
  }
}
