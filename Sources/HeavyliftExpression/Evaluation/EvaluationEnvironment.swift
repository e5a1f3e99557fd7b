/// The variables and functions that an expression may refer to, needed to compile it.
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
  /// The shape of the objects that `SELF` will refer to, if known.
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

  /// The slot of `SELF` in an `EvaluationContext`.
  @usableFromInline static let objectSlot = 0

  static func slot(at place: Int) -> Int { objectSlot + 1 + place }

  /// The slot of the object whose keys are likely to be read most often: `SELF` if its shape is known, otherwise the
  /// first variable with a known shape, or `SELF` if there is none.
  var subjectSlot: Int {
    let isObject: (Variable) -> Bool = { $0.shape != nil }
    guard shape == nil, let place = variables.firstIndex(where: isObject) else { return Self.objectSlot }
    return Self.slot(at: place)
  }

  /// Adds a variable, or sets the shape of an existing variable's objects.
  ///
  /// Key access is fastest for `SELF` if its shape is known, otherwise for the first variable with a known shape.
  ///
  /// - Returns: The slot of the variable in an `EvaluationContext`.
  @discardableResult
  public mutating func declare(_ name: String, shape: (any ExpressionObjectShape)? = nil) -> Int {
    let place = variables.firstIndex { $0.name == name } ?? variables.count
    if place == variables.count { variables.append(Variable(name: name)) }
    variables[place].shape = shape
    return Self.slot(at: place)
  }

  /// Returns the slot of the variable in an `EvaluationContext`.
  public func slot(of name: String) -> Int? { variables.firstIndex { $0.name == name }.map(Self.slot) }
}
