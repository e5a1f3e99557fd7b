import CSQLite

extension Connection {
  /// The error that SQLite reported last, in its words.
  ///
  /// - Parameter isRunning: whether a statement was running rather than being compiled.
  func failure(_ result: Int32, sql: String?, isRunning: Bool = true) -> SQLiteError {
    // The connection's own code is more exact than the result where they belong to one family, and stale elsewhere: a
    // misuse is not recorded there.
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

/// A running statement's message without what it quotes: `bad JSON path: '$.…'` and its like quote a user's value, where
/// one of a statement that is being compiled quotes its SQL.
private func withoutQuotedValues(_ message: String) -> String {
  guard let quote = message.first(where: { $0 == "'" || $0 == "\"" }), let start = message.firstIndex(of: quote),
    // The last one: the value may have quotes of its own.
    let end = message.lastIndex(of: quote), start < end
  else { return message }
  return "\(message[...start])…\(message[end...])"
}
