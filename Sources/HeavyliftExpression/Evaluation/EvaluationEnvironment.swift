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

  /// The number under which an `EvaluationContext` takes `SELF`.
  @usableFromInline static let objectSlot = 0

  static func slot(at place: Int) -> Int { objectSlot + 1 + place }

  /// What most keys are asked of: `SELF`, or the first variable that will hold objects of a known shape.
  var subjectSlot: Int {
    let isObject: (Variable) -> Bool = { $0.shape != nil }
    guard shape == nil, let place = variables.firstIndex(where: isObject) else { return Self.objectSlot }
    return Self.slot(at: place)
  }

  /// Adds a variable, or tells what objects a variable will hold.
  ///
  /// Keys are asked the quickest of `SELF` where its shape is known, and otherwise of the first variable whose shape is.
  ///
  /// - Returns: the number under which an `EvaluationContext` takes its value.
  @discardableResult
  public mutating func declare(_ name: String, shape: (any ExpressionObjectShape)? = nil) -> Int {
    let place = variables.firstIndex { $0.name == name } ?? variables.count
    if place == variables.count { variables.append(Variable(name: name)) }
    variables[place].shape = shape
    return Self.slot(at: place)
  }

  /// The number under which an `EvaluationContext` takes the variable's value.
  public func slot(of name: String) -> Int? { variables.firstIndex { $0.name == name }.map(Self.slot) }
}
