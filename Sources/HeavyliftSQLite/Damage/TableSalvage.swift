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
  private let columns: [String]
  private let insertion: Statement

  init(_ name: String, from damaged: Database, into new: Database) throws(SQLiteError) {
    self.name = name
    self.damaged = damaged
    self.new = new
    table = name.asSQLIdentifier
    let described = try damaged.columns(of: name).filter { !$0.isGenerated }
    let keys = described.filter(\.isPrimaryKey)
    let alias = keys.count == 1 && keys[0].declaredType.uppercased() == "INTEGER" ? keys[0].name : nil
    columns = described.filter { $0.name != alias }.map(\.name)
    let names = [alias?.asSQLIdentifier ?? "rowid"] + columns.map(\.asSQLIdentifier)
    insertion = try new.prepare(
      """
      INSERT INTO main.\(table) (\(names.joined(separator: ", "))) \
      VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
      """)
  }

  func run(_ losses: inout [Salvage.Loss]) throws(SQLiteError) {
    var lost: [ClosedRange<Int64>] = []
    var next = Int64.min
    reading: while true {
      switch try probe(next) {
      case .end: break reading
      case .row(let key):
        guard var end = try copy(from: key, &lost, &losses) else { break reading }
        if end == key {
          guard let second = try copy(from: key, &lost, &losses) else { break reading }
          end = second
        }
        // The row was found but cannot be read.
        if end == key { lost.append(key...key) }
        next = max(end, key + 1)
      case .unreadable:
        // Row IDs start at 1 by default.
        let first = max(next, 1)
        let readable = try firstReadable(after: first)
        lost.append(first...(readable.map { $0 - 1 } ?? .max))
        guard let readable else { break reading }
        next = readable
      }
    }
    lost += try listedKeys().filter { key in !lost.contains { $0.contains(key) } }.map { $0...$0 }
    losses += Self.joined(lost).map { .rows(table: name, keys: $0) }
  }

  // MARK: Rows

  /// Copies rows, starting at a row ID. Returns the first row ID that cannot be read, or nil if the end of the table is
  /// reached.
  private func copy(
    from first: Int64, _ lost: inout [ClosedRange<Int64>], _ losses: inout [Salvage.Loss]
  ) throws(SQLiteError) -> Int64? {
    let keys = try damaged.prepare("SELECT rowid FROM \(table) NOT INDEXED WHERE rowid >= ? ORDER BY rowid")
    try keys.bind([.integer(first)])
    var cursor = keys.query()
    var next = first
    while true {
      do {
        guard try cursor.next() else { return nil }
      } catch let error where error.isUnreadable {
        return next
      }
      let key = cursor.row.integer(at: 0)
      // A damaged page leads back to an earlier page.
      guard key >= next else { return next }
      do {
        try copyRow(key, &losses)
      } catch let error where error.isConstraintViolation {
        // Because of damage, the row violates a constraint of the table.
        lost.append(key...key)
      }
      guard key < .max else { return nil }
      next = key + 1
    }
  }

  private func copyRow(_ key: Int64, _ losses: inout [Salvage.Loss]) throws(SQLiteError) {
    let all = columns.map(\.asSQLIdentifier)
    for _ in 0..<2 { if try insert(key, all) { return } }
    var values: [String] = []
    for column in columns {
      if try canRead(column, key) {
        values.append(column.asSQLIdentifier)
      } else {
        values.append("NULL")
        losses.append(.value(table: name, key: key, column: column))
      }
    }
    _ = try insert(key, values)
  }

  /// Copies a row; returns false if it cannot be read.
  private func insert(_ key: Int64, _ values: [String]) throws(SQLiteError) -> Bool {
    let row = try damaged.cached(
      "SELECT \((["rowid"] + values).joined(separator: ", ")) FROM \(table) NOT INDEXED WHERE rowid = ?")
    try row.bind(key, at: 1)
    var cursor = row.query()
    do {
      guard try cursor.next() else { return true }
    } catch let error where error.isUnreadable {
      return false
    }
    for column in 0...columns.count { try insertion.bind(borrowed: cursor.row, column: column, at: column + 1) }
    defer { insertion.clearBindings() }
    try insertion.execute()
    return true
  }

  private func canRead(_ column: String, _ key: Int64) throws(SQLiteError) -> Bool {
    do {
      _ = try twice { () throws(SQLiteError) in
        try damaged.firstValue(
          "SELECT hex(\(column.asSQLIdentifier)) FROM \(table) NOT INDEXED WHERE rowid = ?", .integer(key))
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
          "SELECT rowid FROM \(table) NOT INDEXED WHERE rowid >= ? ORDER BY rowid LIMIT 1", .integer(key))
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
    var cursor = try damaged.prepare("SELECT rowid FROM \(table) INDEXED BY \(index.asSQLIdentifier)").query()
    while try cursor.next() {
      let key = cursor.row.integer(at: 0)
      if try new.firstValue("SELECT 1 FROM main.\(table) WHERE rowid = ?", .integer(key)) == nil { missing.insert(key) }
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
