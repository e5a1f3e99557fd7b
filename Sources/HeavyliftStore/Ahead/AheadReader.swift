import Foundation
import HeavyliftSQLite

/// Reads rows on a thread of its own, up to two pages before they are needed.
///
/// The connection belongs to that thread from the moment in which a page is asked for until `pause()` has returned;
/// `PersistentStore.database` sees to it that nobody uses it in between. So there is no second connection that might see
/// another state of the store.
///
/// Unchecked, because a statement cannot be sent: it is used by the thread alone while `isReading`, and by nobody
/// otherwise, until `end()` lets go of it, and so is `nextSize`; `isBusy` and `isAtEnd` belong to the thread that asks.
final class AheadReader: @unchecked Sendable {
  /// Pages of big values have fewer rows.
  private static let mostBytes = 1 << 20
  /// How many pages wait: with two, neither thread has to wait for the other's slow rows.
  private static let mostReady = 2

  private let query: AheadQuery
  /// Nil when it is over: the thread may outlive the connection, which a statement must not.
  private var statement: Statement?
  private let pageSize: Int
  /// The first pages are small: what is looked at is not known before the first of them is done with.
  private var nextSize: Int
  /// Whether the thread may be reading.
  private var isBusy = false
  private var isAtEnd = false

  private let condition = NSCondition()
  // Under the condition's lock.
  private var isAsked = false
  private var isReading = false
  private var isEnded = false
  private var ready: [(page: AheadPage, isLast: Bool)] = []
  private var failure: (any Error)?

  /// - Parameter firstSize: How many rows the first page has; each has twice as many as the one before, up to `pageSize`.
  init(_ query: AheadQuery, _ statement: Statement, firstSize: Int, pageSize: Int) {
    (self.query, self.statement, nextSize, self.pageSize) = (query, statement, firstSize, pageSize)
    let thread = Thread { self.run() }
    thread.name = "Heavylift row reader"
    thread.start()
  }

  /// The next rows; nil when there are no more.
  ///
  /// - Throws: What went wrong behind the last row that was given.
  func next() throws -> AheadPage? {
    guard !isAtEnd else {
      if let failure = condition.withLock({ failure }) { throw failure }
      return nil
    }
    condition.lock()
    isAsked = true
    condition.broadcast()
    while ready.isEmpty { condition.wait() }
    let given = ready.removeFirst()
    isAtEnd = given.isLast
    isBusy = !isAtEnd
    condition.unlock()
    return given.page.contents.keys.isEmpty ? try next() : given.page
  }

  /// Has the connection back: what is being read is waited for, and nothing else begun before the next page is asked for.
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
      let (page, isLast, mistake) = read()
      condition.lock()
      ready.append((page, isLast))
      failure = failure ?? mistake
      isReading = false
      condition.broadcast()
      if isLast { break }
    }
    condition.unlock()
  }

  private func read() -> (page: AheadPage, isLast: Bool, mistake: (any Error)?) {
    let rows = min(pageSize, nextSize)
    nextSize = min(pageSize, nextSize * 2)
    var page = AheadPage.Contents(cells: query.cells.count, wanted: query.wanted, query.layout, rows: rows)
    guard let statement else { return (AheadPage(page), true, nil) }
    do {
      while page.keys.count < rows, page.bytes + page.made.weight < Self.mostBytes {
        guard try statement.step() else { return (AheadPage(page), true, nil) }
        query.read(statement.row, into: &page)
      }
      return (AheadPage(page), false, nil)
    } catch {
      return (AheadPage(page), true, error)
    }
  }
}
