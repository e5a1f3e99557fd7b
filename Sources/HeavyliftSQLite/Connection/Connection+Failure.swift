import CSQLite

extension Connection {
  /// Returns SQLite's last error, with SQLite's message.
  ///
  /// - Parameter isRunning: True if the statement was running, false if it was being compiled.
  func failure(_ result: Int32, sql: String?, isRunning: Bool = true) -> SQLiteError {
    // The connection's code is more precise than the result if both have the same primary code; otherwise the
    // connection's code is stale, because SQLite does not record a misuse.
    let recorded = sqlite3_extended_errcode(pointer)
    let isRecorded = pointer != nil && recorded & 0xFF == result & 0xFF
    let code = ResultCode(rawValue: isRecorded ? recorded : result)
    var message = String(cString: isRecorded ? sqlite3_errmsg(pointer) : sqlite3_errstr(result))
    let failure = functionFailure
    functionFailure = nil
    if let failure, failure.message == message {
      return SQLiteError(
        code: code, message: message, sql: sql, path: path, origin: .function, underlyingError: failure.error)
    }
    if isRunning, code.primary == .error { message = withoutQuotedValues(message) }
    let offset = isRecorded ? sqlite3_error_offset(pointer) : -1
    return SQLiteError(
      code: code, message: message, sql: sql, offset: offset < 0 ? nil : Int(offset), path: path)
  }
}

/// Returns a running statement's message without quoted values. `bad JSON path: '$.…'` and similar messages quote a
/// user's value; messages about a statement being compiled quote its SQL.
private func withoutQuotedValues(_ message: String) -> String {
  guard let quote = message.first(where: { $0 == "'" || $0 == "\"" }), let start = message.firstIndex(of: quote),
    // Uses the last quote, because the value may contain quotes.
    let end = message.lastIndex(of: quote), start < end
  else { return message }
  return "\(message[...start])…\(message[end...])"
}
