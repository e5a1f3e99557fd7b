import CSQLite

/// Compares indexes with their tables without the lookup per row that `PRAGMA integrity_check` needs: both are scanned
/// once, and checksums of their contents are compared.
struct IndexComparison {
  private static let function = "heavylift_mixed"
  private let database: Database

  init(_ database: Database) { self.database = database }

  func findings(_ limit: Int) throws(SQLiteError) -> [String] {
    try database.register(directFunction: Self.function, argumentCount: -1, isDeterministic: true) {
      arguments, result in
      var hash = RowHash()
      for index in 0..<arguments.count { hash.add(arguments.view(at: index)) }
      result.set(integer: hash.value)
    }
    defer { try? database.unregister(function: Self.function, argumentCount: -1) }
    var findings: [String] = []
    for table in try database.tablesWithKeys() where findings.count < limit {
      findings += try self.findings(table.name)
    }
    return Array(findings.prefix(limit))
  }

  private func findings(_ table: String) throws(SQLiteError) -> [String] {
    // An indexed expression has no column to compare with, and the table does not show which rows a partial index has.
    let indexes = try database.indexes(of: table).filter { index in
      !index.isPartial && index.columns.allSatisfy { $0.name != nil }
    }
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
        // Heavylift's queries cannot use the index either.
        continue
      }
      guard found[0] == expected[0] else {
        findings.append(
          "index '\(index.name)' does not have as many entries (\(found[0])) as there are rows (\(expected[0])) in "
            + "'\(table)'")
        continue
      }
      guard let place = unique.firstIndex(of: sum), found[1] != expected[place + 1] else { continue }
      findings.append("index '\(index.name)' does not match the values of '\(table)'")
    }
    return findings
  }

  private func numbers(_ sql: String) throws(SQLiteError) -> [Int64] {
    var cursor = try database.prepare(sql).query()
    guard try cursor.next() else { return [] }
    return (0..<cursor.row.columnCount).map { cursor.row.integer(at: $0) }
  }
}

/// A hash of a row's values that can be summed over many rows (FNV-1a over words).
private struct RowHash {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  var value: Int64 { Int64((state ^ state >> 32) & 0xffff_ffff) }

  mutating func add(_ view: ValueView) {
    switch view.type {
    case .null: add(0)
    case .integer: add(UInt64(bitPattern: view.integer) &+ 1)
    case .real: add(view.double.bitPattern)
    case .text: add(UnsafeRawBufferPointer(view.utf8))
    case .blob: add(view.bytes)
    }
  }

  private mutating func add(_ word: UInt64) {
    state = (state ^ word) &* 0x0000_0100_0000_01b3
    state ^= state >> 29
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var place = 0
    while place + 8 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    var rest = UInt64(bytes.count)
    while place < bytes.count {
      rest = rest << 8 ^ UInt64(bytes[place])
      place += 1
    }
    add(rest)
  }
}
