/// Copies the readable rows of one table.
///
/// Every failed read is repeated once: a disk can fail for a moment, and a row must not be lost because of that.
struct TableSalvage {
  /// The minimum distance between the row IDs to try after an unreadable one; a page usually holds more rows than that.
  private static let stride: Int64 = 16
  /// The distance grows to the number of unreadable row IDs so far divided by this number: an unreadable page may lead
  /// to many others.
  private static let part: Int64 = 512

  private let name: String
  private let damaged: Database
  private let new: Database
  private let table: String
  /// The name by which the row ID can be used in SQL.
  private let key: String
  private let columns: [String]
  private let insertion: Statement
  private let comparison: Statement

  private var lost: [ClosedRange<Int64>] = []
  private var losses: [Salvage.Loss] = []
  private var order = RowOrder()

  /// Returns nil if the table has no row IDs, or if columns have all their names.
  init?(_ name: String, from damaged: Database, into new: Database) throws(SQLiteError) {
    self.name = name
    self.damaged = damaged
    self.new = new
    table = name.asSQLIdentifier
    let described = try damaged.columns(of: name).filter { !$0.isGenerated }
    let keys = described.filter(\.isPrimaryKey)
    // SQLite creates an index for a primary key that is not the row ID, as with `INTEGER PRIMARY KEY DESC`.
    let hasKeyIndex =
      try damaged.firstValue("SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'", .text(name)) != nil
    let alias =
      keys.count == 1 && keys[0].declaredType.uppercased() == "INTEGER" && !hasKeyIndex ? keys[0].name : nil
    let free = try damaged.rowIDName(of: name)
    guard let key = alias?.asSQLIdentifier ?? free else { return nil }
    self.key = key
    columns = described.filter { $0.name != alias }.map(\.name)
    let names = [key] + columns.map(\.asSQLIdentifier)
    insertion = try new.prepare(
      """
      INSERT INTO main.\(table) (\(names.joined(separator: ", "))) \
      VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
      """)
    comparison = try new.prepare(
      "SELECT 1 FROM main.\(table) WHERE \(names.map { "\($0) IS ?" }.joined(separator: " AND "))")
  }

  func run() throws(SQLiteError) -> [Salvage.Loss] {
    var salvage = self
    try salvage.copyAll()
    return salvage.losses
  }

  private mutating func copyAll() throws(SQLiteError) {
    var next = Int64.min
    var isInterrupted = false
    reading: while true {
      switch try probe(next) {
      case .end:
        // After a failed read, there are more rows, and the last row ID seemed to be the highest only because of damage.
        guard isInterrupted, let stray = order.removeHighest() else { break reading }
        try discard(stray)
        next = order.highest + 1
        isInterrupted = false
      case .row(let key):
        guard let end = try copyRows(from: next) else { break reading }
        isInterrupted = end > next
        if end > next {
          next = end
        } else if let following = try keyAfterFirst(from: next), following < key {
          // The row cannot be read, and its row ID is damaged, too: it hides those after it.
          losses.append(.misplaced(table: name, key: key))
          guard let end = try copyRows(from: next, skipping: 1) else { break reading }
          if end == next { lost.append(min(following, key - 1)...(key - 1)) }
          guard end > next || max(key, next) < .max else { break reading }
          next = end > next ? end : max(key, next) + 1
        } else {
          // The row cannot be read as a whole.
          try copyValues(of: key)
          // On a damaged page, the row that is found may be an earlier one.
          let last = max(key, next)
          guard last < .max else { break reading }
          next = last + 1
        }
      case .unreadable:
        // Row IDs start at 1 by default.
        let first = max(next, 1)
        let readable = try firstReadable(after: first)
        lost.append(first...(readable.map { $0 - 1 } ?? .max))
        guard let readable else { break reading }
        next = readable
      }
    }
    for key in order.strays() { try discard(key) }
    let listed = try listedKeys().filter { key in !lost.contains { $0.contains(key) } }
    lost += listed.map { $0...$0 }
    losses += Self.joined(lost).map { .rows(table: name, keys: $0) }
  }

  // MARK: Rows

  /// Copies rows in the order in which the table has them, starting at a row ID. Returns the first row ID that cannot be
  /// read, or nil if the end of the table is reached.
  ///
  /// - Parameter count: The number of rows to skip, which SQLite then does not read.
  private mutating func copyRows(from first: Int64, skipping count: Int = 0) throws(SQLiteError) -> Int64? {
    let names = [key] + columns.map(\.asSQLIdentifier)
    let rows = try damaged.cached(
      "SELECT \(names.joined(separator: ", ")) FROM \(table) NOT INDEXED WHERE \(key) >= ? ORDER BY \(key) "
        + "LIMIT -1 OFFSET ?")
    try rows.bind([.integer(first), .integer(Int64(count))])
    var cursor = rows.query()
    var next = first
    while true {
      do {
        guard try cursor.next() else { return nil }
      } catch let error where error.isUnreadable {
        return next
      }
      let key = cursor.row.integer(at: 0)
      if try !isCopied(cursor.row) {
        if key < order.highest, try isPresent(key) {
          losses.append(.misplaced(table: name, key: key))
        } else {
          let strays = order.add(key)
          for stray in strays { try discard(stray) }
          if !strays.contains(key) { try copy(cursor.row, key) }
        }
      }
      guard order.highest < .max else { return nil }
      next = max(first, order.highest + 1)
    }
  }

  /// Returns the row ID of the second row from a row ID on, in the order of the pages; nil if there is none that can be
  /// read.
  private func keyAfterFirst(from first: Int64) throws(SQLiteError) -> Int64? {
    do {
      let key = try damaged.firstValue(
        "SELECT \(self.key) FROM \(table) NOT INDEXED WHERE \(self.key) >= ? ORDER BY \(self.key) LIMIT 1 OFFSET 1",
        .integer(first))
      if case .integer(let key)? = key { return key }
      return nil
    } catch let error where error.isUnreadable {
      return nil
    }
  }

  private func isPresent(_ key: Int64) throws(SQLiteError) -> Bool {
    try new.firstValue("SELECT 1 FROM main.\(table) WHERE \(self.key) = ?", .integer(key)) != nil
  }

  /// True if the new table has the same row: a damaged page can lead to a page that was read before.
  private func isCopied(_ row: borrowing RowView) throws(SQLiteError) -> Bool {
    guard order.mayHave(row.integer(at: 0)) else { return false }
    for column in 0...columns.count { try comparison.bind(borrowed: row, column: column, at: column + 1) }
    defer { comparison.clearBindings() }
    var cursor = comparison.query()
    return try cursor.next()
  }

  private mutating func copy(_ row: borrowing RowView, _ key: Int64) throws(SQLiteError) {
    for column in 0...columns.count { try insertion.bind(borrowed: row, column: column, at: column + 1) }
    defer { insertion.clearBindings() }
    do {
      try insertion.execute()
    } catch {
      guard error.isConstraintViolation else { throw error }
      // Because of damage, the row violates a constraint of the table.
      lost.append(key...key)
    }
  }

  /// Removes a row whose row ID is damaged, and lists it.
  private mutating func discard(_ key: Int64) throws(SQLiteError) {
    try new.run("DELETE FROM main.\(table) WHERE \(self.key) = ?", .integer(key))
    losses.append(.misplaced(table: name, key: key))
  }

  /// Copies the values of a row that cannot be read as a whole.
  private mutating func copyValues(of key: Int64) throws(SQLiteError) {
    let all = columns.map(\.asSQLIdentifier)
    for _ in 0..<2 { if try copy(all, of: key) { return } }
    var (values, unread): ([String], [String]) = ([], [])
    for column in columns {
      let isReadable = try canRead(column, key)
      values.append(isReadable ? column.asSQLIdentifier : "NULL")
      if !isReadable { unread.append(column) }
    }
    if try copy(values, of: key) {
      losses += unread.map { .value(table: name, key: key, column: $0) }
    } else {
      lost.append(key...key)
    }
  }

  /// Copies a row, found by its row ID; returns false if it cannot be read.
  private mutating func copy(_ values: [String], of key: Int64) throws(SQLiteError) -> Bool {
    let row = try damaged.cached(
      "SELECT \(([self.key] + values).joined(separator: ", ")) FROM \(table) NOT INDEXED WHERE \(self.key) = ?")
    try row.bind(key, at: 1)
    var cursor = row.query()
    do {
      guard try cursor.next() else { return false }
    } catch let error where error.isUnreadable {
      return false
    }
    let strays = order.add(key)
    for stray in strays { try discard(stray) }
    if !strays.contains(key) { try copy(cursor.row, key) }
    return true
  }

  private func canRead(_ column: String, _ key: Int64) throws(SQLiteError) -> Bool {
    do {
      _ = try twice { () throws(SQLiteError) in
        try damaged.firstValue(
          "SELECT hex(\(column.asSQLIdentifier)) FROM \(table) NOT INDEXED WHERE \(self.key) = ?", .integer(key))
      }
      return true
    } catch let error where error.isUnreadable {
      return false
    }
  }

  // MARK: Gaps

  private enum Probe {
    case row(Int64), end, unreadable
  }

  /// Finds the row with the given row ID, or the next row after it.
  private func probe(_ key: Int64) throws(SQLiteError) -> Probe {
    do {
      let value = try twice { () throws(SQLiteError) in
        try damaged.firstValue(
          "SELECT \(self.key) FROM \(table) NOT INDEXED WHERE \(self.key) >= ? ORDER BY \(self.key) LIMIT 1",
          .integer(key))
      }
      guard case .integer(let found)? = value else { return .end }
      return .row(found)
    } catch let error where error.isUnreadable {
      return .unreadable
    }
  }

  private func isReadable(from key: Int64) throws(SQLiteError) -> Bool {
    if case .unreadable = try probe(key) { return false }
    return true
  }

  /// Returns the first row ID after an unreadable one at which the table is readable again; nil if there is none.
  private func firstReadable(after start: Int64) throws(SQLiteError) -> Int64? {
    var low = start
    while true {
      let (high, overflows) = low.addingReportingOverflow(max(Self.stride, (low - start) / Self.part))
      guard !overflows else { return nil }
      if try isReadable(from: high) { return try firstReadable(between: low, and: high) }
      low = high
    }
  }

  private func firstReadable(between unreadable: Int64, and readable: Int64) throws(SQLiteError) -> Int64 {
    var (low, high) = (unreadable, readable)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if try isReadable(from: middle) { high = middle } else { low = middle }
    }
    return high
  }

  // MARK: Indexes

  /// Returns the row IDs that an index lists and the new table lacks.
  private func listedKeys() throws(SQLiteError) -> [Int64] {
    var missing: Set<Int64> = []
    for index in try damaged.indexes(of: name) where !index.isPartial {
      do {
        try twice { () throws(SQLiteError) in try addMissing(listedBy: index.name, to: &missing) }
      } catch let error where error.isUnreadable || error.code == .error {
        continue
      }
    }
    return missing.sorted()
  }

  private func addMissing(listedBy index: String, to missing: inout Set<Int64>) throws(SQLiteError) {
    var cursor = try damaged.prepare("SELECT \(self.key) FROM \(table) INDEXED BY \(index.asSQLIdentifier)").query()
    while try cursor.next() {
      let key = cursor.row.integer(at: 0)
      if try !isPresent(key) { missing.insert(key) }
    }
  }

  /// Reads, and tries once more if that fails.
  private func twice<Result>(_ read: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    do {
      return try read()
    } catch let error where error.isUnreadable {
      return try read()
    }
  }

  /// Merges adjacent ranges.
  private static func joined(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
    var joined: [ClosedRange<Int64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard let last = joined.last, last.upperBound == .max || last.upperBound + 1 >= range.lowerBound else {
        joined.append(range)
        continue
      }
      joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
    }
    return joined
  }
}

/// The order of the row IDs that a table's pages give, to find those that are damaged.
///
/// Row IDs ascend. One that is higher than its successor, or lower than its predecessor, is a stray if its neighbors
/// ascend without it. If several rows in a row are too low, their page is out of place, but they are not.
struct RowOrder {
  private(set) var highest = Int64.min
  private var before = Int64.min
  /// The rows since the last one that was higher than all before.
  private var low: [Int64] = []
  private var hasRows = false

  /// True if a row with this row ID may have been read before.
  func mayHave(_ key: Int64) -> Bool { hasRows && key <= highest }

  /// Adds the next row ID. Returns those that turn out to be strays, perhaps itself.
  mutating func add(_ key: Int64) -> [Int64] {
    guard hasRows else {
      (hasRows, highest) = (true, key)
      return []
    }
    if key > highest {
      let strays = strays()
      (low, before, highest) = ([], highest, key)
      return strays
    }
    // Two rows have the same row ID, and cannot both be right.
    if key == highest { return [key] }
    if key > before, low.isEmpty {
      let stray = highest
      highest = key
      return [stray]
    }
    low.append(key)
    return []
  }

  /// Removes the highest row ID, and returns it; nil if no lower one has been added.
  mutating func removeHighest() -> Int64? {
    guard before > .min, before < highest else { return nil }
    defer { highest = before }
    return highest
  }

  /// Returns the stray among the last rows.
  func strays() -> [Int64] { low.count == 1 ? low : [] }
}
