import CSQLite

extension Database {
  /// Runs a script of one or more statements, ignoring any rows.
  package func execute(_ sql: String) throws(SQLiteError) {
    var rest = sql[...]
    while let (handle, tail) = try compile(rest, flags: 0) {
      rest = tail
      while try handle.step() {}
    }
  }

  /// Runs one statement to its end, with values for its parameters. The compiled statement is cached.
  package func run(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) { try run(sql, values) }

  /// Runs one statement to its end, with values for its parameters. The compiled statement is cached.
  package func run(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
    let statement = try cached(sql)
    try statement.bind(values)
    try statement.execute()
  }

  /// Returns the first column of a query's first row, or nil if there is no row.
  package func firstValue(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) -> SQLiteValue? {
    let statement = try cached(sql)
    try statement.bind(values)
    var cursor = statement.query()
    guard try cursor.next() else { return nil }
    return try cursor.row.value(at: 0)
  }

  /// Compiles one statement for exclusive use by the caller.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    Statement(try compileOne(sql))
  }

  /// Returns a statement from the cache, reset and without bindings; it returns to the cache when the caller releases
  /// it.
  ///
  /// While the statement is in use, other callers that ask for the same SQL get a statement of their own.
  package func cached(_ sql: String) throws(SQLiteError) -> Statement {
    if let handle = cache.take(sql) { return Statement(handle, cache: cache) }
    return Statement(try compileOne(sql), cache: cache)
  }

  private func compileOne(_ sql: String) throws(SQLiteError) -> StatementHandle {
    guard let (handle, tail) = try compile(sql[...], flags: UInt32(SQLITE_PREPARE_PERSISTENT), named: sql) else {
      throw misuse("the SQL contains no statement", sql: sql)
    }
    // The rest may be a comment; only SQLite can decide that.
    if !tail.isEmpty, try compile(tail, flags: 0) != nil {
      throw misuse("the SQL contains more than one statement", sql: sql)
    }
    return handle
  }

  /// Compiles the first statement and returns the remaining text; nil if there are only comments.
  private func compile(
    _ sql: Substring, flags: UInt32, named name: String? = nil
  ) throws(SQLiteError) -> (handle: StatementHandle, tail: Substring)? {
    // Skips leading white space so that an error's offset is an offset into the statement.
    var rest = sql.drop(while: \.isWhitespace)
    while !rest.isEmpty {
      let connection = try connection.opened(sql: String(sql))
      var statement: OpaquePointer?
      var text = rest
      let (result, used) = text.withUTF8 { utf8 -> (Int32, Int) in
        // SQLite would silently ignore everything after a null byte.
        if utf8.contains(0) { return (SQLITE_MISUSE, 0) }
        return utf8.withMemoryRebound(to: CChar.self) { characters in
          var tail: UnsafePointer<CChar>?
          let result = sqlite3_prepare_v3(
            connection, characters.baseAddress, Int32(clamping: characters.count), flags, &statement, &tail)
          guard let start = characters.baseAddress, let tail else { return (result, characters.count) }
          return (result, tail - start)
        }
      }
      guard result == SQLITE_OK else {
        if result == SQLITE_MISUSE { throw misuse("the SQL contains U+0000", sql: String(sql)) }
        let failed = rest.utf8.prefix(used).last == UInt8(ascii: ";") ? rest.utf8.prefix(used) : rest.utf8[...]
        throw self.connection.failure(result, sql: String(Substring(failed)), isRunning: false)
      }
      let end = rest.utf8.index(rest.startIndex, offsetBy: used)
      let first = rest[..<end]
      rest = rest[end...].drop(while: \.isWhitespace)
      if let statement {
        return (StatementHandle(statement, sql: name ?? String(first), connection: self.connection), rest)
      }
    }
    return nil
  }

  private func misuse(_ message: String, sql: String) -> SQLiteError {
    SQLiteError(code: .misuse, message: message, sql: sql, path: path, origin: .misuse)
  }
}
