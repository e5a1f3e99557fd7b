import HeavyliftExpression

/// The expression or predicate from the command line.
enum EvaluationSubject {
  case expression(MappingExpression)
  case predicate(MappingPredicate)

  /// Parses an expression, or else a predicate. If both fail, reports the mistake in the more likely one.
  init(_ text: String) throws(ExpressionFailure) {
    do {
      self = .expression(try MappingExpression(parsing: text))
    } catch let mistaken {
      do {
        self = .predicate(try MappingPredicate(parsing: text))
      } catch {
        let isComparison = mistaken.mistakes.contains { mistake in
          switch mistake.kind {
          case .comparisonInExpression, .predicateAsExpression, .predicatesJoined: true
          default: false
          }
        }
        throw ExpressionFailure(isComparison ? error : mistaken)
      }
    }
  }

  /// True if the expression or predicate refers to the object that it is evaluated on.
  var needsObject: Bool {
    var isFound = false
    let note = { (part: MappingExpression) in
      switch part.kind {
      case .object, .variable("source"): isFound = true
      default: break
      }
    }
    switch self {
    case .expression(let expression): expression.visit(note)
    case .predicate(let predicate): predicate.visit(note)
    }
    return isFound
  }

  var isPredicate: Bool { if case .predicate = self { true } else { false } }

  var tree: ExpressionTree {
    switch self {
    case .expression(let expression): ExpressionTree(expression)
    case .predicate(let predicate): ExpressionTree(predicate)
    }
  }

  func translation(_ translator: SQLTranslator) throws -> SQLFragment {
    switch self {
    case .expression(let expression): try translator.translate(expression)
    case .predicate(let predicate): try translator.translate(predicate)
    }
  }

  func compiled(in environment: EvaluationEnvironment) throws -> (inout EvaluationContext) throws -> ExpressionValue {
    switch self {
    case .expression(let expression):
      let compiled = try CompiledExpression(expression, in: environment)
      return { try compiled.evaluate(in: &$0) }
    case .predicate(let predicate):
      let compiled = try CompiledPredicate(predicate, in: environment)
      return { .bool(try compiled.evaluate(in: &$0)) }
    }
  }
}
