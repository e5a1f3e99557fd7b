/// An expression of NSExpression's format language, as a value.
///
/// ```swift
/// let expression = try MappingExpression(parsing: "$source.seconds * 1000")
/// print(expression)  // $source.seconds * 1000
/// ```
///
/// Two expressions are equal when they mean the same by the same structure: how they were spelt, and where they stood, is
/// no part of them. An infix operator is the built-in function of its name, and `SELF.a` is the key path `a`.
public struct MappingExpression: Sendable {
  /// What an expression can be.
  public indirect enum Kind: Hashable, Sendable {
    case constant(ExpressionConstant)
    /// `SELF`: the object that is evaluated.
    case object
    /// `$name`.
    case variable(String)
    /// `base.a.@count`; the base is `SELF` where none is written.
    case keyPath(base: MappingExpression, KeyPath)
    /// `collection[0]`, `collection[FIRST]`.
    case element(of: MappingExpression, ElementIndex)
    /// `{a, b, c}`.
    case aggregate([MappingExpression])
    /// A built-in function, also where an operator is written: `a + b` is `add:to:(a, b)`.
    case function(BuiltinFunction, [MappingExpression])
    /// `name:(a)`: a function of a name that the language does not know; whoever evaluates may.
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
    /// `ANYKEY`, which only Spotlight knows.
    case anyKey
  }

  public var kind: Kind
  /// Where it stands in the text that it was read from.
  public var range: SourceRange
  /// Where its name stands: the operator, the function, the selector of a call, the type of a cast, the variable of a
  /// subquery or an assignment; otherwise the same as `range`.
  public var nameRange: SourceRange

  /// Creates an expression; one that was not read from a text has an empty range.
  public init(_ kind: Kind, at range: SourceRange = SourceRange(), name: SourceRange? = nil) {
    self.kind = kind
    self.range = range
    self.nameRange = name ?? range
  }
}

extension MappingExpression: Hashable {
  /// Compares what the expressions mean, not where they stand.
  public static func == (lhs: MappingExpression, rhs: MappingExpression) -> Bool { lhs.kind == rhs.kind }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}
