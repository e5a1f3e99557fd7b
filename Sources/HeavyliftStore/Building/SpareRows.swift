import Foundation
import HeavyliftModel

/// Rows that were written, for the thread that makes the values of the next ones: what one thread has made is let go of
/// sooner by that thread, and the memory of a row can hold another.
package final class SpareRows: @unchecked Sendable {
  /// More than are on their way at once are of no use.
  private static let mostBatches = 3
  /// Big values are let go of as soon as they are written.
  private static let mostBytes = 1 << 20

  private let lock = NSLock()
  // Under the lock.
  private var batches: [RowBatch] = []

  /// Keeps a batch, unless there are enough; to be called by the thread that has written it.
  func give(_ batch: consuming RowBatch) {
    guard batch.bytes <= Self.mostBytes else { return }
    lock.lock()
    defer { lock.unlock() }
    if batches.count < Self.mostBatches { batches.append(batch) }
  }

  /// A batch whose rows may be used again, if there is one.
  func take() -> RowBatch? { lock.withLock { batches.popLast() } }
}

extension RowBatch {
  /// Some values for a row, to be replaced each, in the memory of a row that was written where there is one.
  mutating func takeValues(count: Int) -> [Value] {
    if let values = takeLastAttributes(), values.count == count { return values }
    return [Value](repeating: .null, count: count)
  }
}
