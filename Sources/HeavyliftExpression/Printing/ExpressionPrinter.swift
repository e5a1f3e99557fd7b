import HeavyliftModel

/// Writes a tree as its canonical text.
///
/// The text follows Foundation's own: keywords in capitals, `==`, double quotes, nested operators in parentheses. The
/// parentheses are more than the precedence needs, and all that is needed where precedence is nowhere documented.
struct ExpressionPrinter {
  /// What surrounds an expression, which decides about parentheses.
  enum Place {
    /// Nothing, or brackets and commas.
    case whole
    /// An operator of a comparison.
    case side
    /// An operator between expressions.
    case operand
    /// `**` on its right.
    case powerBase
    /// A minus sign on its left.
    case negated
    /// A bracket on its right.
    case indexed
    /// A dot on its right.
    case base
  }

  var text = ""
  var arguments: [FormatArgument] = []
  var obstacles: [UnprintablePart] = []
  /// Whether placeholders may stand for what has no text.
  let usesPlaceholders: Bool

  init(usesPlaceholders: Bool = false) { self.usesPlaceholders = usesPlaceholders }

  mutating func write(_ expression: MappingExpression, in place: Place = .whole) {
    guard needsParentheses(expression, in: place) else { return writeBare(expression) }
    text += "("
    writeBare(expression)
    text += ")"
  }

  /// Writes something that has no text: as a placeholder where these are allowed, else as `shown`.
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
    // Foundation's documentation shows these in parentheses only.
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

  /// Whether what surrounds a number would take its sign, or its dot, for its own.
  private func isTorn(_ isNegative: Bool, in place: Place) -> Bool {
    place == .base || place == .indexed || isNegative && (place == .powerBase || place == .negated)
  }
}

/// How a function is written without its name.
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
  /// Whether a minus sign before it would become a part of it.
  fileprivate var isPositiveNumber: Bool {
    switch kind {
    case .constant(.value(.integer(let number))): number >= 0
    case .constant(.value(.double(let number))): number.sign == .plus
    default: false
    }
  }
}

extension BuiltinFunction {
  /// The operator that is written between two operands. Shifts have one as well, which no documentation mentions; they
  /// are written by their names.
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
