import Foundation
import HeavyliftExpression
import HeavyliftTestSupport
import Testing

@Suite struct LikeLawTests {
  /// Slow and obvious: tries every possible run.
  private func naive(_ text: [Character], _ pattern: [Character]) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    switch first {
    case "*": return (0...text.count).contains { naive(Array(text.dropFirst($0)), Array(pattern.dropFirst())) }
    case "?": return !text.isEmpty && naive(Array(text.dropFirst()), Array(pattern.dropFirst()))
    case "\\":
      guard pattern.count > 1 else { return text == ["\\"] }
      return text.first == pattern[1] && naive(Array(text.dropFirst()), Array(pattern.dropFirst(2)))
    default: return text.first == first && naive(Array(text.dropFirst()), Array(pattern.dropFirst()))
    }
  }

  private func like(_ text: String, _ pattern: String, _ options: ComparisonOptions = []) throws -> Bool {
    func constant(_ text: String) -> MappingExpression { MappingExpression(.constant(.value(.string(text)))) }
    let predicate = MappingPredicate(
      .comparison(.init(constant(text), .like, constant(pattern), options: options)))
    var context = EvaluationContext()
    return try CompiledPredicate(predicate).evaluate(in: &context)
  }

  @Test(arguments: Seeds.some(of: 1..<21))
  func `LIKE agrees with trying everything`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let letters: [Character] = ["a", "b", "é", "e\u{301}", "\r\n", "\r", "\n", "*", "?", "\\", "😀"]
    let pieces: [Character] = letters + ["*", "?", "*", "\\"]
    for _ in 0..<500 {
      let alphabet = Bool.random(using: &generator) ? Array(letters.prefix(2)) : letters
      let text = (0..<Int.random(in: 0...7, using: &generator)).compactMap { _ in
        alphabet.randomElement(using: &generator)
      }
      let pattern = (0..<Int.random(in: 0...6, using: &generator)).compactMap { _ in
        pieces.randomElement(using: &generator)
      }
      // Joined, a carriage return and a line feed become one character, also in the reference.
      let (joined, joinedPattern) = (String(text), String(pattern))
      let expected = naive(Array(joined), Array(joinedPattern))
      #expect(
        try like(joined, joinedPattern) == expected,
        "seed \(seed): \(joined.debugDescription) LIKE \(joinedPattern.debugDescription)")
    }
  }

  @Test(arguments: Seeds.some(of: 1..<11))
  func `without wildcards LIKE with options is equality with them`(seed: UInt64) throws {
    var values = ValueGenerator(generator: SeededGenerator(seed: seed))
    // Full-width letters are the exception: equality treats them as normal ones, but substring operators do not.
    for _ in 0..<300 {
      let (one, two) = (values.longText(), values.longText())
      if one.contains("Ａ") || two.contains("Ａ") || two.contains("\\") { continue }
      for options: ComparisonOptions in [
        .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
      ] {
        let environment = EvaluationEnvironment(variables: ["l", "r"])
        var context = EvaluationContext(environment)
        context["l"] = .string(one)
        context["r"] = .string(two)
        let equality = MappingPredicate(
          .comparison(
            .init(MappingExpression(.variable("l")), .equal, MappingExpression(.variable("r")), options: options)))
        #expect(
          try like(one, two, options) == CompiledPredicate(equality, in: environment).evaluate(in: &context),
          "seed \(seed): \(one.debugDescription), \(two.debugDescription), \(options.rawValue)")
      }
    }
  }

  @Test func `many runs do not multiply`() throws {
    let text = String(repeating: "a", count: 20_000)
    let pattern = String(repeating: "*a", count: 50) + "*b"
    #expect(try !like(text, pattern))
    #expect(try !like(text + "é", pattern))
  }
}
