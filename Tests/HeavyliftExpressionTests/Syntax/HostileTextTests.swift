import Foundation
import HeavyliftExpression
import HeavyliftModel
import Testing

/// Malicious text ends in an error or in a tree, in time proportional to its length.
struct HostileTextTests {
  /// Repetitions with a start, a middle and an end; each nests a rule of the grammar in itself.
  static let shapes: [(String, String, String)] = [
    ("(", "a == 1", ")"), ("(", "1", ")"), ("{", "", "}"), ("NOT ", "a == 1", ""), ("!", "a == 1", ""), ("-", "a", ""),
    ("~", "a", ""), ("a[", "0", "]"), ("abs:(", "1", ")"), ("mine(", "1", ")"), ("TERNARY(a == 1, 1, ", "2", ")"),
    ("TERNARY(", "a == 1", ", 1, 2) == 1"), ("SUBQUERY(", "a", ", $x, $x == 1)"),
    ("SUBQUERY(a, $x, ", "b == 1", ") == 1"),
    ("FUNCTION(", "a", ", 'b')"), ("CAST(", "a", ", 'T')"), ("$x := ", "1", ""), ("FETCH(", "a", ", b, NO)"),
    ("(NOT ", "a == 1", ")"), ("(a == 1 AND ", "b == 2", ")"), ("(a + ", "1", ")"), ("1 - (", "1", ") - 1"),
    ("objectFrom:withIndex:(", "a", ", 1)"), ("(((1 + (", "a == 1", "))))"), ("ANY (", "a", ") == 1"),
    ("", "a", "[0]"), ("", "1", " + 1"), ("", "1", " ** 1"), ("", "a", " UNION b"), ("", "1", " | 1"),
  ]

  @Test(arguments: shapes) func `nesting too deep is an immediate error`(
    opening: String, middle: String, closing: String
  ) {
    for count in [200, 1_000] {
      let whole = String(repeating: opening, count: count) + middle + String(repeating: closing, count: count)
      let unclosed = String(repeating: opening, count: count) + middle
      for text in [whole, opening.isEmpty ? whole : unclosed, String(repeating: opening + " ", count: count)] {
        _ = try? MappingExpression(parsing: text)
        do {
          _ = try MappingPredicate(parsing: text)
          Issue.record("read: \(text.prefix(60))")
        } catch {
          #expect(error.mistakes.count <= 20)
        }
      }
      #expect(Self.isTooDeep(whole), "\(whole.prefix(60))")
    }
  }

  @Test(arguments: shapes.filter { isRead($0) })
  func `the deepest allowed nesting is parsed, compared, printed and destroyed`(
    opening: String, middle: String, closing: String
  ) throws {
    var count = 130
    // The deepest accepted text.
    func text() -> String {
      String(repeating: opening, count: count) + middle + String(repeating: closing, count: count)
    }
    while count > 0, (try? MappingExpression(parsing: text())) == nil, (try? MappingPredicate(parsing: text())) == nil {
      count -= 1
    }
    #expect(count >= 50)
    if let expression = try? MappingExpression(parsing: text()) {
      #expect(try MappingExpression(parsing: expression.text()) == expression)
      #expect(try MappingExpression(parsing: expression.text()).hashValue == expression.hashValue)
    } else {
      let predicate = try MappingPredicate(parsing: text())
      #expect(try MappingPredicate(parsing: predicate.text()) == predicate)
      #expect(try MappingPredicate(parsing: predicate.text()).hashValue == predicate.hashValue)
    }
  }

  @Test func `the depth allowed needs little stack`() async throws {
    // The stack size of secondary threads on the smallest platforms.
    let isDone = await withCheckedContinuation { continuation in
      let thread = Thread {
        var isDone = true
        for (opening, middle, closing) in Self.shapes {
          for count in [60, 100, 126, 127, 128, 136, 500] {
            let text = String(repeating: opening, count: count) + middle + String(repeating: closing, count: count)
            if let expression = try? MappingExpression(parsing: text) {
              isDone =
                isDone && expression.hashValue != 0 && "\(expression)" == "\(expression)" && expression == expression
            }
            if let predicate = try? MappingPredicate(parsing: text) {
              isDone = isDone && predicate.hashValue != 0 && "\(predicate)" == "\(predicate)" && predicate == predicate
            }
          }
        }
        continuation.resume(returning: isDone)
      }
      thread.stackSize = 4 << 20
      thread.start()
    }
    #expect(isDone)
  }

  @Test func `a text that is too long is not read at all`() {
    let error = #expect(throws: ExpressionSyntaxError.self) {
      try MappingPredicate(parsing: String(repeating: "a ", count: 600_000))
    }
    #expect(error?.mistakes.map(\.problem) == ["the text has more than 1000000 characters"])
    #expect((error?.text.count ?? 0) <= 200)
  }

  @Test func `limits can be set`() throws {
    let limits = ExpressionLimits(length: 20, depth: 3)
    _ = try MappingPredicate(parsing: "a == (1 + 2)", limits: limits)
    #expect(throws: ExpressionSyntaxError.self) { try MappingPredicate(parsing: "a == 1 + 2 + 3", limits: limits) }
    #expect(throws: ExpressionSyntaxError.self) {
      try MappingPredicate(parsing: "a == 1                ", limits: limits)
    }
  }

  @Test func `a long list is read`() throws {
    let elements = (0..<50_000).map(String.init).joined(separator: ", ")
    let predicate = try MappingPredicate(parsing: "a IN {\(elements)}")
    #expect(try MappingPredicate(parsing: predicate.text()) == predicate)
    let chain = (0..<20_000).map { "a == \($0)" }.joined(separator: " OR ")
    guard case .or(let predicates) = try MappingPredicate(parsing: chain).kind else {
      throw Unexpected(description: "no chain")
    }
    #expect(predicates.count == 20_000)
    let path = "a" + String(repeating: ".b", count: 50_000)
    #expect(try MappingExpression(parsing: path).text() == path)
  }

  @Test func `at most twenty mistakes are reported`() {
    let error = #expect(throws: ExpressionSyntaxError.self) {
      try MappingPredicate(parsing: String(repeating: "a CONTAIN 'x' OR ", count: 20_000) + "b == 1")
    }
    #expect(error?.mistakes.count == 20)
    #expect((error?.description.count ?? 0) < 10_000)
  }

  /// Returns true if two repetitions parse; some shapes start well but must not be nested.
  static func isRead(_ shape: (String, String, String)) -> Bool {
    let text = shape.0 + shape.0 + shape.1 + shape.2 + shape.2
    return (try? MappingExpression(parsing: text)) != nil || (try? MappingPredicate(parsing: text)) != nil
  }

  private static func isTooDeep(_ text: String) -> Bool {
    do {
      _ = try MappingPredicate(parsing: text)
      return false
    } catch {
      return error.mistakes.contains {
        if case .tooDeep = $0.kind { true } else { false }
      }
    }
  }
}
