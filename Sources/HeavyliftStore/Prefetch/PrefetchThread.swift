import Foundation
import HeavyliftSQLite

/// Reads pages of rows on a thread of its own, up to two in advance.
///
/// The connection belongs to that thread from the first call to `next()` until `pause()` returns.
/// `PersistentStore.database` and `reporting(_:)` call `pause()` before they use the connection. This avoids a second
/// connection, which might see another snapshot of the store.
///
/// Unchecked, because a statement cannot be sent: only the thread that reads uses it. `isBusy` and `isAtEnd` belong to
/// the thread that asks for pages.
final class PrefetchThread: @unchecked Sendable {
  /// Pages with large values or many columns have fewer rows.
  private static let mostBytes = 1 << 20
  /// With two pages ready, neither thread waits for the other's slow rows.
  private static let mostReady = 2

  private let width: Int
  private let attributes: PrefetchedAttributes
  /// Nil after `end()`: the thread may outlive the connection, and a statement must not.
  private var statement: Statement?
  private let pageSize: Int
  /// True if the thread may be reading.
  private var isBusy = false
  private var isAtEnd = false

  private let condition = NSCondition()
  // Protected by the condition's lock.
  private var isAsked = false
  private var isReading = false
  private var isEnded = false
  private var ready: [(page: RowPage, isLast: Bool)] = []
  private var failure: (any Error)?

  /// - Parameter pageSize: The maximum number of rows in a page.
  init(_ rows: RowPrefetch, _ statement: Statement, pageSize: Int) {
    (width, attributes, self.statement, self.pageSize) = (rows.width, rows.attributes, statement, pageSize)
    let thread = Thread { self.run() }
    thread.name = "Heavylift row reader"
    thread.start()
  }

  /// Returns the next rows, nil after the last ones.
  ///
  /// If reading failed, throws the error after the rows before it were returned.
  func next() throws -> RowPage? {
    guard !isAtEnd else {
      if let failure = condition.withLock({ failure }) { throw failure }
      return nil
    }
    condition.lock()
    isAsked = true
    condition.broadcast()
    while ready.isEmpty { condition.wait() }
    let next = ready.removeFirst()
    isAtEnd = next.isLast
    isBusy = !isAtEnd
    condition.unlock()
    return next.page.count == 0 ? try self.next() : next.page
  }

  /// Stops the thread from using the connection until the next call to `next()`.
  func pause() {
    guard isBusy else { return }
    condition.lock()
    isAsked = false
    while isReading { condition.wait() }
    condition.unlock()
    isBusy = false
  }

  /// Ends the thread.
  func end() {
    condition.lock()
    isAsked = false
    isEnded = true
    while isReading { condition.wait() }
    condition.broadcast()
    condition.unlock()
    isBusy = false
    isAtEnd = true
    statement = nil
  }

  // MARK: The thread

  private func run() {
    condition.lock()
    while true {
      while !isAsked || ready.count >= Self.mostReady, !isEnded { condition.wait() }
      if isEnded { break }
      isReading = true
      condition.unlock()
      let (page, isLast, failure) = read()
      condition.lock()
      ready.append((page, isLast))
      self.failure = self.failure ?? failure
      isReading = false
      condition.broadcast()
      if isLast { break }
    }
    condition.unlock()
  }

  private func read() -> (page: RowPage, isLast: Bool, failure: (any Error)?) {
    let page = RowPage(width: width, rows: pageSize, attributes)
    guard let statement else { return (page, true, nil) }
    do {
      while page.count < pageSize, page.memory < Self.mostBytes {
        guard try statement.step() else { return (page, true, nil) }
        page.append(statement.row)
      }
      return (page, false, nil)
    } catch {
      return (page, true, error)
    }
  }
}
