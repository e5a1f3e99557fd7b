/// What an expression may refer to, told before there are values: it is compiled for this.
///
/// ```swift
/// var environment = EvaluationEnvironment(variables: ["manager", "entityPolicy"])
/// environment.declare("source", shape: bookShape)
/// ```
public struct EvaluationEnvironment: Sendable {
  struct Variable: Sendable {
    var name: String
    var shape: (any ExpressionObjectShape)?
  }

  private(set) var variables: [Variable] = []
  /// What is known about the objects that `SELF` will be.
  public var shape: (any ExpressionObjectShape)?
  /// The functions that `FUNCTION` may call.
  public var functions: FunctionRegistry

  /// Creates an environment.
  public init(
    variables: [String] = [], shape: (any ExpressionObjectShape)? = nil, functions: FunctionRegistry = .builtIn
  ) {
    self.variables = variables.map { Variable(name: $0) }
    self.shape = shape
    self.functions = functions
  }

  /// Adds a variable, or tells what objects a variable will hold.
  ///
  /// - Returns: the number under which an `EvaluationContext` takes its value.
  @discardableResult
  public mutating func declare(_ name: String, shape: (any ExpressionObjectShape)? = nil) -> Int {
    let slot = self.slot(of: name) ?? variables.count
    if slot == variables.count { variables.append(Variable(name: name)) }
    variables[slot].shape = shape
    return slot
  }

  /// The number under which an `EvaluationContext` takes the variable's value.
  public func slot(of name: String) -> Int? { variables.firstIndex { $0.name == name } }
}
