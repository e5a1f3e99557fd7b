import HeavyliftModel

/// Writes a tree as its canonical text.
///
/// The text follows Foundation's: uppercase keywords, `==`, double quotes, nested operators in parentheses. There are
/// more parentheses than precedence requires, because precedence is not documented anywhere.
struct ExpressionPrinter {
  /// The context of an expression, which determines if it needs parentheses.
  enum Place {
    /// On its own, inside brackets, or between commas.
    case whole
    /// A side of a comparison.
    case side
    /// An operand of an infix operator.
    case operand
    /// Before `**`.
    case powerBase
    /// After a minus sign.
    case negated
    /// Before a bracket.
    case indexed
    /// Before a dot.
    case base
  }

  var text = ""
  var arguments: [FormatArgument] = []
  var obstacles: [UnprintablePart] = []
  /// True to write placeholders for parts that cannot be written as text.
  let usesPlaceholders: Bool

  init(usesPlaceholders: Bool = false) { self.usesPlaceholders = usesPlaceholders }

  mutating func write(_ expression: MappingExpression, in place: Place = .whole) {
    guard needsParentheses(expression, in: place) else { return writeBare(expression) }
    text += "("
    writeBare(expression)
    text += ")"
  }

  /// Writes a part that has no text form: as a placeholder if allowed, otherwise as `shown`.
  mutating func writeUnprintable(_ expression: MappingExpression, _ kind: UnprintablePart.Kind, shown: String) {
    guard !usesPlaceholders else {
      text += "%@"
      arguments.append(.expression(expression))
      return
    }
    obstacles.append(UnprintablePart(kind))
    text += shown
  }

  mutating func writeList(_ expressions: [MappingExpression]) {
    for (index, expression) in expressions.enumerated() {
      if index > 0 { text += ", " }
      write(expression)
    }
  }

  // MARK: Parentheses

  private func needsParentheses(_ expression: MappingExpression, in place: Place) -> Bool {
    switch expression.kind {
    // Foundation's documentation only shows set operators in parentheses.
    case .set: return true
    case .assignment: return place != .whole
    case .keyPath: return place == .base
    case .constant(.value(.integer(let number))): return isTorn(number < 0, in: place)
    case .constant(.value(.double(let number))): return number.isFinite && isTorn(number.sign == .minus, in: place)
    case .function(let function, let arguments):
      guard InfixForm(function, arguments) != nil else { return false }
      return place == .side ? function.isBitwise : place != .whole
    default: return false
    }
  }

  /// Returns true if a number needs parentheses, because the text around it would change the meaning of its sign or
  /// dot.
  private func isTorn(_ isNegative: Bool, in place: Place) -> Bool {
    place == .base || place == .indexed || isNegative && (place == .powerBase || place == .negated)
  }
}

/// The form of a function that is written as an operator.
enum InfixForm {
  case between(MappingExpression, String, MappingExpression)
  case minus(MappingExpression)

  init?(_ function: BuiltinFunction, _ arguments: [MappingExpression]) {
    guard let symbol = function.infixSymbol, arguments.count == 2 else { return nil }
    if function == .subtract, arguments[0].kind == .constant(.value(.integer(0))), !arguments[1].isPositiveNumber {
      self = .minus(arguments[1])
    } else {
      self = .between(arguments[0], symbol, arguments[1])
    }
  }
}

extension MappingExpression {
  /// True for a number that would absorb a preceding minus sign.
  fileprivate var isPositiveNumber: Bool {
    switch kind {
    case .constant(.value(.integer(let number))): number >= 0
    case .constant(.value(.double(let number))): number.sign == .plus
    default: false
    }
  }
}

extension BuiltinFunction {
  /// The infix operator of the function. Shifts also have undocumented operators, but are written by name.
  var infixSymbol: String? {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .power: "**"
    case .bitwiseAnd: "&"
    case .bitwiseOr: "|"
    case .bitwiseXor: "^"
    default: nil
    }
  }

  var isBitwise: Bool { self == .bitwiseAnd || self == .bitwiseOr || self == .bitwiseXor }
}
