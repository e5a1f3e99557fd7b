/// A function called from SQL that runs the evaluator's code.
///
/// Functions with the same name have the same behavior. Every function is deterministic and safe to call from any SQL.
package struct SQLFunction: Sendable {
  /// The implementation, which takes as many values as the function was registered for.
  package typealias Body = ([SQLValue]) throws -> SQLValue

  package let name: String
  package let argumentCount: Int
  /// True if the last argument is a range in the text, for errors.
  let takesPlace: Bool
  /// The case conversion for a single pure ASCII argument; nil if the function does something else.
  package let asciiCase: ASCIICase?
  private let make: @Sendable () -> Body

  init(
    name: String, operandCount: Int, takesPlace: Bool, asciiCase: ASCIICase? = nil,
    make: @escaping @Sendable () -> Body
  ) {
    self.asciiCase = asciiCase
    self.name = "heavylift_" + name
    self.takesPlace = takesPlace
    argumentCount = takesPlace ? operandCount + 1 : operandCount
    self.make = make
  }

  /// Returns an implementation with its own caches, for use by one connection only.
  ///
  /// The implementation throws `ExpressionEvaluationError` with the range in the text, as the evaluator does.
  package func body() -> Body { make() }
}

extension SQLFunction: Hashable {
  /// Compares the names.
  package static func == (lhs: SQLFunction, rhs: SQLFunction) -> Bool { lhs.name == rhs.name }

  /// Hashes the name.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension SQLFunction {
  /// Returns a built-in function for operands of known kinds.
  static func builtin(
    _ function: BuiltinFunction, _ kinds: [SQLKind], marksNaN: Bool, mayFail: Bool
  ) -> SQLFunction {
    let name = "\(function.rawValue.identifier)_\(kinds.letters)"
    // Looked up once, not for every row.
    if case .unary(let type) = function.implementation, kinds.count == 1 {
      return calculating(
        name, kinds, marksNaN: marksNaN, mayFail: mayFail, asciiCase: kinds == [.string] ? function.asciiCase : nil
      ) { try type.call($0[0]) }
    }
    if case .binary(let type) = function.implementation, kinds.count == 2 {
      return calculating(name, kinds, marksNaN: marksNaN, mayFail: mayFail) { try type.call($0[0], $0[1]) }
    }
    return calculating(name, kinds, marksNaN: marksNaN, mayFail: mayFail) { values in
      try function.callPure(values) ?? .null
    }
  }

  /// Returns a function of a registry, for a receiver and arguments of known kinds.
  static func registered(
    _ selector: String, in registry: FunctionRegistry, _ kinds: [SQLKind], marksNaN: Bool
  ) -> SQLFunction {
    let name = "call_\(selector.identifier)_\(kinds.letters)"
    return SQLFunction(name: marksNaN ? name + "_nan" : name, operandCount: kinds.count, takesPlace: true) {
      var values: [ExpressionValue] = []
      // The arguments are mostly the same for every row, so the work that depends only on them is done once.
      var candidates: [RegisteredFunction] = []
      var known: ArraySlice<SQLValue>?
      return { arguments in
        try decode(arguments, kinds, into: &values)
        defer { values.removeAll(keepingCapacity: true) }
        let target = values.removeFirst()
        if target.isNull { return .null }
        let others = arguments[1..<kinds.count]
        if known != others {
          candidates = registry.candidates(selector).map { $0.prepared(for: values) }
          known = others
        }
        do {
          guard let candidate = candidates.first(where: { $0.accepts(target) }) else {
            throw EvaluationMistake.unknownFunction(
              selector, kind: target.kind, known: registry.selectors(of: target))
          }
          let result = try candidate.call(target, values)
          guard let stored = SQLValue(result, marksNaN: marksNaN) else {
            throw EvaluationMistake.wrongResult(of: selector, found: result.kind)
          }
          return stored
        } catch {
          throw located(error, at: SourceRange(arguments.last))
        }
      }
    }
  }

  /// Returns the function for `CAST`.
  static func cast(_ cast: Cast, _ kind: SQLKind, marksNaN: Bool) -> SQLFunction {
    calculating("cast_\(cast.rawValue)_\(kind.letter)", [kind], marksNaN: marksNaN, mayFail: true) {
      try cast.call($0[0])
    }
  }

  /// Returns a comparison of two values.
  static func comparison(_ comparator: PredicateOperator, _ options: ComparisonOptions, _ kinds: [SQLKind])
    -> SQLFunction
  {
    let mayFail = comparator.mayFail(on: kinds[0], kinds[1])
    return testing(
      "\(comparator.identifier)\(options.rawValue)_\(kinds.letters)", kinds, mayFail: mayFail
    ) { values, patterns in
      try comparator.holds(values[0], values[1], options: options, patterns: patterns)
    }
  }

  /// Returns a comparison of one value with several others: `IN {…}` and `BETWEEN {…}`.
  static func comparisonWithList(
    _ comparator: PredicateOperator, _ options: ComparisonOptions, _ kinds: [SQLKind]
  ) -> SQLFunction {
    let mayFail = comparator == .between && kinds.dropFirst().contains { comparator.mayFail(between: kinds[0], $0) }
    return testing(
      "\(comparator.identifier)\(options.rawValue)_list_\(kinds.letters)", kinds, mayFail: mayFail
    ) { values, patterns in
      let list = ExpressionValue.array(Array(values.dropFirst()))
      return try comparator.holds(values[0], list, options: options, patterns: patterns)
    }
  }

  private static func calculating(
    _ name: String, _ kinds: [SQLKind], marksNaN: Bool, mayFail: Bool, asciiCase: ASCIICase? = nil,
    _ function: @escaping @Sendable ([ExpressionValue]) throws -> ExpressionValue
  ) -> SQLFunction {
    SQLFunction(
      name: marksNaN ? name + "_nan" : name, operandCount: kinds.count, takesPlace: mayFail, asciiCase: asciiCase
    ) {
      // Reused between rows: allocating an array per row costs more than most functions.
      var values: [ExpressionValue] = []
      return { arguments in
        try decode(arguments, kinds, into: &values)
        defer { values.removeAll(keepingCapacity: true) }
        do {
          let result = try function(values)
          guard let stored = SQLValue(result, marksNaN: marksNaN) else {
            throw EvaluationMistake.wrongResult(of: name, found: result.kind)
          }
          return stored
        } catch {
          throw located(error, at: SourceRange(arguments.last))
        }
      }
    }
  }

  private static func testing(
    _ name: String, _ kinds: [SQLKind], mayFail: Bool,
    _ function: @escaping @Sendable ([ExpressionValue], PatternCache) throws -> Bool
  ) -> SQLFunction {
    SQLFunction(name: name, operandCount: kinds.count, takesPlace: mayFail) {
      let patterns = PatternCache()
      var values: [ExpressionValue] = []
      return { arguments in
        try decode(arguments, kinds, into: &values)
        defer { values.removeAll(keepingCapacity: true) }
        do {
          return .integer(try function(values, patterns) ? 1 : 0)
        } catch {
          throw located(error, at: SourceRange(arguments.last))
        }
      }
    }
  }

  private static func decode(
    _ arguments: [SQLValue], _ kinds: [SQLKind], into values: inout [ExpressionValue]
  ) throws(UnexpectedSQLValue) {
    values.removeAll(keepingCapacity: true)
    for (argument, kind) in zip(arguments, kinds) { values.append(try argument.decoded(as: kind)) }
  }
}

extension SourceRange {
  /// Both bounds packed into one number, to pass as a function argument.
  var packed: SQLValue { .integer(Int64(lowerBound) << 32 | Int64(upperBound) & 0xFFFF_FFFF) }

  fileprivate init(_ value: SQLValue?) {
    guard case .integer(let packed)? = value else {
      self.init()
      return
    }
    self.init(Int(packed >> 32), Int(packed & 0xFFFF_FFFF))
  }
}

extension BuiltinFunction {
  fileprivate var asciiCase: ASCIICase? {
    switch self {
    case .uppercase: .upper
    case .lowercase: .lower
    default: nil
    }
  }
}

extension [SQLKind] {
  fileprivate var letters: String { String(map(\.letter)) }
}

extension String {
  /// The name with only characters that SQL allows in an unquoted name.
  fileprivate var identifier: String { replacing(":", with: "_") }
}

extension PredicateOperator {
  fileprivate var identifier: String {
    switch self {
    case .equal: "equal"
    case .notEqual: "unequal"
    case .less: "less"
    case .lessOrEqual: "at_most"
    case .greater: "greater"
    case .greaterOrEqual: "at_least"
    case .between, .in, .contains, .beginsWith, .endsWith, .like, .matches: rawValue.lowercased()
    }
  }
}
