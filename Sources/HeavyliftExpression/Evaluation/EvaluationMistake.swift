/// What can go wrong with an expression, as facts; the wording is elsewhere, and users' values are in neither.
public enum EvaluationMistake: Error, Hashable, Sendable {
  // What the language has but an expression must not use.
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

  // Numbers of things.
  case wrongArgumentCount(String, expected: Int, found: Int)
  case wrongBoundCount(Int)
  case missingKey(behind: String)
  case misplacedKey(behind: String)

  // Kinds of values.
  case wrongOperand(of: String, expected: String, found: String)
  case incomparable(String, left: String, right: String)
  case notQuantifiable(String, found: String)
  case notCastable(String, to: String)
  case wrongArgument(Int, of: String, expected: String, found: String)
  case wrongResult(of: String, found: String)

  // Values that cannot be.
  case overflow(String)
  case divisionByZero(String)
  case emptyCollection(String)
  case indexOutOfBounds(count: Int)
  case invalidPattern
  case endlessPattern

  // What other code threw, as text.
  case failedKey(String, String)
  case failedFunction(String, String)
  case failedFetch(String)
}
