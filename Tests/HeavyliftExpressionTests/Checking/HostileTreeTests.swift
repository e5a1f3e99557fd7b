import HeavyliftExpression
import HeavyliftModel
import Testing

/// Trees that only a program can build.
struct HostileTreeTests {
  private let checker: ExpressionChecker = {
    var environment = CheckingEnvironment(source: MusicModels.version1)
    environment.enter(.sourceFilter, source: "Track", destination: nil)
    return ExpressionChecker(environment)
  }()

  @Test func `a tree deeper than any text is refused`() {
    var expression = MappingExpression(.constant(.value(1)))
    for _ in 0..<900 { expression = MappingExpression(.function(.absolute, [expression])) }
    #expect(
      checker.check(expression).diagnostics().map(\.description) == [
        """
        error[expression.too-deep]: the expression is nested more than 512 levels deep
          split it, or write a function in an entity policy
        """
      ])
  }

  @Test func `the deepest text is checked`() throws {
    let levels = ExpressionLimits().depth / 3
    let text = String(repeating: "(", count: levels) + "seconds" + String(repeating: " + 1)", count: levels)
    #expect(try checker.check(MappingExpression(parsing: text)).findings.isEmpty)
  }

  @Test func `nested branches are not checked repeatedly`() throws {
    var text = "1"
    for _ in 0..<60 { text = "TERNARY(seconds > 1, \(text), 2)" }
    #expect(try checker.check(MappingExpression(parsing: text)).type == ExpressionType(.integer))
    var predicate = "1 IN {seconds}"
    for _ in 0..<24 { predicate = "TERNARY(\(predicate), 1, 2) IN {TERNARY(1 == 1, 1, 2)}" }
    #expect(try checker.check(MappingPredicate(parsing: predicate)).findings.isEmpty)
  }

  @Test func `nested ranges are not checked repeatedly`() throws {
    var text = "seconds"
    for _ in 0..<30 { text = "TERNARY(1 BETWEEN {0, \(text)}, 1, 2)" }
    #expect(try checker.check(MappingExpression(parsing: text)).findings.isEmpty)
  }

  @Test func `only the first hundred mistakes of a text are reported`() throws {
    let text = (0..<5000).map { "unknown\($0) == 1" }.joined(separator: " OR ")
    #expect(try checker.check(MappingPredicate(parsing: text)).findings.count == 100)
  }

  @Test func `predicates in strings in predicates terminate`() throws {
    var environment = checker.environment
    environment.enter(.sourceExpression, source: "Track", destination: nil)
    let text = #"FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Track", "title == 3")"#
    let found = ExpressionChecker(environment).check(try MappingExpression(parsing: text)).findings
    #expect(found.map(\.range) == [SourceRange(text.unicodeScalars.count - 6, text.unicodeScalars.count - 4)])
  }
}
