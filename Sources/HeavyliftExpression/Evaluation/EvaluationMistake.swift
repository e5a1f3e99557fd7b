/// A mistake found during compilation or evaluation; `problem` and `remedy` put it in words, without user data.
package enum EvaluationMistake: Error, Hashable, Sendable {
  // Syntax that is not allowed in expressions.
  case assignment(String)
  case anyKey
  case tooDeep(limit: Int)
  case unavailableFunction(String)
  case noFetching
  case customOperator(String)

  // Names.
  case unknownVariable(String, known: [String])
  case unknownKey(String, kind: String, known: [String])
  case unknownFunction(String, kind: String, known: [String])
  case unknownGlobalFunction(String, known: [String])
  case unknownType(String, known: [String])
  case classLookup

  // Numbers of arguments, bounds and keys.
  case wrongArgumentCount(String, expected: Int, found: Int)
  case wrongBoundCount(Int)
  case missingKey(behind: String)
  case misplacedKey(behind: String)

  // Wrong kinds of values.
  case wrongOperand(of: String, expected: String, found: String)
  case incomparable(String, left: String, right: String)
  case notQuantifiable(String, found: String)
  case notCastable(String, to: String)
  case wrongArgument(Int, of: String, expected: String, found: String)
  case wrongResult(of: String, found: String)

  // Values for which an operation has no result.
  case overflow(String)
  case inexact(String)
  case inexactCast(to: String)
  case divisionByZero(String)
  case emptyCollection(String)
  case indexOutOfBounds(count: Int)
  case splitCharacter
  case invalidPattern
  case endlessPattern
  /// The format is nil for ISO 8601.
  case notADate(format: String?, DateFlaw)
  case unwritableDate(by: String)

  // Formats of dates.
  case badDateFormat(String, DateFormatFlaw)
  case unknownTimeZone(String, meant: String?)
  case unknownLocale(String, meant: String?)

  // Errors thrown by other code, as text.
  case failedKey(String, String)
  case failedFunction(String, String)
  case failedFetch(String)
}
