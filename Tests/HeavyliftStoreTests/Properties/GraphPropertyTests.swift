import Foundation
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// Whatever a program does with a context, objects, store and a plain model of both agree after each step.
struct GraphPropertyTests {
  /// More runs than usual: set `HEAVYLIFT_PROPERTY_RUNS`.
  static let runs = ProcessInfo.processInfo.environment["HEAVYLIFT_PROPERTY_RUNS"].flatMap(Int.init) ?? 60

  @Test(arguments: 0..<runs) func `random operations agree with the reference`(run: Int) {
    let seed = UInt64(run) &* 7919 &+ 1
    var generator = SeededGenerator(seed: seed)
    let operations = (0..<90).map { _ in GraphOperation.random(using: &generator) }
    guard GraphRun.disagreement(operations) != nil else { return }
    let least = Self.shrunk(operations)
    let disagreement = GraphRun.disagreement(least)
    Issue.record(
      """
      seed \(seed): \(disagreement?.description ?? "went away"), at step \(disagreement?.step ?? -1) of
      \(least.map { "  \($0)," }.joined(separator: "\n"))
      """)
  }

  /// Leaves out what is not needed for the failure: halves first, single operations at last.
  static func shrunk(_ operations: [GraphOperation]) -> [GraphOperation] {
    var least = operations
    var size = max(1, least.count / 2)
    while true {
      var isSmaller = false
      var start = 0
      while start < least.count {
        var candidate = least
        candidate.removeSubrange(start..<min(start + size, least.count))
        if GraphRun.disagreement(candidate) != nil {
          least = candidate
          isSmaller = true
        } else {
          start += size
        }
      }
      if size == 1, !isSmaller { return least }
      size = max(1, size / 2)
    }
  }

  @Test func `the shrinker finds what matters`() {
    var generator = SeededGenerator(seed: 5)
    let noise = (0..<20).map { _ in GraphOperation.random(using: &generator) }
    #expect(GraphRun.disagreement(noise) == nil)
    #expect(GraphRun.disagreement([]) == nil)
  }
}
