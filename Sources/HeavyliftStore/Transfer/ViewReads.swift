import HeavyliftModel
import HeavyliftSQLite

/// The reads of a virtual store's views.
///
/// A policy may read other objects of its source for each object. A view has no indexes, so searching it each time would
/// take time that grows with the square of the store. Before that happens, its rows are stored in a temporary table.
struct ViewReads {
  /// The number of reads of some of a view's rows after which they are stored.
  static let mostReads = 16

  /// The number of reads, by view.
  var counts: [String: Int] = [:]
  /// The views whose rows are stored.
  var stored: Set<String> = []
  /// The reason why rows could not be stored. Reading on would take too long.
  var failure: (any Error)?
}

extension PersistentStore {
  /// The error from storing the rows of a view, if any.
  package var viewFailure: (any Error)? { viewReads.failure }

  /// True if SQLite finds the row with a key without reading the others.
  package func findsRowsByKey(in table: String) -> Bool { views?.findsRowsByKey(inView: table) ?? true }

  /// Counts a read of some rows of a table, and stores the rows of a view once there have been many.
  ///
  /// - Parameter byKey: True if the rows are found by their own keys.
  func noteRead(of table: String, byKey: Bool) throws {
    guard isViewed else { return }
    if let failure = viewReads.failure { throw failure }
    guard !viewReads.stored.contains(table), !byKey || !findsRowsByKey(in: table) else { return }
    viewReads.counts[table, default: 0] += 1
    if viewReads.counts[table] == ViewReads.mostReads { try storeRows(of: [table]) }
  }

  /// Stores the rows of the views that a query would search again and again.
  ///
  /// - Parameter isEnumerating: True if there may be other reads before the query ends.
  func prepareViews(for plan: FetchPlan, isEnumerating: Bool) throws {
    guard isViewed else { return }
    if isEnumerating, !plan.subqueryTables.isEmpty || !plan.joinedTables.isEmpty {
      // SQLite aborts a running query that opens another table after the schema has changed.
      try storeRows(of: Set((layout.tables + layout.joinTables).map(\.name)))
    } else {
      try storeRows(of: plan.subqueryTables.union(plan.joinedTables.filter { !findsRowsByKey(in: $0) }))
    }
    try noteRead(of: plan.entity.layout.tableName, byKey: false)
  }

  private func storeRows(of views: Set<String>) throws {
    if let failure = viewReads.failure { throw failure }
    do {
      for table in layout.tables + layout.joinTables
      where views.contains(table.name) && !viewReads.stored.contains(table.name) {
        try reporting { try storeRows(of: table) }
        viewReads.stored.insert(table.name)
      }
    } catch {
      viewReads.failure = error
      throw error
    }
  }

  private func storeRows(of view: TableLayout) throws {
    var table = view
    table.name = "\(view.name)_rows"
    let columns = table.columns.map { SQLName($0.name).description }.joined(separator: ", ")
    let (rows, name) = (SQLName(table.name), SQLName(view.name))
    do {
      try database.execute(table.sql(isTemporary: true))
      try database.execute("INSERT INTO temp.\(rows) SELECT \(columns) FROM \(name)")
      for index in layout.indexes where index.tableName == view.name {
        let names = index.columns.map { SQLName($0.name).description }.joined(separator: ", ")
        try database.execute("CREATE INDEX temp.\(SQLName("\(view.name)_\(index.name)")) ON \(rows) (\(names))")
      }
      try database.execute("DROP VIEW temp.\(name); CREATE TEMP VIEW \(name) AS SELECT * FROM temp.\(rows)")
    } catch {
      guard error.isFull else { throw error }
      throw Diagnostic(
        .error, code: "store.temporary-space",
        problem: "the rows of fused hops do not fit into the folder for temporary files: \(error.message)",
        remedy: "set the environment variable SQLITE_TMPDIR to a folder with more space")
    }
  }
}
