import Foundation
import HeavyliftExpression
import HeavyliftTestSupport
import Testing

/// `Fixtures/Malformed/expressions/*.txt`: invalid texts with their messages, each block a line with the text, the
/// message, and an empty line.
struct MalformedExpressionTests {
  struct Block: CustomStringConvertible {
    var title: String
    var message: String
    var description: String { title }
  }

  static let folder = Corpus.project.appending(path: "Fixtures/Malformed/expressions")

  static let blocks: [Block] = ["predicates.txt", "expressions.txt"].flatMap { name -> [Block] in
    guard let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8) else { return [] }
    return text.components(separatedBy: "\n\n").filter { !$0.hasPrefix("#") }.map { block in
      let lines = block.trimmingCharacters(in: .newlines).components(separatedBy: "\n")
      return Block(title: lines[0], message: lines.dropFirst().joined(separator: "\n"))
    }
  }

  @Test func `there are malformed expressions`() {
    #expect(Self.blocks.count >= 120)
  }

  @Test(arguments: blocks) func `a malformed text gets exactly its message`(block: Block) {
    #expect(Self.message(for: block.title) == block.message)
  }

  @Test func `every mistake has a code and a problem, and no two kinds share their words`() {
    let problems = Self.blocks.flatMap { Self.mistakes(in: $0.title) }
    #expect(problems.allSatisfy { $0.code.hasPrefix("expression.") && !$0.problem.isEmpty && $0.remedy != nil })
  }

  private static func mistakes(in title: String) -> [ExpressionMistake] {
    guard let error = error(for: title) else { return [] }
    return error.mistakes
  }

  static func message(for title: String) -> String { error(for: title)?.description ?? "no mistake" }

  private static func error(for title: String) -> ExpressionSyntaxError? {
    guard let colon = title.range(of: ": ") else { return nil }
    let text = String(title[colon.upperBound...])
    do {
      switch title[..<colon.lowerBound] {
      case "predicate": _ = try MappingPredicate(parsing: text)
      case "expression": _ = try MappingExpression(parsing: text)
      default: _ = try MappingExpression(parsing: text, acceptingOtherFunctions: false)
      }
      return nil
    } catch {
      return error
    }
  }
}
