import Foundation
import HeavyliftExpression
import HeavyliftTestSupport
import Testing

/// Every row of `Decisions.md` and `Expressions.md` is true.
@Suite struct DecisionTests {
  /// A row of a table: a text and its result.
  struct Decision: CustomStringConvertible {
    var text: String
    var result: String
    var description: String { text }
  }

  private static let catalog = "Sources/HeavyliftExpression/HeavyliftExpression.docc"
  private static let page = Result {
    try MarkdownDocument(contentsOf: Corpus.project.appending(path: "\(catalog)/Decisions.md"))
  }

  static func decisions() throws -> [Decision] { try decisions(page.get()) }

  private static func decisions(_ page: MarkdownDocument) throws -> [Decision] {
    try page.tableRows.filter { $0.count == 3 }.map { row in
      Decision(text: try #require(MarkdownDocument.code(in: row[0]), "\(row)"), result: row[1])
    }
  }

  @Test func `every example of the language is true`() throws {
    var page = try MarkdownDocument(contentsOf: Corpus.project.appending(path: "\(Self.catalog)/Expressions.md"))
    // The variables of a migration.
    page.removeRows { $0[0].hasPrefix("`$") }
    let examples = try Self.decisions(page)
    #expect(examples.count > 20)
    for example in examples {
      let outcome = Self.outcome(of: example)
      #expect(outcome == example.result, "\(example)")
    }
  }

  @Test func `every function of the language is named`() throws {
    let url = Corpus.project.appending(path: "\(Self.catalog)/Expressions.md")
    let text = try String(contentsOf: url, encoding: .utf8)
    let words = Set(text.split { $0.isWhitespace || $0 == "`" || $0 == "," || $0 == "." }.map(String.init))
    for function in BuiltinFunction.allCases {
      let name = function.rawValue
      #expect(words.contains(name) || words.contains(String(name.dropLast())), "\(name)")
    }
  }

  @Test func `every decision is followed`() throws {
    let decisions = try Self.decisions()
    #expect(decisions.count > 60)
    for decision in decisions {
      let outcome = Self.outcome(of: decision)
      #expect(outcome == decision.result, "\(decision)")
    }
  }

  /// Returns the result in the table if it is true, otherwise the actual result.
  private static func outcome(of decision: Decision) -> String {
    let (text, result) = (decision.text, decision.result)
    let code = MarkdownDocument.code(in: result) ?? ""
    do {
      if result.hasPrefix("reads as ") { return "reads as `\(try MappingExpression(parsing: text).text())`" }
      if code.hasPrefix("expression.") {
        let codes = codes(of: text)
        return codes.contains(code) ? result : "\(codes)"
      }
      if ["holds", "does not hold"].contains(result) {
        return try holds(text, on: MeaningTests.object) ? "holds" : "does not hold"
      }
      let (found, expected) = (try evaluate(text, on: MeaningTests.object), try evaluate(code))
      return isSame(found, expected) ? result : "\(found)"
    } catch {
      return "\(error)"
    }
  }

  /// Returns the codes of a text's mistakes, parsed as a predicate or as an expression.
  private static func codes(of text: String) -> [String] {
    var codes: [String] = []
    do {
      _ = try holds(text, on: MeaningTests.object)
      return []
    } catch let error as ExpressionSyntaxError {
      codes = error.mistakes.map(\.code)
    } catch {
      return [(error as? ExpressionEvaluationError)?.mistake.code ?? "\(error)"]
    }
    do {
      _ = try evaluate(text, on: MeaningTests.object)
      return []
    } catch let error as ExpressionSyntaxError {
      return codes + error.mistakes.map(\.code)
    } catch {
      return [(error as? ExpressionEvaluationError)?.mistake.code ?? "\(error)"]
    }
  }

  @Test func `every code that is named is one of the check or of a row`() throws {
    let fixtures = Corpus.project.appending(path: "Fixtures/Malformed/expression-checks")
    let known = try FileManager.default.contentsOfDirectory(at: fixtures, includingPropertiesForKeys: nil)
      .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    let text = try String(contentsOf: Corpus.project.appending(path: "\(Self.catalog)/Decisions.md"), encoding: .utf8)
    let results = try Self.decisions().map(\.result)
    let codes = text.matches(of: /`(expression\.[a-z-]+)`/).map { String($0.1) }
    #expect(codes.count > 20)
    for code in codes where !results.contains("`\(code)`") {
      #expect(known.contains("[\(code)]"), "\(code) is not reported by any check")
    }
  }

  @Test func `every vector that is not followed is listed with its reason`() throws {
    let rows = try Self.page.get().tableRows.filter { $0.count == 2 }
    #expect(
      rows == VectorDeviation.all.sorted { $0.key < $1.key }.map { ["\($0.key)", $0.value] })
  }
}
