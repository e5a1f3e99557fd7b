import Foundation
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// After every step of a program, objects, store and a plain model of both agree.
struct GraphPropertyTests {
  static let runs = Seeds.some(of: 100)

  @Test(arguments: 0..<runs) func `random operations agree with the reference`(run: Int) {
    let seed = UInt64(run) &* 7919 &+ 1
    var generator = SeededGenerator(seed: seed)
    let operations = (0..<90).map { _ in GraphOperation.random(using: &generator) }
    guard GraphRun.disagreement(operations) != nil else { return }
    let least = operations.shrunk { GraphRun.disagreement($0) != nil }
    let disagreement = GraphRun.disagreement(least)
    Issue.record(
      """
      seed \(seed): \(disagreement?.description ?? "went away"), at step \(disagreement?.step ?? -1) of
      \(least.map { "  \($0)," }.joined(separator: "\n"))
      """)
  }

  @Test func `the shrinker finds the relevant operations`() {
    let numbers = Array(0..<90)
    let both = numbers.shrunk { $0.contains(17) && $0.contains(61) }
    #expect(both == [17, 61])
    let three = numbers.shrunk { $0.filter { $0.isMultiple(of: 3) }.count > 2 }
    #expect(three.count == 3)
    let none = numbers.shrunk { _ in true }
    #expect(none.isEmpty)
    let few = numbers.shrunk(tries: 3) { $0.contains(0) }
    #expect(few.count < 90)
  }
}
