/// Keeps compiled statements that nobody uses at the moment.
///
/// A statement that is in use is not in here, so two users never share one: the second gets one of its own, and whichever
/// comes back first is kept.
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

  /// Resets the statement and forgets its values, which might be big, and keeps it, letting the one go that was not used
  /// for longest.
  func giveBack(_ handle: StatementHandle) {
    guard handle.pointer != nil else { return }
    handle.startOver()
    handle.clearBindings()
    guard capacity > 0, entries[handle.sql] == nil else { return }
    // A look at all of them, but only where one is to be compiled in exchange, which takes far longer.
    if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      entries[oldest.key] = nil
    }
    uses += 1
    entries[handle.sql] = Entry(handle: handle, lastUse: uses)
  }

  func removeAll() { entries = [:] }
}
