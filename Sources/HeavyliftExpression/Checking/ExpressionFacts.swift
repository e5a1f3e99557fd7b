/// What is known of a part of an expression.
struct ExpressionFacts {
  /// One of the values that an expression can have: the branches of a `TERNARY` are told apart.
  struct Outcome {
    var expression: MappingExpression
    var type: ExpressionType
    var constant: ExpressionValue?
  }

  var type: ExpressionType
  /// The value, where it does not depend on anything.
  var constant: ExpressionValue?
  /// How many steps to many objects a key path took.
  var toManyHops = 0
  var outcomes: [Outcome] = []
  /// Of an aggregate that stands written: its elements, each by itself.
  var elements: [ExpressionFacts]?

  init(_ type: ExpressionType, constant: ExpressionValue? = nil) {
    self.type = type
    self.constant = constant
  }

  init(_ kind: ExpressionType.Kind, isNullable: Bool = false) {
    type = ExpressionType(kind, isNullable: isNullable)
  }

  /// Of what is a mistake already: nothing more is said about it.
  static var unknown: ExpressionFacts { ExpressionFacts(ExpressionType.unknown) }

  var kind: ExpressionType.Kind { type.kind }
}
