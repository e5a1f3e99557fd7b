extension Database {
  /// Makes another database file part of this connection: its tables are `name.table`.
  ///
  /// - Parameters:
  ///   - path: the file's.
  ///   - name: what its tables are called by.
  ///   - readOnly: leaves the file as it is, whatever the SQL says.
  ///   - immutable: as in `Options`.
  ///   - createIfMissing: makes the file if it does not exist; otherwise that is an error.
  public func attach(
    path: String, as name: String, readOnly: Bool, immutable: Bool = false, createIfMissing: Bool = false
  ) throws(SQLiteError) {
    var parameters = [readOnly ? "mode=ro" : createIfMissing ? "mode=rwc" : "mode=rw"]
    if immutable { parameters.append("immutable=1") }
    let uri = try Database.uri(path, parameters: parameters)
    do throws(SQLiteError) {
      try run("ATTACH ? AS ?", .text(uri), .text(name))
    } catch {
      throw error.about(path)
    }
  }

  /// Lets go of an attached database. Statements and transactions that use it must be done.
  public func detach(_ name: String) throws(SQLiteError) { try run("DETACH ?", .text(name)) }
}

extension SQLiteError {
  /// The same error, told of the file it is about.
  fileprivate func about(_ path: String) -> SQLiteError {
    var error = self
    error.path = path
    return error
  }
}
