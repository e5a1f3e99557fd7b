import CSQLite

/// Compares indexes with their tables without the lookup per row that `PRAGMA integrity_check` needs: an index and its
/// table are each scanned once, and checksums of their contents are compared.
struct IndexComparison {
  private static let function = "heavylift_mixed"
  private let database: Database

  init(_ database: Database) { self.database = database }

  /// - Parameter tables: The tables to compare; nil for all.
  func findings(_ limit: Int, among tables: Set<String>? = nil) throws(SQLiteError) -> [String] {
    try database.register(directFunction: Self.function, argumentCount: -1, isDeterministic: true) {
      arguments, result in
      var hash = RowHash()
      for index in 0..<arguments.count { hash.add(arguments.view(at: index)) }
      result.set(integer: hash.value)
    }
    defer { try? database.unregister(function: Self.function, argumentCount: -1) }
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
    let sums = indexes.map { index in
      let columns = ["rowid"] + index.columns.compactMap { $0.name?.asSQLIdentifier }
      return "sum(\(Self.function)(\(columns.joined(separator: ", "))))"
    }
    let name = table.asSQLIdentifier
    let unique = Array(Set(sums))
    let expected = try numbers("SELECT count(*), \(unique.joined(separator: ", ")) FROM main.\(name) NOT INDEXED")
    var findings: [String] = []
    for (index, sum) in zip(indexes, sums) {
      let found: [Int64]
      do throws(SQLiteError) {
        found = try numbers("SELECT count(*), \(sum) FROM main.\(name) INDEXED BY \(index.name.asSQLIdentifier)")
      } catch let error where error.isUnknownInSchema {
        // The index needs a collation or a function that is missing here, so Heavylift's queries cannot use it, either.
        continue
      }
      guard found[0] == expected[0] else {
        findings.append(
          "index '\(index.name)' does not have one entry for each row of '\(table)': "
            + "\(found[0]) instead of \(expected[0])")
        continue
      }
      guard let place = unique.firstIndex(of: sum), found[1] != expected[place + 1] else { continue }
      findings.append("index '\(index.name)' does not match the values of '\(table)'")
    }
    return findings
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

  private func numbers(_ sql: String) throws(SQLiteError) -> [Int64] {
    var cursor = try database.prepare(sql).query()
    guard try cursor.next() else { return [] }
    return (0..<cursor.row.columnCount).map { cursor.row.integer(at: $0) }
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

  var value: Int64 { Int64((state ^ state >> 32) & 0xffff_ffff) }

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
