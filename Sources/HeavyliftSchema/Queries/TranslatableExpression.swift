import Foundation
import Heavylift

/// A part of a `#Predicate` that has a counterpart in the expression language.
protocol TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term
}

private typealias Term = PredicateTranslation.Term

extension PredicateTranslation {
  /// Joins two terms with an operator.
  fileprivate mutating func joining(_ left: Any, _ symbol: String, _ right: Any) throws -> Term {
    let (left, right) = try pair(term(left), term(right))
    return Term(text: "(\(left.text) \(symbol) \(right.text))", arguments: left.arguments + right.arguments)
  }

  /// Joins two conditions with `AND` or `OR`.
  fileprivate mutating func joiningConditions(_ left: Any, _ symbol: String, _ right: Any) throws -> Term {
    let (left, right) = (try condition(left), try condition(right))
    return Term(text: "(\(left.text) \(symbol) \(right.text))", arguments: left.arguments + right.arguments)
  }

  /// A term that is itself a condition: a Boolean attribute or value is compared with true.
  mutating func condition(_ expression: Any) throws -> Term {
    let term = try term(expression)
    guard term.property != nil || term.captured != nil else { return term }
    let value = try written(term)
    return Term(text: "(\(value.text) == YES)", arguments: value.arguments)
  }
}

// MARK: Values

extension PredicateExpressions.Variable: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    try translation.variable(key)
  }
}

extension PredicateExpressions.Value: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    PredicateTranslation.Term(text: "", captured: .init(value: value))
  }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    PredicateTranslation.Term(text: "nil")
  }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    let object = try translation.term(root)
    switch kind {
    case .collectionCount where object.entity != nil:
      return PredicateTranslation.Term(text: "\(object.text).@count", arguments: object.arguments)
    case .collectionIsEmpty where object.entity != nil:
      return PredicateTranslation.Term(text: "(\(object.text).@count == 0)", arguments: object.arguments)
    case .collectionIsEmpty where object.property != nil:
      return PredicateTranslation.Term(text: "(\(object.text) == '')", arguments: object.arguments)
    case .collectionCount where object.property != nil:
      return PredicateTranslation.Term(text: "length:(\(object.text))", arguments: object.arguments)
    default: return try translation.property(keyPath, of: object)
    }
  }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    let base = try translation.term(wrapped)
    return try translation.binding(variable.key, to: base) { try $0.term(transform) }
  }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    try translation.term(inner)
  }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    let (left, right) = try translation.pair(translation.term(lhs), translation.term(rhs))
    return PredicateTranslation.Term(
      text: "TERNARY(\(left.text) == nil, \(right.text), \(left.text))",
      arguments: left.arguments + right.arguments + left.arguments)
  }
}

extension PredicateExpressions.Arithmetic: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    let symbol =
      switch op {
      case .add: "+"
      case .subtract: "-"
      case .multiply: "*"
      @unknown default: throw PredicateTranslation.refusal("an unknown operator")
      }
    return try translation.joining(lhs, symbol, rhs)
  }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    let operand = try translation.written(translation.term(wrapped))
    return PredicateTranslation.Term(text: "(0 - \(operand.text))", arguments: operand.arguments)
  }
}

// MARK: Conditions

extension PredicateExpressions.Conjunction: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    try translation.joiningConditions(lhs, "AND", rhs)
  }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    try translation.joiningConditions(lhs, "OR", rhs)
  }
}

extension PredicateExpressions.Negation: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    let inner = try translation.condition(wrapped)
    return PredicateTranslation.Term(text: "(NOT \(inner.text))", arguments: inner.arguments)
  }
}

extension PredicateExpressions.Equal: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    try translation.joining(lhs, "==", rhs)
  }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    try translation.joining(lhs, "!=", rhs)
  }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    let symbol =
      switch op {
      case .lessThan: "<"
      case .lessThanOrEqual: "<="
      case .greaterThan: ">"
      case .greaterThanOrEqual: ">="
      @unknown default: throw PredicateTranslation.refusal("an unknown operator")
      }
    return try translation.joining(lhs, symbol, rhs)
  }
}

// MARK: Text

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    try translation.joining(base, "CONTAINS", other)
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    try translation.joining(base, "BEGINSWITH", prefix)
  }
}

// MARK: Collections

extension PredicateExpressions.SequenceContains: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    let (all, one) = (try translation.term(sequence), try translation.term(element))
    if let captured = all.captured {
      let list = try translation.elements(captured, like: one)
      return PredicateTranslation.Term(text: "(\(one.text) IN \(list.text))", arguments: one.arguments + list.arguments)
    }
    guard all.entity != nil else { throw PredicateTranslation.refusal("'contains' of an attribute's elements") }
    let target = try translation.written(one)
    return PredicateTranslation.Term(
      text: "(ANY \(all.text) == \(target.text))", arguments: all.arguments + target.arguments)
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    let all = try translation.term(sequence)
    let count = try translation.count(of: all, variable.key) { try $0.condition(test) }
    return PredicateTranslation.Term(text: "(\(count.text) > 0)", arguments: count.arguments)
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    let all = try translation.term(sequence)
    let count = try translation.count(of: all, variable.key) { translation in
      let met = try translation.condition(test)
      return PredicateTranslation.Term(text: "(NOT \(met.text))", arguments: met.arguments)
    }
    return PredicateTranslation.Term(text: "(\(count.text) == 0)", arguments: count.arguments)
  }
}

extension PredicateExpressions.ClosedRange: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    let (low, high) = (
      try translation.written(translation.term(lower)), try translation.written(translation.term(upper))
    )
    return PredicateTranslation.Term(
      text: "{\(low.text), \(high.text)}", arguments: low.arguments + high.arguments)
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
  func term(_ translation: inout PredicateTranslation) throws -> PredicateTranslation.Term {
    guard range is any BetweenRange else { throw PredicateTranslation.refusal("a range other than a closed one") }
    let (bounds, value) = (try translation.term(range), try translation.term(element))
    return PredicateTranslation.Term(
      text: "(\(value.text) BETWEEN \(bounds.text))", arguments: value.arguments + bounds.arguments)
  }
}

/// A range with both of its ends.
private protocol BetweenRange {}
extension PredicateExpressions.ClosedRange: BetweenRange {}
