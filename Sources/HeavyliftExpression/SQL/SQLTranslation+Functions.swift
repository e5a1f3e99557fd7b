extension SQLTranslation {
  /// The depth of a key path with one key; a constant is not deeper.
  private static let leafDepth = 2

  mutating func translate(
    _ function: BuiltinFunction, _ arguments: [MappingExpression], in form: NaNForm, at range: SourceRange
  ) throws(NotTranslated) -> SQLTerm {
    guard arguments.count == function.argumentCount else {
      throw NotTranslated("function '\(function.rawValue)' has the wrong number of arguments", at: range)
    }
    guard function.isOfPlainValues else {
      throw NotTranslated("function '\(function.rawValue)' does not work on plain values", at: range)
    }
    if let plain = try translateRealArithmetic(function, arguments, in: form, at: range) { return plain }
    var operands: [SQLTerm] = []
    for argument in arguments { operands.append(try translate(argument, in: .marked)) }
    let constants = operands.compactMap(\.constant)
    if constants.count == operands.count {
      return try folded(in: form, at: range) { try function.callPure(constants) ?? .null }
    }
    if operands.contains(where: \.kind.isObject) { throw NotTranslated("an object is used as an operand", at: range) }
    if function == .noIndex { return try translate(arguments[0], in: form) }
    let result = try function.result(of: operands.map(\.kind), at: range)
    let makesNaN = result.makesNaN && !(operands.count == 2 && function.staysNumber(operands[0], operands[1]))
    let mayBeNaN = makesNaN || result.kind.canBeNaN && operands.contains(where: \.canMakeNaN)
    let called = SQLFunction.builtin(
      function, operands.map(\.kind), marksNaN: mayBeNaN && form == .marked, mayFail: result.mayFail)
    let text = call(called, operands.map(\.text), at: range)
    return SQLTerm(
      text: function == .bitwiseOr ? cuttingOff(operands, or: text) : text, kind: result.kind,
      mayFail: result.mayFail || operands.contains(where: \.mayFail), mayBeNaN: mayBeNaN)
  }

  /// `x | 0` truncates a fraction. SQLite's cast does the same in the range where a double can hold every integer;
  /// outside that range, the SQL calls the evaluator's function.
  private func cuttingOff(_ operands: [SQLTerm], or call: SQLText) -> SQLText {
    guard operands[0].kind == .double, operands[0].isLeaf || operands[0].isPlain, operands[1].kind == .integer,
      case .integer(0)? = operands[1].constant
    else { return call }
    let number = operands[0].text
    return "CASE WHEN \(number) BETWEEN -9.0e15 AND 9.0e15 THEN CAST(\(number) AS INTEGER) ELSE \(call) END"
  }

  /// Translates `+` and `-` on dates, `+ - *` if one operand is certainly a floating-point number, and `/` by a nonzero
  /// constant: SQLite's result is the same as the evaluator's, except for NaN.
  private mutating func translateRealArithmetic(
    _ function: BuiltinFunction, _ arguments: [MappingExpression], in form: NaNForm, at range: SourceRange
  ) throws(NotTranslated) -> SQLTerm? {
    guard let symbol = function.realSymbol else { return nil }
    // If this fails, the operands are translated again; in nested operations, that would double the time at each level.
    guard form == .stored || arguments.allSatisfy({ $0.depth <= Self.leafDepth }) else { return nil }
    let saved = self
    let (left, right) = (try translate(arguments[0], in: .stored), try translate(arguments[1], in: .stored))
    let kind: SQLKind? =
      switch (left.kind, right.kind) {
      case (.date, .date) where function == .subtract: .double
      case (.date, .double), (.date, .integer), (.date, .number):
        function == .add || function == .subtract ? .date : nil
      case (.double, .date), (.integer, .date), (.number, .date): function == .add ? .date : nil
      case (.double, _) where right.kind.isPlainNumber, (_, .double) where left.kind.isPlainNumber: .double
      default: nil
      }
    var isSafe = kind != nil && (left.constant == nil || right.constant == nil)
    if function == .divide {
      let divisor = right.constant.flatMap { Number($0) }?.double ?? 0
      isSafe = isSafe && divisor != 0 && !divisor.isNaN
    }
    let mayBeNaN = !function.staysNumber(left, right)
    // A function that takes the result must distinguish NaN from nil, which SQLite cannot do.
    guard isSafe, form == .stored || !mayBeNaN, let kind else {
      goBack(to: saved)
      return nil
    }
    return SQLTerm(
      text: "(\(left.text) \(raw: symbol) \(right.text))", kind: kind, isPlain: left.isLeaf && right.isLeaf,
      mayFail: left.mayFail || right.mayFail, mayBeNaN: mayBeNaN)
  }
}

extension SQLKind {
  var canBeNaN: Bool { self == .double || self == .number || self == .date }
}

extension BuiltinFunction {
  fileprivate struct Result {
    var kind: SQLKind
    var mayFail = false
    var makesNaN = false
  }

  /// The floating-point operator in SQLite, if there is one.
  fileprivate var realSymbol: String? {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    default: nil
    }
  }

  /// Returns true if the result cannot be NaN: of two numbers, only ∞ - ∞, ∞ · 0, ∞ / ∞ and 0 / 0 are NaN.
  fileprivate func staysNumber(_ left: SQLTerm, _ right: SQLTerm) -> Bool {
    func isFinite(_ term: SQLTerm, butZero: Bool = false) -> Bool {
      guard let number = term.constant.flatMap({ Number($0) })?.double, number.isFinite else { return false }
      return !butZero || number != 0
    }
    guard !left.canMakeNaN, !right.canMakeNaN else { return false }
    switch self {
    case .add, .subtract: return isFinite(left) || isFinite(right)
    case .multiply: return isFinite(left, butZero: true) || isFinite(right, butZero: true)
    case .divide: return isFinite(right, butZero: true)
    default: return false
    }
  }

  /// True if the function takes and returns values that columns can hold, and depends on nothing but its arguments.
  fileprivate var isOfPlainValues: Bool {
    switch self {
    case .add, .subtract, .multiply, .divide, .modulus, .squareRoot, .logarithm, .naturalLogarithm, .power,
      .exponential, .floor, .ceiling, .absolute, .truncate, .uppercase, .lowercase, .canonical, .length, .bitwiseAnd,
      .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement, .noIndex:
      true
    case .average, .sum, .count, .min, .max, .median, .mode, .stddev, .distinct, .random, .randomBelow, .randomN, .now,
      .tokenize, .elementAtIndex, .indexed, .distance, .inverseOrderKey:
      false
    }
  }

  fileprivate func result(of kinds: [SQLKind], at range: SourceRange) throws(NotTranslated) -> Result {
    // An operand of the wrong kind gives nil if it is nil, and an error otherwise.
    let mistaken = Result(kind: .null, mayFail: true)
    let areNumbers = kinds.allSatisfy(\.isNumber)
    switch self {
    case .add, .subtract, .multiply, .divide, .modulus: return try arithmetic(kinds[0], kinds[1], at: range)
    case .squareRoot, .logarithm, .naturalLogarithm, .power:
      return areNumbers ? Result(kind: .double, makesNaN: true) : mistaken
    case .exponential: return areNumbers ? Result(kind: .double) : mistaken
    case .floor, .ceiling, .absolute, .truncate:
      return areNumbers ? Result(kind: .double, mayFail: ![.double, .bool].contains(kinds[0])) : mistaken
    case .uppercase, .lowercase, .canonical: return kinds == [.string] ? Result(kind: .string) : mistaken
    case .length: return kinds == [.string] ? Result(kind: .integer) : mistaken
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement:
      return areNumbers ? Result(kind: .integer, mayFail: !kinds.allSatisfy(\.isWhole)) : mistaken
    default: return Result(kind: kinds[0])
    }
  }

  private func arithmetic(
    _ left: SQLKind, _ right: SQLKind, at range: SourceRange
  ) throws(NotTranslated) -> Result {
    switch (left, right) {
    case (.date, .date) where self == .subtract: return Result(kind: .double, makesNaN: true)
    case (.date, _) where right.isNumber && (self == .add || self == .subtract),
      (_, .date) where left.isNumber && self == .add:
      return Result(kind: .date, makesNaN: true)
    default: break
    }
    guard left.isNumber, right.isNumber else { return Result(kind: .null, mayFail: true) }
    if left.isWhole, right.isWhole { return Result(kind: .integer, mayFail: true) }
    if left == .double || right == .double { return Result(kind: .double, makesNaN: true) }
    if left == .decimal || right == .decimal {
      guard left != .number, right != .number else {
        throw NotTranslated("the result is a decimal or a floating-point number, depending on the row", at: range)
      }
      return Result(kind: .decimal, mayFail: true)
    }
    return Result(kind: .number, mayFail: true, makesNaN: true)
  }
}
