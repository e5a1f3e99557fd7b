import Foundation

/// Distinguishes a lasting condition from a momentary one: another program may be in the middle of starting, or may
/// have a store open only briefly.
enum LastingCondition {
  /// Returns true if a condition still holds after a fiftieth of a second for each try, a tenth of a second by default;
  /// false as soon as it no longer holds.
  static func holds(tries: Int = 5, _ condition: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<tries {
      guard try condition() else { return false }
      usleep(20_000)
    }
    return try condition()
  }
}
