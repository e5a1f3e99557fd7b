import HeavyliftExpression
import HeavyliftModel

/// What libFuzzer calls with each input: the first byte says how the rest is read.
///
/// A text ends in a tree that is printed and read back as the same tree, or in mistakes that stand within the text and
/// can be told. Anything else ends the process, which is what libFuzzer looks for.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzExpressions(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let text = String(decoding: UnsafeBufferPointer(start: bytes + 1, count: count - 1), as: UTF8.self)
  let arguments: [FormatArgument] = [
    .value("a.b"), .value(1), .value(2.5), .array([.value("x"), .set([.value(1)])]), .value(.double(.nan)),
  ]
  do {
    switch bytes[0] % 4 {
    case 0:
      let tree = try MappingExpression(parsing: text)
      try require(MappingExpression(parsing: tree.text()) == tree, "an expression is read back")
    case 1:
      let tree = try MappingPredicate(parsing: text)
      try require(MappingPredicate(parsing: tree.text()) == tree, "a predicate is read back")
    case 2:
      let tree = try MappingExpression(parsing: text, acceptingOtherFunctions: false)
      require(tree.substituting(["source": tree]).description.isEmpty == false, "a tree has a text")
    default:
      let tree = try MappingPredicate(format: text, arguments: arguments)
      let format = try tree.format()
      let read = try MappingPredicate(format: format.text, arguments: format.arguments)
      // Not a number is not equal to itself, and neither is a tree that holds it.
      require(read == tree || tree != tree, "a predicate with arguments is read back")
    }
  } catch let error as ExpressionSyntaxError {
    let length = text.unicodeScalars.count
    require(!error.mistakes.isEmpty && error.mistakes.count <= 20, "an error has mistakes")
    for mistake in error.mistakes {
      let range = mistake.range
      require(0 <= range.lowerBound && range.lowerBound <= range.upperBound, "a range is one")
      require(range.upperBound <= length, "a mistake stands in the text")
      require(!mistake.problem.isEmpty && mistake.remedy?.isEmpty != true, "a mistake has words")
    }
    require(!error.description.isEmpty, "an error has words")
  } catch {
    require(false, "nothing else is thrown")
  }
  return 0
}

private func require(_ isKept: Bool, _ promise: String) { precondition(isKept, "broken: \(promise)") }
