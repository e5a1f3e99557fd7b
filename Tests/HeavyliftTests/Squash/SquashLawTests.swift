import HeavyliftTestSupport
import Testing

@testable import Heavylift

/// Law: hops that a plan composes, and a squashed mapping as it is written to a file, give the same store as the hops one
/// after the other, reject the same stores, and report the same losses.
@Suite struct SquashLawTests {
  @Test(arguments: Seeds.some(of: 0..<200))
  func `composed and squashed mappings do what inferred hops do`(seed: UInt64) throws {
    guard let history = try SquashedHistory(seed: seed, isDeclared: false) else { return }
    #expect(history.disagreement == nil, "seed \(seed): \(history.disagreement ?? "")")
  }

  // In 153, a computed attribute hides an inherited one.
  @Test(arguments: Seeds.some(of: 0..<200) + [153])
  func `composed and squashed mappings do what mapping files do`(seed: UInt64) throws {
    guard let history = try SquashedHistory(seed: seed, isDeclared: true) else { return }
    #expect(history.disagreement == nil, "seed \(seed): \(history.disagreement ?? "")")
  }

  @Test func `most hops are squashed`() throws {
    for isDeclared in [false, true] {
      let histories = try (UInt64(1000)..<1030).compactMap { try SquashedHistory(seed: $0, isDeclared: isDeclared) }
      let hops = histories.reduce(0) { $0 + $1.squash.parts.reduce(0) { $0 + $1.hops.count } }
      let parts = histories.reduce(0) { $0 + $1.squash.parts.count }
      #expect(histories.count > 8 && parts < hops * 2 / 3, "\(parts) of \(hops): \(histories.flatMap(\.cuts))")
      let composed = histories.reduce(0) { $0 + $1.composed }
      #expect(composed * 10 > (hops - parts) * 9, "\(composed) composed, \(hops - parts) squashed")
    }
  }
}
