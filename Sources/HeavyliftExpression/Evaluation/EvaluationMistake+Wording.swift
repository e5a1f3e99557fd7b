import HeavyliftModel

extension EvaluationMistake {
  /// The stable code for scripts and documentation.
  package var code: String {
    switch self {
    case .assignment: "expression.assignment"
    case .anyKey: "expression.any-key"
    case .tooDeep: "expression.too-deep"
    case .unavailableFunction: "expression.unavailable-function"
    case .noFetching: "expression.no-fetching"
    case .customOperator: "expression.custom-operator"
    case .unknownVariable: "expression.unknown-variable"
    case .unknownKey: "expression.unknown-key"
    case .unknownFunction: "expression.unknown-function"
    case .unknownGlobalFunction: "expression.unknown-function"
    case .unknownType: "expression.unknown-type"
    case .classLookup: "expression.class-lookup"
    case .wrongArgumentCount: "expression.argument-count"
    case .wrongBoundCount: "expression.bound-count"
    case .missingKey: "expression.missing-key"
    case .misplacedKey: "expression.misplaced-key"
    case .wrongOperand: "expression.operand"
    case .incomparable: "expression.incomparable"
    case .notQuantifiable: "expression.quantifier"
    case .notCastable: "expression.cast"
    case .wrongArgument: "expression.argument"
    case .wrongResult: "expression.result"
    case .overflow: "expression.overflow"
    case .inexact, .inexactCast: "expression.inexact"
    case .divisionByZero: "expression.division-by-zero"
    case .emptyCollection: "expression.empty-collection"
    case .indexOutOfBounds, .splitCharacter: "expression.index"
    case .invalidPattern: "expression.invalid-pattern"
    case .endlessPattern: "expression.endless-pattern"
    case .notADate, .unwritableDate: "expression.date"
    case .badDateFormat: "expression.date-format"
    case .unknownTimeZone: "expression.time-zone"
    case .unknownLocale: "expression.locale"
    case .failedKey: "expression.failed-key"
    case .failedFunction: "expression.failed-function"
    case .failedFetch: "expression.failed-fetch"
    }
  }

  /// The problem in lowercase, starting with the thing that is wrong.
  package var problem: String {
    switch self {
    case .assignment(let name): "variable '$\(name)' cannot be assigned a value"
    case .anyKey: "'ANYKEY' works only in Spotlight queries"
    case .tooDeep(let limit): "the expression is nested more than \(limit) levels deep"
    case .unavailableFunction(let name): "function '\(name)' needs a framework that is not available here"
    case .noFetching: "'FETCH' is used where nothing can be fetched"
    case .customOperator(let name): "operator '\(name)' is not built in"
    case .unknownVariable(let name, _): "variable '$\(name)' has no value"
    case .unknownKey(let key, let kind, _): "\(kind) has no key '\(key)'"
    case .unknownFunction(let selector, let kind, _): "\(kind) has no function '\(selector)'"
    case .unknownGlobalFunction(let name, _): "there is no function '\(name)'"
    case .unknownType(let name, _): "'CAST' does not support type '\(name)'"
    case .classLookup: "'CAST' to 'Class', which looks up a class by name, is not supported"
    case .wrongArgumentCount(let name, let expected, let found):
      "function '\(name)' takes \(counted(expected, "argument")), not \(found)"
    case .wrongBoundCount(let count): "the right side of 'BETWEEN' has \(counted(count, "value"))"
    case .missingKey(let operation): "collection operator '@\(operation)' has no key after it"
    case .misplacedKey(let operation): "collection operator '@\(operation)' cannot be followed by a key"
    case .wrongOperand(let operation, let expected, let found): "'\(operation)' needs \(expected), but got \(found)"
    case .incomparable(let comparator, let left, let right): "'\(comparator)' cannot compare \(left) with \(right)"
    case .notQuantifiable(let quantifier, let found): "the left side of '\(quantifier)' is \(found), not a collection"
    case .notCastable(let kind, let type): "\(kind) cannot be converted to '\(type)'"
    case .wrongArgument(let place, let selector, let expected, let found):
      "argument \(place) of function '\(selector)' must be \(expected), not \(found)"
    case .wrongResult(let selector, let found):
      "function '\(selector)' returned \(found), which expressions do not support"
    case .overflow(let operation): "'\(operation)' gives a number that is too large"
    case .inexact(let function): "'\(function)' gives a floating-point number, which cannot hold this number exactly"
    case .inexactCast(let type): "\(type.quotedName) cannot hold the number in this string exactly"
    case .divisionByZero(let operation): "'\(operation)' divides by zero"
    case .emptyCollection(let operation): "'\(operation)' got no value"
    case .indexOutOfBounds(let count): "the index is outside a collection with \(counted(count, "element"))"
    case .splitCharacter: "the index is in the middle of a character"
    case .invalidPattern: "the right side of 'MATCHES' is not a regular expression"
    case .endlessPattern: "the regular expression of 'MATCHES' takes too long to match"
    case .failedKey(let key, let text): "key '\(key)' cannot be read: \(text)"
    case .failedFunction(let selector, let text): "function '\(selector)' failed: \(text)"
    case .notADate(let format, let flaw):
      "a string is not a date in \(format.map { "format '\($0)'" } ?? "ISO 8601 format"): \(flaw.problem)"
    case .unwritableDate(let selector): "'\(selector)' cannot write a date outside of the years 1 to 9999"
    case .badDateFormat(let format, let flaw): "date format '\(format)' \(flaw.problem)"
    case .unknownTimeZone(let name, _): "there is no time zone '\(name)'"
    case .unknownLocale(let name, _): "there is no locale '\(name)'"
    case .failedFetch(let text): "'FETCH' failed: \(text)"
    }
  }

  /// The fix, if there is one to suggest.
  package var remedy: String? {
    switch self {
    case .assignment: "write the value in place of the variable"
    case .anyKey: "write the key itself"
    case .tooDeep: "split it, or write a function in an entity policy"
    case .unavailableFunction: "write a function in an entity policy"
    case .noFetching: "fetch in an entity policy"
    case .customOperator: "call a function in an entity policy, and compare its result"
    case .unknownVariable(let name, let known): known.suggestion(for: name, kind: "variable")
    case .unknownKey(let key, _, let known): known.isEmpty ? nil : known.suggestion(for: key, kind: "key")
    case .unknownFunction(let selector, _, let known):
      FunctionSynonyms.remedy(for: selector) ?? known.nearest(to: selector).map { "did you mean '\($0)'?" }
        ?? "register the function under that selector"
    case .unknownGlobalFunction(let name, let known):
      FunctionSynonyms.remedy(for: name)
        ?? (known.first { $0.hasPrefix("\(name.split(separator: ":").first ?? ""):") && $0 != name }
        ?? known.nearest(to: name)).map { "did you mean '\($0)'?" } ?? "register the function under that name"
    case .unknownType(let name, let known): known.suggestion(for: name, kind: "type")
    case .classLookup: "register functions for a receiver, and pass the receiver as a variable"
    case .wrongArgumentCount: "a function takes one argument for each colon in its name"
    case .wrongBoundCount: "write two: {lowest, highest}"
    case .missingKey(let operation): "write '@\(operation).key', or '@\(operation).#self' for the elements themselves"
    case .misplacedKey(let operation): "end the key path after '@\(operation)'"
    case .notQuantifiable(let quantifier, _): "remove '\(quantifier)', or name a to-many relationship"
    case .incomparable: "convert one of them with 'CAST'"
    case .inexact:
      "an integer needs no rounding; instead of 'abs:(x)', write 'TERNARY(x < 0, 0 - x, x)'"
    case .inexactCast("NSNumber"):
      "write 'CAST(…, \"NSDecimalNumber\")', or 'FUNCTION(…, \"doubleValue\")' to round it"
    case .inexactCast: "a decimal has up to 38 digits: keep the string, or round the number in an entity policy"
    case .overflow: "convert an operand to 'NSDecimalNumber' with 'CAST', or calculate with 1.0 instead of 1"
    case .divisionByZero: "test for zero with 'TERNARY' first"
    case .emptyCollection:
      "test with 'TERNARY' first that there is one: 'SUBQUERY(items, $i, $i.price != nil).@count > 0'"
    case .indexOutOfBounds: "test '[SIZE]' with 'TERNARY' first"
    case .splitCharacter: "choose another index for such texts with 'TERNARY'"
    case .invalidPattern: "check its brackets and parentheses; within quotes, write each backslash twice"
    case .endlessPattern: "avoid nested repetitions such as '(a+)+'"
    case .notADate(_, let flaw): flaw.remedy
    case .unwritableDate: "choose another value for such dates with 'TERNARY'"
    case .badDateFormat(let format, let flaw): flaw.remedy(for: format)
    case .unknownTimeZone(_, let meant):
      meant.map { "did you mean '\($0)'?" } ?? "write its identifier, such as 'Europe/Berlin' or 'UTC'"
    case .unknownLocale(_, let meant):
      meant.map { "did you mean '\($0)'?" } ?? "write its identifier, such as 'de_DE' or 'en_US_POSIX'"
    case .notCastable("a string", to: "NSDate"): Self.readingDates
    case .wrongOperand, .notCastable, .wrongArgument, .wrongResult, .failedKey, .failedFunction, .failedFetch: nil
    }
  }

  /// The functions that turn strings into dates.
  static let readingDates =
    "write 'FUNCTION(…, \"dateWithFormat:\", \"yyyy-MM-dd\")' with the format of the string, or "
    + "'FUNCTION(…, \"dateWithISO8601Format\")'"

  private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
