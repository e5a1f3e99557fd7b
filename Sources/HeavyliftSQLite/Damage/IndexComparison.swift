import CSQLite

/// Compares indexes with their tables without the lookup per row that `PRAGMA integrity_check` needs: an index and its
/// table are each scanned once, and checksums of their contents are compared.
struct IndexComparison {
  private let database: Database

  init(_ database: Database) { self.database = database }

  /// - Parameter tables: The tables to compare; nil for all.
  func findings(_ limit: Int, among tables: Set<String>? = nil) throws(SQLiteError) -> [String] {
    var findings: [String] = []
    for table in try database.tablesWithKeys() where findings.count < limit && tables?.contains(table.name) != false {
      findings += try self.findings(table.name)
    }
    return Array(findings.prefix(limit))
  }

  private func findings(_ table: String) throws(SQLiteError) -> [String] {
    let all = try database.indexes(of: table)
    let indexes = all.filter(\.containsAllRows)
    if indexes.count < all.count, let findings = try lookedUp(table) { return findings }
    guard !indexes.isEmpty else { return [] }
    // Indexes often share columns, and each column of the table is read once.
    let columns = indexes.map { index in index.columns.compactMap { $0.name?.asSQLIdentifier } }
    let names = Array(Set(columns.joined())).sorted()
    let name = table.asSQLIdentifier
    let expected = try sums(
      of: names, from: "main.\(name) NOT INDEXED",
      columns.map { own in own.map { column in names.firstIndex(of: column) ?? 0 } })
    var findings: [String] = []
    for (place, index) in indexes.enumerated() {
      let found: Sums
      do throws(SQLiteError) {
        found = try sums(
          of: columns[place], from: "main.\(name) INDEXED BY \(index.name.asSQLIdentifier)",
          [Array(columns[place].indices)])
      } catch let error where error.isUnknownInSchema {
        // The index needs a collation or a function that is missing here, so Heavylift's queries cannot use it, either.
        continue
      }
      if found.count != expected.count {
        findings.append(
          "index '\(index.name)' does not have one entry for each row of '\(table)': "
            + "\(found.count) instead of \(expected.count)")
      } else if found.sums[0] != expected.sums[place] {
        findings.append("index '\(index.name)' does not match the values of '\(table)'")
      }
    }
    return findings
  }

  /// The number of rows, and sums of the rows' hashes.
  private struct Sums {
    var count = 0
    var sums: [UInt64]
  }

  /// Reads a table or an index.
  ///
  /// - Parameter parts: For each sum, the positions of the columns that the hash covers besides the row ID.
  private func sums(of columns: [String], from table: String, _ parts: [[Int]]) throws(SQLiteError) -> Sums {
    var result = Sums(sums: parts.map { _ in 0 })
    let positions = parts.joined().map { Int32($0 + 1) }
    let ends = parts.indices.map { parts[...$0].reduce(0) { $0 + $1.count } }
    var cursor = try database.prepare("SELECT \((["rowid"] + columns).joined(separator: ", ")) FROM \(table)").query()
    while try cursor.next() {
      result.count += 1
      // No view of the row outlives this turn, and the query has all of these columns.
      let row = cursor.row.handle.pointer
      let key = ValueView(sqlite3_column_value(row, 0))
      var next = 0
      for place in ends.indices {
        var hash = RowHash()
        hash.add(key)
        while next < ends[place] {
          hash.add(ValueView(sqlite3_column_value(row, positions[next])))
          next += 1
        }
        result.sums[place] &+= hash.value
      }
    }
    return result
  }

  /// Looks up every row in every index, because SQLite alone can evaluate the condition of an index or an indexed
  /// expression. Returns nil if one of them needs a collation or a function that is missing here.
  private func lookedUp(_ table: String) throws(SQLiteError) -> [String]? {
    do throws(SQLiteError) {
      return try database.check("integrity_check", table.asSQLIdentifier)
    } catch let error where error.isUnknownInSchema {
      return nil
    }
  }
}

extension IndexInfo {
  /// True if the index has an entry for each row, and a column for each value.
  fileprivate var containsAllRows: Bool { !isPartial && columns.allSatisfy { $0.name != nil } }
}

/// A hash of a row's values that can be summed over many rows (FNV-1a over words).
private struct RowHash {
  // So that values of different types never look alike.
  private static let null: UInt64 = 0x9e37_79b9_7f4a_7c15
  private static let real: UInt64 = 0xd6e8_feb8_6659_fd93
  private static let text: UInt64 = 0xa076_1d64_78bd_642f
  private static let blob: UInt64 = 0xe703_7ed1_a0b4_28db
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  var value: UInt64 { state ^ state >> 32 }

  mutating func add(_ view: ValueView) {
    switch view.type {
    case .null: add(Self.null)
    case .integer: add(UInt64(bitPattern: view.integer))
    case .real: add(view.double.bitPattern ^ Self.real)
    case .text: add(UnsafeRawBufferPointer(view.utf8), Self.text)
    case .blob: add(view.bytes, Self.blob)
    }
  }

  private mutating func add(_ word: UInt64) {
    state = (state ^ word) &* 0x0000_0100_0000_01b3
    state ^= state >> 29
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer, _ type: UInt64) {
    var place = 0
    while place + 8 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    var rest: UInt64 = 0
    while place < bytes.count {
      rest = rest << 8 ^ UInt64(bytes[place])
      place += 1
    }
    add(rest ^ type &+ UInt64(bytes.count) << 56)
  }
}
