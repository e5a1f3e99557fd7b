/// The known facts about a part of an expression.
struct ExpressionFacts {
  /// One of the possible values of an expression, such as one branch of a `TERNARY`.
  struct Outcome {
    var expression: MappingExpression
    var type: ExpressionType
    var constant: ExpressionValue?
  }

  var type: ExpressionType
  /// The value, if it is constant.
  var constant: ExpressionValue?
  /// The number of to-many steps in a key path.
  var toManyHops = 0
  var outcomes: [Outcome] = []
  /// The facts about each element of a literal aggregate.
  var elements: [ExpressionFacts]?

  init(_ type: ExpressionType, constant: ExpressionValue? = nil) {
    self.type = type
    self.constant = constant
  }

  init(_ kind: ExpressionType.Kind, isNullable: Bool = false) {
    type = ExpressionType(kind, isNullable: isNullable)
  }

  /// The facts about a part that was already reported as a mistake, so that nothing else is reported about it.
  static var unknown: ExpressionFacts { ExpressionFacts(ExpressionType.unknown) }

  var kind: ExpressionType.Kind { type.kind }
}
