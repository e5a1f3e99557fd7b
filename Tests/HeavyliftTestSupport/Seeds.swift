import Foundation

/// The part of a law's seeds that a run of the tests tries: every fifth, or all with `Scripts/test --thorough`.
///
/// `HEAVYLIFT_SEEDS=20` in the environment takes every twentieth, and `HEAVYLIFT_SEEDS=1` all of them.
package enum Seeds {
  package static let interval =
    ProcessInfo.processInfo.environment["HEAVYLIFT_SEEDS"].flatMap(Int.init).map { max($0, 1) } ?? 5

  /// The same seeds in every run, so that a law that fails fails again.
  package static func some(of seeds: Range<UInt64>) -> [UInt64] {
    Array(stride(from: seeds.lowerBound, to: seeds.upperBound, by: interval))
  }

  /// That part of a number of rounds, and one at least.
  package static func some(of rounds: Int) -> Int { max(rounds / interval, 1) }
}
