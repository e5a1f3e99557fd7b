import HeavyliftExpression
import HeavyliftTestSupport
import Testing

@Suite struct LogicLawTests {
  private static let leaves = [
    "absent > 5", "seven > 5", "absent == nil", "title LIKE 'E*'", "ANY list == 3", "list CONTAINS absent",
    "half < seven",
    "NOT absent < seven", "absent BETWEEN {1, 2}", "TRUEPREDICATE", "FALSEPREDICATE",
  ]

  private func random(_ generator: inout SeededGenerator, depth: Int) -> String {
    switch depth == 0 ? 0 : Int.random(in: 0..<4, using: &generator) {
    case 1: "(\(random(&generator, depth: depth - 1)) AND \(random(&generator, depth: depth - 1)))"
    case 2: "(\(random(&generator, depth: depth - 1)) OR \(random(&generator, depth: depth - 1)))"
    case 3: "NOT (\(random(&generator, depth: depth - 1)))"
    default: "(\(LogicLawTests.leaves.randomElement(using: &generator) ?? ""))"
    }
  }

  @Test(arguments: Seeds.some(of: 1..<41))
  func `logic has two values and keeps De Morgan's laws`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (p, q) = (random(&generator, depth: 3), random(&generator, depth: 3))
    func value(_ text: String) throws -> Bool { try holds(text, on: MeaningTests.object) }
    let (first, second) = (try value(p), try value(q))
    #expect(try value("NOT \(p)") == !first, "seed \(seed)")
    #expect(try value("\(p) AND \(q)") == (first && second), "seed \(seed)")
    #expect(try value("\(p) OR \(q)") == (first || second), "seed \(seed)")
    #expect(try value("NOT (\(p) AND \(q))") == value("NOT \(p) OR NOT \(q)"), "seed \(seed)")
    #expect(try value("NOT (\(p) OR \(q))") == value("NOT \(p) AND NOT \(q)"), "seed \(seed)")
    #expect(
      try evaluate("TERNARY(\(p), 1, 2)", on: MeaningTests.object) == (first ? 1 : 2), "seed \(seed)")
  }
}
