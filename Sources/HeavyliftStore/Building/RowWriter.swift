import Foundation
import HeavyliftSQLite

/// Writes rows into a store that is being built, on a thread of its own, while the next objects are made.
///
/// The connection belongs to that thread from the moment in which a batch is handed over until `settle()` has returned;
/// `PersistentStore.database` sees to it that nobody uses it in between.
///
/// Unchecked, because neither a connection nor statements can be sent: of the properties without a lock `database`,
/// `statements`, `texts` and `broken` are used by the thread alone as long as something is to be written, and by nobody
/// here otherwise; `filling`, `taken`, `interruptions`, `isBusy` and `failure` belong to the thread that hands over.
final class RowWriter: @unchecked Sendable {
  /// How many rows are handed over together.
  private static let batchSize = 2_000
  /// How many batches may wait: one is written, one is ready, one is being made.
  private static let mostWaiting = 1
  /// Batches of big values are not piled up.
  private static let mostBytes = 4 << 20

  private let database: Database
  private let insertions: [RowInsertion?]
  private var statements: [Int: Statement] = [:]
  private var texts = TextBuffer()
  /// By the entity's place: the watches of its insertion that some row broke; nil where no row was written.
  private var broken: [Set<Int>?]

  /// What is handed over next.
  private var filling = RowBatch(capacity: batchSize)
  /// How many rows there were, and how often somebody asked for what was written before there were enough of them to be
  /// handed over.
  private var (taken, interruptions) = (0, 0)
  /// Whether anything was handed over that nobody has waited for.
  private(set) var isBusy = false
  /// What went wrong first, as it was found out.
  private(set) var failure: (any Error)?

  private let condition = NSCondition()
  // Under the condition's lock.
  private var waiting: [RowBatch] = []
  private var isWriting = false
  private var isEnded = false
  private var found: (any Error)?
  /// Given back, because what one thread has made is let go of sooner by that thread.
  private var written: [RowBatch] = []

  init(_ database: Database, insertions: [RowInsertion?]) {
    self.database = database
    self.insertions = insertions
    broken = [Set<Int>?](repeating: nil, count: insertions.count)
    let thread = Thread { self.run() }
    thread.name = "Heavylift row writer"
    thread.start()
  }

  /// Whether batches are mostly small, because somebody looks at what was just made.
  var isInterruptedOften: Bool { interruptions > 16 + taken / 64 }

  /// How rows of an entity are written; nil where that takes more than a row.
  func insertion(of entity: Int) -> RowInsertion? { insertions[entity] }

  /// Writes the row of a new object sooner or later.
  ///
  /// - Throws: What went wrong with rows that were written before.
  func write(_ object: ManagedObject) throws {
    taken += 1
    filling.append(object)
    isBusy = true
    let isHeavy = filling.bytes > Self.mostBytes
    guard isHeavy || filling.rows.count >= Self.batchSize else { return }
    handOver()
    if isHeavy { settle() }
    if let failure { throw failure }
  }

  /// Hands over rows, and waits while others are waiting already.
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

  /// Waits until everything is written.
  func settle() {
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

  /// The rules that all rows of an entity have kept which were written here; nil where there are none.
  func keptRules(of entity: Int) -> Set<PropertyRule>? {
    settle()
    guard let broken = broken[entity] else { return nil }
    return insertions[entity]?.rules(keptIn: broken)
  }

  /// Ends the thread; what waits is not written any more.
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
  }

  // MARK: The thread

  private func run() {
    condition.lock()
    while true {
      while waiting.isEmpty, !isEnded { condition.wait() }
      if isEnded { break }
      let batch = waiting.removeFirst()
      // Behind a failure nothing is of use any more.
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
    try database.transaction(.immediate) { try insertRows(of: batch) }
  }

  private func insertRows(of batch: RowBatch) throws {
    var highest = [Int64](repeating: 0, count: insertions.count)
    var mistakes = [Set<Int>](repeating: [], count: insertions.count)
    // Rows of one entity mostly come one after the other.
    var (entity, current) = (-1, (RowInsertion, Statement)?.none)
    for row in batch.rows {
      if row.entity != entity {
        entity = row.entity
        current = try insertions[entity].map { ($0, try statement(entity, $0)) }
      }
      guard let (insertion, statement) = current else { continue }
      insertion.watch(row, of: batch, &mistakes[entity])
      try insertion.write(row, of: batch, with: statement, &texts)
      if row.key > highest[entity] { highest[entity] = row.key }
    }
    for (entity, key) in highest.enumerated() where key > 0 {
      guard let insertion = insertions[entity] else { continue }
      broken[entity] = (broken[entity] ?? []).union(mistakes[entity])
      try database.run(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = max(ifnull(Z_MAX, 0), ?) WHERE Z_ENT = ?", .integer(key),
        .integer(Int64(insertion.rootNumber)))
    }
  }

  private func statement(_ entity: Int, _ insertion: RowInsertion) throws -> Statement {
    if let statement = statements[entity] { return statement }
    let statement = try database.prepare(insertion.sql)
    statements[entity] = statement
    return statement
  }
}
