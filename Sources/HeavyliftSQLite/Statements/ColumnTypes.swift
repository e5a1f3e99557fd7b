import CSQLite

/// The storage classes that consecutive columns of a row may have.
///
/// Checking all columns of a row in one call costs a fraction of asking for each column's type.
package struct ColumnTypes: Sendable {
  /// For each column, a bit for each allowed type, by SQLite's number of the type.
  private var allowed: [Int32] = []

  package init() {}

  package var count: Int { allowed.count }

  /// Adds a column with values of some types.
  package mutating func append(_ types: Set<SQLiteType>) {
    allowed.append(types.reduce(into: 0) { $0 |= 1 << $1.number })
  }

  /// Returns true if each column's value is of an allowed type.
  ///
  /// - Parameter first: The first column.
  package func holds(_ row: borrowing RowView, from first: Int) -> Bool {
    guard !allowed.isEmpty else { return true }
    precondition(first >= 0 && first + allowed.count <= row.columnCount, "the row has too few columns")
    let statement = row.handle.pointer
    return allowed.withUnsafeBufferPointer { allowed in
      for index in allowed.indices {
        let type = sqlite3_column_type(statement, Int32(truncatingIfNeeded: first + index))
        if allowed[index] & 1 << type == 0 { return false }
      }
      return true
    }
  }
}

extension SQLiteType {
  /// SQLite's number of the type, from 1 to 5.
  fileprivate var number: Int32 {
    switch self {
    case .integer: SQLITE_INTEGER
    case .real: SQLITE_FLOAT
    case .text: SQLITE_TEXT
    case .blob: SQLITE_BLOB
    case .null: SQLITE_NULL
    }
  }
}
