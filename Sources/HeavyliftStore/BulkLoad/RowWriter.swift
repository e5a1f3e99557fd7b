import Foundation
import HeavyliftSQLite

/// Writes rows to a store under construction on a thread of its own, while the next objects are created.
///
/// The connection belongs to that thread from the moment a batch is handed over until `waitUntilWritten()` returns.
/// `PersistentStore.database` makes sure that no other code uses it in the meantime.
///
/// Unchecked, because neither a connection nor statements can be sent. While rows are waiting to be written, only the
/// thread uses `database`, `statements`, `sources` and `texts`; otherwise, no code uses them. `filling`,
/// `taken`, `interruptions`, `isBusy` and `failure` belong to the thread that hands rows over.
final class RowWriter: @unchecked Sendable {
  /// The number of rows that are handed over together.
  private static let batchSize = 2_000
  /// The number of batches that may wait: one is being written, one is waiting, and one is being filled.
  private static let mostWaiting = 1
  /// A batch with more bytes is written before the next one is filled.
  private static let mostBytes = 4 << 20

  /// nil once the thread has ended: the thread may be the last to release this object, but must not release a connection
  /// that others still use.
  private var database: Database?
  private let insertions: [RowInsertion?]
  /// The statements that write one row or several, by the entity's index.
  private var statements: [Int: (one: Statement, together: Statement)] = [:]
  /// The sources of the last row's attributes, by the entity's index.
  private var sources: [Int: RowSources] = [:]
  private let texts = TextBuffer()

  /// The batch to hand over next.
  private var filling = RowBatch(capacity: batchSize)
  /// The number of rows so far, and how often the program accessed written rows before a batch was full.
  private var (taken, interruptions) = (0, 0)
  /// True if rows were added since the last `waitUntilWritten()`.
  private(set) var isBusy = false
  /// The first error, once the thread that hands rows over has noticed it.
  private(set) var failure: (any Error)?

  private let condition = NSCondition()
  // Protected by the condition's lock.
  private var waiting: [RowBatch] = []
  private var isWriting = false
  private var isEnded = false
  private var found: (any Error)?
  /// Batches to be released by the thread that created their contents, because that is faster.
  private var written: [RowBatch] = []

  init(_ database: Database, insertions: [RowInsertion?]) {
    self.database = database
    self.insertions = insertions
    let thread = Thread { self.run() }
    thread.name = "Heavylift row writer"
    thread.start()
  }

  /// True if most batches are small, because the program often accesses rows that it has just created.
  var isInterruptedOften: Bool { interruptions > 16 + taken / 64 }

  /// Returns how rows of an entity are written; nil if they need more than the row itself.
  func insertion(of entity: Int) -> RowInsertion? { insertions[entity] }

  /// Adds the row of a new object to the batch to hand over next.
  ///
  /// - Throws: An error that occurred while earlier rows were written.
  func write(_ object: ManagedObject) throws {
    taken += 1
    filling.append(object)
    isBusy = true
    let isHeavy = filling.bytes > Self.mostBytes
    guard isHeavy || filling.rows.count >= Self.batchSize else { return }
    handOver()
    if isHeavy { waitUntilWritten() }
    if let failure { throw failure }
  }

  /// Hands over the batch, after waiting for room if another one is waiting.
  private func handOver() {
    guard !filling.rows.isEmpty else { return }
    var batch = RowBatch(capacity: Self.batchSize)
    swap(&batch, &filling)
    condition.lock()
    while waiting.count >= Self.mostWaiting, found == nil { condition.wait() }
    waiting.append(batch)
    let finished = written
    written = []
    failure = failure ?? found
    condition.broadcast()
    condition.unlock()
    _ = consume finished
  }

  /// Waits until all rows are written.
  func waitUntilWritten() {
    guard isBusy else { return }
    if !filling.rows.isEmpty { interruptions += 1 }
    handOver()
    condition.lock()
    while isWriting || !waiting.isEmpty { condition.wait() }
    let finished = written
    written = []
    failure = failure ?? found
    condition.unlock()
    _ = consume finished
    isBusy = false
  }

  /// Ends the thread; rows that are waiting are not written any more.
  func end() {
    filling = RowBatch(capacity: 0)
    condition.lock()
    waiting = []
    isEnded = true
    while isWriting { condition.wait() }
    condition.broadcast()
    condition.unlock()
    isBusy = false
    statements = [:]
    database = nil
  }

  // MARK: The thread

  private func run() {
    condition.lock()
    while true {
      while waiting.isEmpty, !isEnded { condition.wait() }
      if isEnded { break }
      let batch = waiting.removeFirst()
      // After a failure, the store cannot be used any more.
      let isUseful = found == nil
      isWriting = true
      condition.broadcast()
      condition.unlock()
      var mistake: (any Error)?
      do { if isUseful { try insert(batch) } } catch { mistake = error }
      condition.lock()
      found = found ?? mistake
      written.append(batch)
      isWriting = false
      condition.broadcast()
    }
    condition.unlock()
  }

  private func insert(_ batch: RowBatch) throws {
    guard let database else { return }
    try database.transaction(.immediate) { try insertRows(of: batch, database) }
  }

  private func insertRows(of batch: RowBatch, _ database: Database) throws {
    var highest = [Int64](repeating: 0, count: insertions.count)
    // Consecutive rows are mostly of the same entity, and from the same page.
    var rows = batch.rows[...]
    while let first = rows.first {
      let (entity, page) = (first.entity, first.page)
      let run = rows.prefix { $0.entity == entity && $0.page == page }
      rows = rows.dropFirst(run.count)
      guard let insertion = insertions[entity] else { continue }
      let sources = sources(entity, insertion, page < 0 ? nil : batch.pages[page].attributes)
      try insert(run, of: batch, insertion, sources, try statements(entity, insertion, database))
      for row in run where row.key > highest[entity] { highest[entity] = row.key }
    }
    for (entity, key) in highest.enumerated() where key > 0 {
      guard let insertion = insertions[entity] else { continue }
      try database.noteHighestKey(key, ofRoot: insertion.rootNumber)
    }
  }

  /// Writes rows of the same entity and page, several with one statement as long as there are enough.
  private func insert(
    _ rows: ArraySlice<RowBatch.Row>, of batch: RowBatch, _ insertion: RowInsertion, _ sources: RowSources,
    _ statements: (one: Statement, together: Statement)
  ) throws {
    var rows = rows
    while !rows.isEmpty {
      let areMany = rows.count >= RowInsertion.rowsTogether
      let (statement, some) =
        areMany ? (statements.together, rows.prefix(RowInsertion.rowsTogether)) : (statements.one, rows.prefix(1))
      texts.clear(reserving: some.reduce(0) { $0 + sources.textBytes(of: $1) })
      for (place, row) in some.enumerated() {
        try insertion.bind(row, of: batch, sources, to: statement, at: place, texts)
      }
      try statement.execute()
      rows = rows.dropFirst(some.count)
    }
  }

  private func statements(
    _ entity: Int, _ insertion: RowInsertion, _ database: Database
  ) throws -> (one: Statement, together: Statement) {
    if let statements = statements[entity] { return statements }
    let made = (one: try database.prepare(insertion.sql), together: try database.prepare(insertion.sqlTogether))
    try insertion.prepare(made.one, rows: 1)
    try insertion.prepare(made.together, rows: RowInsertion.rowsTogether)
    statements[entity] = made
    return made
  }

  private func sources(
    _ entity: Int, _ insertion: RowInsertion, _ prefetched: PrefetchedAttributes?
  ) -> RowSources {
    if let known = sources[entity], known.prefetched === prefetched { return known }
    let made = RowSources(insertion, prefetched)
    sources[entity] = made
    return made
  }
}
