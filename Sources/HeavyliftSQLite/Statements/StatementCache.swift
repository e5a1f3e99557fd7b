/// Caches compiled statements that are not in use.
///
/// A statement in use is not in the cache, so two callers never share one: the second gets a statement of its own,
/// and the first one that is returned is kept.
final class StatementCache {
  private struct Entry {
    let handle: StatementHandle
    let lastUse: UInt64
  }

  private var entries: [String: Entry] = [:]
  private var uses: UInt64 = 0
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  func take(_ sql: String) -> StatementHandle? { entries.removeValue(forKey: sql)?.handle }

  /// Resets the statement, clears its bindings, which might be big, and caches the statement. A full cache drops the
  /// least recently used one.
  func giveBack(_ handle: StatementHandle) {
    guard handle.pointer != nil else { return }
    handle.startOver()
    handle.clearBindings()
    guard capacity > 0, entries[handle.sql] == nil else { return }
    // A linear search, but only after a statement was compiled, which takes far longer.
    if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      entries[oldest.key] = nil
    }
    uses += 1
    entries[handle.sql] = Entry(handle: handle, lastUse: uses)
  }

  func removeAll() { entries = [:] }
}
