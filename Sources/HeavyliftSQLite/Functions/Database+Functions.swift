import CSQLite

extension Database {
  /// Registers a Swift function that SQL can call.
  ///
  /// ```swift
  /// try database.register(function: "titlecase", argumentCount: 1, isDeterministic: true) { arguments in
  ///   guard let text = try arguments.text(at: 0) else { return .null }
  ///   return .text(text.capitalized)
  /// }
  /// ```
  ///
  /// If the function throws, the statement ends with a `SQLiteError` whose `underlyingError` is that error. The
  /// function may run statements of this database, which it should capture as `unowned`: the database retains the
  /// function.
  ///
  /// - Parameters:
  ///   - name: The function's name in SQL.
  ///   - argumentCount: The number of arguments; -1 for any number.
  ///   - isDeterministic: True if equal arguments always yield the same value, so that SQLite may make fewer calls.
  ///   - isAllowedInSchema: True if triggers, views, indexes and the like, which come with the file, may call the
  ///     function: allow only functions that are harmless for any caller and any arguments.
  ///   - body: The function.
  package func register(
    function name: String, argumentCount: Int, isDeterministic: Bool, isAllowedInSchema: Bool = false,
    _ body: @escaping (borrowing SQLiteArguments) throws -> SQLiteValue
  ) throws(SQLiteError) {
    try register(
      directFunction: name, argumentCount: argumentCount, isDeterministic: isDeterministic,
      isAllowedInSchema: isAllowedInSchema
    ) { arguments, result in result.set(try body(arguments)) }
  }

  /// Registers a function that stores its result directly in SQLite's memory, without creating a value. This matters
  /// for functions that are called for every row.
  ///
  /// ```swift
  /// try database.register(directFunction: "within", argumentCount: 1, isDeterministic: true) { arguments, result in
  ///   if arguments.integer(at: 0) < limit { result.set(arguments, at: 0) }
  /// }
  /// ```
  package func register(
    directFunction name: String, argumentCount: Int, isDeterministic: Bool, isAllowedInSchema: Bool = false,
    _ body: @escaping (borrowing SQLiteArguments, borrowing SQLiteResult) throws -> Void
  ) throws(SQLiteError) {
    try check(name, argumentCount)
    let pointer = try connection.opened()
    let function = RegisteredFunction(name: name, connection: connection, body: body)
    let flags =
      SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
      | (isAllowedInSchema ? SQLITE_INNOCUOUS : SQLITE_DIRECTONLY)
    // SQLite calls the destructor even if this fails.
    let result = sqlite3_create_function_v2(
      pointer, name, Int32(argumentCount), flags, Unmanaged.passRetained(function).toOpaque(),
      { context, count, values in
        guard let data = sqlite3_user_data(context) else { return }
        // SQLite retains the function; retaining it here would cost as much as many functions.
        Unmanaged<RegisteredFunction>.fromOpaque(data)._withUnsafeGuaranteedRef { $0.call(context, count, values) }
      }, nil, nil,
      { data in
        guard let data else { return }
        Unmanaged<RegisteredFunction>.fromOpaque(data).release()
      })
    guard result == SQLITE_OK else { throw connection.failure(result, sql: nil, isRunning: false) }
  }

  /// Removes a registered function from SQL and releases it.
  package func unregister(function name: String, argumentCount: Int) throws(SQLiteError) {
    try check(name, argumentCount)
    let pointer = try connection.opened()
    let result = sqlite3_create_function_v2(
      pointer, name, Int32(argumentCount), SQLITE_UTF8, nil, nil, nil, nil, nil)
    guard result == SQLITE_OK else { throw connection.failure(result, sql: nil, isRunning: false) }
  }

  /// Checks arguments for which SQLite would only report a misuse.
  private func check(_ name: String, _ argumentCount: Int) throws(SQLiteError) {
    let problem: String
    if name.isEmpty || name.utf8.count > 255 || name.utf8.contains(0) {
      problem = "function '\(name.prefix(40))' needs a name of 1 to 255 bytes without U+0000"
    } else if !(-1...127).contains(argumentCount) {
      problem = "function '\(name)' can take 0 to 127 arguments, or any number (-1), but not \(argumentCount)"
    } else {
      return
    }
    throw SQLiteError(code: .misuse, message: problem, path: path, origin: .misuse)
  }
}
