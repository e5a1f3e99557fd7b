import CSQLite3

/// A minimal wrapper around SQLite's C interface. Any failure ends the program.
public final class PlainConnection {
  private var handle: OpaquePointer?

  public init(_ path: String) {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    check(sqlite3_open_v2(path, &handle, flags, nil))
  }

  deinit { sqlite3_close(handle) }

  public func execute(_ sql: String) { check(sqlite3_exec(handle, sql, nil, nil, nil)) }

  public func attach(_ path: String, as name: String) {
    execute("ATTACH '\(path.replacing("'", with: "''"))' AS \(name)")
  }

  /// Returns the first column of every row.
  public func texts(_ sql: String) -> [String] {
    var statement: OpaquePointer?
    check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
    defer { sqlite3_finalize(statement) }
    var texts: [String] = []
    var result = sqlite3_step(statement)
    while result == SQLITE_ROW {
      texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
      result = sqlite3_step(statement)
    }
    check(result == SQLITE_DONE ? SQLITE_OK : result)
    return texts
  }

  /// Returns the number that a statement selects.
  public func number(_ sql: String) -> Int { texts(sql).first.flatMap { Int($0) } ?? 0 }

  public func prepare(_ sql: String) -> PlainStatement {
    var statement: OpaquePointer?
    check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
    return PlainStatement(statement)
  }

  private func check(_ result: Int32) { precondition(result == SQLITE_OK, String(cString: sqlite3_errmsg(handle))) }
}

/// A statement that inserts one row after another.
public final class PlainStatement {
  public enum Value {
    case null
    case integer(Int)
    case real(Double)
    case text(String)
    case bytes([UInt8])
  }

  // SQLITE_TRANSIENT
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  private let handle: OpaquePointer?

  init(_ handle: OpaquePointer?) { self.handle = handle }

  deinit { sqlite3_finalize(handle) }

  public func insert(_ values: Value...) {
    for (index, value) in values.enumerated() { bind(value, at: Int32(index + 1)) }
    precondition(sqlite3_step(handle) == SQLITE_DONE, "a row cannot be inserted")
    sqlite3_reset(handle)
  }

  private func bind(_ value: Value, at place: Int32) {
    switch value {
    case .null: sqlite3_bind_null(handle, place)
    case .integer(let value): sqlite3_bind_int64(handle, place, Int64(value))
    case .real(let value): sqlite3_bind_double(handle, place, value)
    case .text(let text): sqlite3_bind_text(handle, place, text, Int32(text.utf8.count), Self.copied)
    case .bytes(let bytes): sqlite3_bind_blob(handle, place, bytes, Int32(bytes.count), Self.copied)
    }
  }
}
