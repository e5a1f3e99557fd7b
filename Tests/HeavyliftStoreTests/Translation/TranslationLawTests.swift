import Foundation
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

@Suite struct TranslationLawTests {
  /// `HEAVYLIFT_LAW_SEED` repeats a run.
  @Test func `SQL and the evaluator give the same results, bit for bit and error for error`() throws {
    let environment = ProcessInfo.processInfo.environment
    let wanted = Seeds.some(of: 500_000)
    let seed = environment["HEAVYLIFT_LAW_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1 << 32)
    print("seed of the translation law: \(seed)")
    var rowGenerator = SeededGenerator(seed: seed)
    let check = LawCheck(law: try LawStore(rowCount: 300, using: &rowGenerator))
    var generator = ExpressionGenerator(seed: seed &+ 1)
    var (pairs, errors, translated, made, disagreements) = (0, 0, 0, 0, 0)
    while pairs < wanted {
      let depth = 1 + made % 4
      let subject: LawSubject =
        made % 2 == 0
        ? .expression(generator.expression(depth: depth)) : .predicate(generator.predicate(depth: depth))
      made += 1
      let outcome = try check.check(subject)
      pairs += outcome.pairs
      errors += outcome.errors
      if outcome.isTranslated { translated += 1 }
      guard outcome.disagreement != nil else { continue }
      let shrunk = subject.shrunk { (try? check.check($0))?.disagreement != nil }
      let reason = try check.check(shrunk).disagreement ?? ""
      Issue.record("seed \(seed), expression \(made): \(shrunk)\n\(reason)")
      disagreements += 1
      if disagreements == 10 { return }
    }
    print("\(pairs) pairs agree, \(errors) of them errors; \(translated) of \(made) expressions are translated")
    #expect(translated * 2 > made)
    #expect(errors > 100)
  }
}
