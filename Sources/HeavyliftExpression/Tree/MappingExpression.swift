/// An expression in NSExpression's format language.
///
/// ```swift
/// let expression = try MappingExpression(parsing: "$source.seconds * 1000")
/// print(expression)  // $source.seconds * 1000
/// ```
///
/// Two expressions are equal if they have the same structure; spelling and place do not matter. An infix operator
/// equals a call to its built-in function, and `SELF.a` equals `a`.
public struct MappingExpression: Sendable {
  /// The kind of expression.
  package indirect enum Kind: Hashable, Sendable {
    case constant(ExpressionConstant)
    /// `SELF`: the evaluated object.
    case object
    /// `$name`.
    case variable(String)
    /// `base.a.@count`; the base is `SELF` if none is written.
    case keyPath(base: MappingExpression, ExpressionKeyPath)
    /// `collection[0]`, `collection[FIRST]`.
    case element(of: MappingExpression, ElementIndex)
    /// `{a, b, c}`.
    case aggregate([MappingExpression])
    /// A built-in function, including one written as an operator: `a + b` is `add:to:(a, b)`.
    case function(BuiltinFunction, [MappingExpression])
    /// `name:(a)`: a function that is not built in; it may be registered.
    case otherFunction(String, [MappingExpression])
    /// `FUNCTION(receiver, "selector:", arguments…)`.
    case call(receiver: MappingExpression, selector: String, [MappingExpression])
    /// `CAST(operand, "Type")`.
    case cast(MappingExpression, typeName: String)
    case ternary(MappingPredicate, then: MappingExpression, otherwise: MappingExpression)
    case subquery(MappingExpression, variable: String, MappingPredicate)
    case fetch(request: MappingExpression, context: MappingExpression, countOnly: Bool)
    case set(SetOperator, MappingExpression, MappingExpression)
    /// `$name := value`.
    case assignment(String, MappingExpression)
    /// `ANYKEY`, which only Spotlight supports.
    case anyKey
  }

  package var kind: Kind
  /// The range in the parsed text.
  public var range: SourceRange
  /// The range of the expression's name: the operator, the function, the selector of a call, the type of a cast, the
  /// variable of a subquery or an assignment; otherwise the same as `range`.
  public var nameRange: SourceRange

  /// Creates an expression; one that was not parsed from text has an empty range.
  package init(_ kind: Kind, at range: SourceRange = SourceRange(), name: SourceRange? = nil) {
    self.kind = kind
    self.range = range
    self.nameRange = name ?? range
  }
}

extension MappingExpression: Hashable {
  /// Compares what the expressions mean, not their ranges.
  public static func == (lhs: MappingExpression, rhs: MappingExpression) -> Bool { lhs.kind == rhs.kind }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}
