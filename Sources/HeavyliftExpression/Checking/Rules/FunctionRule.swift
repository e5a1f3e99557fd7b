import HeavyliftModel

extension ExpressionInspector {
  /// Checks a built-in function, called by name or written as an operator.
  mutating func inspectFunction(
    _ function: BuiltinFunction, _ arguments: [MappingExpression], at range: SourceRange
  ) -> ExpressionFacts {
    let facts = arguments.map { inspect($0) }
    guard arguments.count == function.argumentCount else {
      report(
        EvaluationMistake.wrongArgumentCount(
          function.rawValue, expected: function.argumentCount, found: arguments.count), at: range)
      return .unknown
    }
    let operands = Operands(function: function, expressions: arguments, facts: facts, range: range)
    let before = findings.count
    var result = type(of: operands)
    if findings.count == before { fold(operands, into: &result) }
    return result
  }

  /// The operands of a function, with the facts about them.
  struct Operands {
    var function: BuiltinFunction
    var expressions: [MappingExpression]
    var facts: [ExpressionFacts]
    var range: SourceRange

    /// The name in messages.
    var name: String { function.infixSymbol ?? function.rawValue }
    var isNullable: Bool { facts.contains { $0.type.isNullable } }
  }

  private mutating func type(of operands: Operands) -> ExpressionFacts {
    switch operands.function {
    case .average, .sum, .count, .min, .max, .median, .mode, .stddev, .distinct: statistics(operands)
    case .add, .subtract, .multiply, .divide, .modulus, .power: arithmetic(operands)
    case .squareRoot, .logarithm, .naturalLogarithm, .exponential: numbers(operands) { _ in .double }
    case .floor, .ceiling, .absolute, .truncate: numbers(operands) { _ in .double }
    case .random: ExpressionFacts(.integer)
    case .randomBelow, .randomN, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement:
      numbers(operands) { _ in .integer }
    case .now: ExpressionFacts(.date)
    case .uppercase, .lowercase, .canonical: texts(operands, giving: .string)
    case .length: texts(operands, giving: .integer)
    case .tokenize: texts(operands, giving: .collection(.array, of: .string))
    case .indexed, .noIndex: ExpressionFacts(operands.facts[0].type)
    case .elementAtIndex: .unknown
    case .distance, .inverseOrderKey: unavailable(operands)
    }
  }

  private mutating func unavailable(_ operands: Operands) -> ExpressionFacts {
    report(EvaluationMistake.unavailableFunction(operands.function.rawValue), at: operands.range)
    return .unknown
  }

  private mutating func texts(_ operands: Operands, giving kind: ExpressionType.Kind) -> ExpressionFacts {
    let areTexts = expect("a string", of: operands) { $0 == .string }
    return areTexts ? ExpressionFacts(kind, isNullable: operands.isNullable) : ExpressionFacts(kind, isNullable: true)
  }

  /// Checks a function on numbers; `kind` returns the kind of the result.
  mutating func numbers(
    _ operands: Operands, giving kind: ([ExpressionType.Kind]) -> ExpressionType.Kind
  ) -> ExpressionFacts {
    guard expect("a number", of: operands, { $0.isNumeric }) else { return .unknown }
    return ExpressionFacts(kind(operands.facts.map(\.kind)), isNullable: operands.isNullable)
  }

  /// Reports each operand of the wrong kind; returns true if there is none. Operands of unknown kind pass.
  mutating func expect(
    _ expected: String, of operands: Operands, _ suits: (ExpressionType.Kind) -> Bool
  ) -> Bool {
    var doAllSuit = true
    var wrong: Set<ExpressionType.Kind> = []
    for (expression, facts) in zip(operands.expressions, operands.facts) {
      if facts.kind == .null {
        report(.alwaysNil(of: operands.name), at: expression.range)
      } else if facts.kind != .any, !suits(facts.kind) {
        // Two operands of the same wrong kind are one mistake: the wrong operator.
        if wrong.insert(facts.kind).inserted {
          reportOperand(expression, facts, of: operands.name, expected: expected)
        }
        doAllSuit = false
      }
    }
    return doAllSuit
  }

  /// Reports an operand of the wrong kind. A collection from a to-many path is reported as a to-many path.
  mutating func reportOperand(
    _ expression: MappingExpression, _ facts: ExpressionFacts, of operation: String, expected: String,
    place: CheckingMistake.ToManyPlace = .operand
  ) {
    let range = expression.range
    if facts.toManyHops > 0, facts.kind.isCollection {
      report(.toMany(expression.shown, of: operation, place: place), at: range)
    } else {
      report(.operand(of: operation, expected: expected, found: facts.kind), at: range)
    }
  }

  /// Evaluates the function if all operands are constant, because a mistake in constants affects every object.
  private mutating func fold(_ operands: Operands, into result: inout ExpressionFacts) {
    let constants = operands.facts.compactMap(\.constant)
    guard constants.count == operands.facts.count, !constants.isEmpty else { return }
    do {
      guard let value = try operands.function.callPure(constants) else { return }
      result.constant = value
      let kind = ExpressionType.Kind(value)
      // A collection keeps the type that is already known: an empty one does not show the kind of its elements.
      if !kind.isCollection { result.type = ExpressionType(kind, isNullable: value.isNull) }
    } catch {
      report(error, at: operands.range)
      result = .unknown
    }
  }
}
