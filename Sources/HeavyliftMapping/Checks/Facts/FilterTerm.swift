import Foundation
import HeavyliftExpression
import HeavyliftModel

/// A key that filters compare with constants.
struct FilterTerm {
  enum Kind {
    /// A Boolean: its only two values, true and false, are the constants.
    case flag
    case whole
    case number
    /// A string, compared in any way.
    case text
    /// Any other value, which is only compared for equality.
    case unordered
  }

  var kind: Kind
  var isNullable: Bool
  /// The constants, sorted and without duplicates.
  var constants: [Value] = []

  mutating func add(_ constant: Value) {
    let constant = normal(constant)
    if constant.isNull || constants.contains(constant) { return }
    let place =
      !isNumber ? constants.count : constants.firstIndex { number($0) > number(constant) } ?? constants.count
    constants.insert(constant, at: place)
  }

  func place(of constant: Value) -> Int? { constants.firstIndex(of: normal(constant)) }

  /// Returns true if a value can exist between the constant at that index and the one before it.
  func hasRoom(before place: Int) -> Bool {
    guard kind == .whole, place > 0, place < constants.count else { return true }
    return number(constants[place]) - number(constants[place - 1]) > 1
  }

  private var isNumber: Bool { kind != .text && kind != .unordered }

  /// True if strings are compared with options, and if they are compared by their order.
  var hasOptions = false
  var isOrdered = false

  /// Strings that differ in how they compare with the constants: each constant; with options, the constant in other cases
  /// and with other diacritics; if they are ordered, a string that follows the constant at once; and strings before and
  /// after all constants.
  var examples: [String] {
    let texts = constants.compactMap(\.string)
    var examples = texts
    if hasOptions {
      examples += texts.flatMap { [$0.uppercased(), $0.lowercased()] }
      examples += examples.flatMap { [$0 + "\u{301}", $0.folding(options: .diacriticInsensitive, locale: nil)] }
    }
    if isOrdered { examples += texts.map { $0 + "a" } }
    var seen: Set<[UInt8]> = []
    return (examples + ["", "\u{10FFFD}"]).filter { seen.insert(Array($0.utf8)).inserted }
  }

  /// Numbers compare by value, however they are written.
  private func normal(_ constant: Value) -> Value {
    !isNumber || constant.isNull ? constant : .double(number(constant))
  }

  private func number(_ value: Value) -> Double { value.comparableNumber ?? .nan }
}

extension Value {
  /// The numeric value of a number, Boolean or date; nil for other values.
  var comparableNumber: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value.isNaN ? nil : value
    case .decimal(let value): (value as NSDecimalNumber).doubleValue
    case .bool(let value): value ? 1 : 0
    case .date(let value): value.timeIntervalSinceReferenceDate
    default: nil
    }
  }
}

/// A comparison of a key with a constant.
struct KnownComparison: Hashable {
  var term: MappingExpression
  var comparator: PredicateOperator
  var constant: Value
  var options: ComparisonOptions

  /// Returns `nil` unless the comparison is between a key and a constant.
  init?(_ comparison: MappingPredicate.Comparison) {
    guard comparison.quantifier == nil else { return nil }
    options = comparison.options
    if let constant = comparison.right.plainConstant {
      (term, comparator, self.constant) = (comparison.left, comparison.comparator, constant)
    } else if let constant = comparison.left.plainConstant, let turned = comparison.comparator.turned {
      (term, comparator, self.constant) = (comparison.right, turned, constant)
    } else {
      return nil
    }
    guard term.plainConstant == nil, comparator.turned != nil else { return nil }
  }

  /// Returns the result for a value of the key, as the evaluator computes it; nil if it cannot.
  func result(for value: Value) -> Bool? {
    let predicate = MappingPredicate(
      .comparison(
        MappingPredicate.Comparison(
          MappingExpression(.object), comparator, MappingExpression(.constant(.value(constant))), options: options)))
    var context = EvaluationContext(EvaluationEnvironment(), object: ExpressionValue(value))
    return try? CompiledPredicate(predicate).evaluate(in: &context)
  }
}

extension MappingPredicate {
  /// The predicate with simple comparisons in place of `IN` and `BETWEEN`, if their values are constants.
  var withoutLists: MappingPredicate {
    switch kind {
    case .literal, .custom: return self
    case .not(let negated): return MappingPredicate(.not(negated.withoutLists))
    case .and(let parts): return MappingPredicate(.and(parts.map(\.withoutLists)))
    case .or(let parts): return MappingPredicate(.or(parts.map(\.withoutLists)))
    case .comparison(let comparison):
      guard comparison.quantifier == nil, case .aggregate(let values) = comparison.right.kind,
        values.allSatisfy({ $0.plainConstant?.isNull == false })
      else { return self }
      func part(_ comparator: PredicateOperator, _ value: MappingExpression) -> MappingPredicate {
        MappingPredicate(
          .comparison(Comparison(comparison.left, comparator, value, options: comparison.options)))
      }
      switch comparison.comparator {
      case .in: return MappingPredicate(.or(values.map { part(.equal, $0) }))
      case .between where values.count == 2:
        return MappingPredicate(.and([part(.greaterOrEqual, values[0]), part(.lessOrEqual, values[1])]))
      default: return self
      }
    }
  }
}

extension MappingExpression {
  fileprivate var plainConstant: Value? {
    if case .constant(.value(let value)) = kind { value } else { nil }
  }
}

extension PredicateOperator {
  /// The equivalent operator for exchanged operands: `>` for `<`. Nil except for `==`, `!=`, `<`, `<=`, `>` and `>=`.
  fileprivate var turned: PredicateOperator? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: nil
    }
  }
}
