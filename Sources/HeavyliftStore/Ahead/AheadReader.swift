import Foundation
import HeavyliftSQLite

/// Reads rows on a thread of its own, a page before they are needed.
///
/// The connection belongs to that thread from the moment in which a page is asked for until the page is there;
/// `PersistentStore.database` sees to it that nobody uses it in between. So there is no second connection that might see
/// another state of the store.
///
/// Unchecked, because a statement cannot be sent: it is used by the thread alone between `isAsked` and `ready`, and by
/// nobody otherwise, until `end()` lets go of it, and so is `nextSize`; `isBusy` and `isAtEnd` belong to the thread that asks.
final class AheadReader: @unchecked Sendable {
  /// Pages of big values have fewer rows.
  private static let mostBytes = 1 << 20

  private let query: AheadQuery
  /// Nil when it is over: the thread may outlive the connection, which a statement must not.
  private var statement: Statement?
  private let pageSize: Int
  /// The first pages are small: what is looked at is not known before the first of them is done with.
  private var nextSize = 64
  /// Whether a page was asked for that nobody has waited for.
  private var isBusy = false
  private var isAtEnd = false

  private let condition = NSCondition()
  // Under the condition's lock.
  private var isAsked = false
  private var isReading = false
  private var isEnded = false
  private var wanted: [Int]
  private var ready: (page: AheadPage, isLast: Bool)?
  private var failure: (any Error)?

  init(_ query: AheadQuery, _ statement: Statement, pageSize: Int, wanted: [Int]) {
    (self.query, self.statement, self.pageSize, self.wanted) = (query, statement, pageSize, wanted)
    let thread = Thread { self.run() }
    thread.name = "Heavylift row reader"
    thread.start()
  }

  /// The next rows; nil when there are no more.
  ///
  /// - Parameter wanted: The cells that are needed from now on.
  /// - Throws: What went wrong behind the last row that was given.
  func next(wanting wanted: [Int]) throws -> AheadPage? {
    guard !isAtEnd else {
      if let failure = condition.withLock({ failure }) { throw failure }
      return nil
    }
    condition.lock()
    self.wanted = wanted
    if ready == nil {
      if !isReading { isAsked = true }
      condition.broadcast()
      while ready == nil { condition.wait() }
    }
    let given = ready
    ready = nil
    isAtEnd = given?.isLast ?? true
    isAsked = !isAtEnd
    isBusy = isAsked
    condition.broadcast()
    condition.unlock()
    guard let page = given?.page, !page.contents.keys.isEmpty else { return try next(wanting: wanted) }
    return page
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
      while !isAsked, !isEnded { condition.wait() }
      if isEnded { break }
      (isAsked, isReading) = (false, true)
      let wanted = wanted
      condition.unlock()
      let (page, isLast, mistake) = read(wanted)
      condition.lock()
      ready = (page, isLast)
      failure = failure ?? mistake
      isReading = false
      condition.broadcast()
    }
    condition.unlock()
  }

  private func read(_ wanted: [Int]) -> (page: AheadPage, isLast: Bool, mistake: (any Error)?) {
    let rows = min(pageSize, nextSize)
    nextSize = min(pageSize, nextSize * 2)
    var page = AheadPage.Contents(cells: query.cells.count, wanted: wanted, rows: rows)
    guard let statement else { return (AheadPage(page), true, nil) }
    do {
      while page.keys.count < rows, page.bytes < Self.mostBytes {
        guard try statement.step() else { return (AheadPage(page), true, nil) }
        query.read(statement.row, wanted, into: &page)
      }
      return (AheadPage(page), false, nil)
    } catch {
      return (AheadPage(page), true, error)
    }
  }
}
