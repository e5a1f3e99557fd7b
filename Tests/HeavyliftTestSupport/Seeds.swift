import Foundation

/// The part of a law's seeds that a test run tries: every fifth, or all with `Scripts/test --thorough`.
///
/// `HEAVYLIFT_SEEDS=20` in the environment takes every twentieth, and `HEAVYLIFT_SEEDS=1` all of them.
package enum Seeds {
  package static let interval =
    ProcessInfo.processInfo.environment["HEAVYLIFT_SEEDS"].flatMap(Int.init).map { max($0, 1) } ?? 5

  /// The number of generated histories; HEAVYLIFT_HISTORIES changes it.
  package static let histories =
    ProcessInfo.processInfo.environment["HEAVYLIFT_HISTORIES"].flatMap(UInt64.init) ?? 100

  /// Returns the same seeds in every run, so that a failing law fails again.
  package static func some(of seeds: Range<UInt64>) -> [UInt64] {
    Array(stride(from: seeds.lowerBound, to: seeds.upperBound, by: interval))
  }

  /// Returns that part of a number of rounds, at least one.
  package static func some(of rounds: Int) -> Int { max(rounds / interval, 1) }
}
