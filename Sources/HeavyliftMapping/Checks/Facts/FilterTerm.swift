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
    /// A value that is only compared for equality.
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
      kind == .unordered ? constants.count : constants.firstIndex { number($0) > number(constant) } ?? constants.count
    constants.insert(constant, at: place)
  }

  func place(of constant: Value) -> Int? { constants.firstIndex(of: normal(constant)) }

  /// Returns true if a value can exist between the constant at that index and the one before it.
  func hasRoom(before place: Int) -> Bool {
    guard kind == .whole, place > 0, place < constants.count else { return true }
    return number(constants[place]) - number(constants[place - 1]) > 1
  }

  /// Numbers compare by value, however they are written.
  private func normal(_ constant: Value) -> Value {
    kind == .unordered || constant.isNull ? constant : .double(number(constant))
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
struct KnownComparison {
  var term: MappingExpression
  var comparator: PredicateOperator
  var constant: Value

  /// Returns `nil` unless the comparison is between a key and a constant.
  init?(_ comparison: MappingPredicate.Comparison) {
    guard comparison.quantifier == nil, comparison.options.isEmpty else { return nil }
    if let constant = comparison.right.plainConstant {
      (term, comparator, self.constant) = (comparison.left, comparison.comparator, constant)
    } else if let constant = comparison.left.plainConstant, let turned = comparison.comparator.turned {
      (term, comparator, self.constant) = (comparison.right, turned, constant)
    } else {
      return nil
    }
    guard term.plainConstant == nil, comparator.turned != nil else { return nil }
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
