extension Database {
  /// Attaches another database file to this connection; its tables are `name.table`.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - name: The schema name of the attached database.
  ///   - readOnly: Pass true to prevent all changes to the file, whatever the SQL says.
  ///   - immutable: As in `Options`.
  ///   - createIfMissing: Pass true to create a missing file; otherwise a missing file is an error.
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

  /// Detaches a database. Statements and transactions that use it must have ended.
  public func detach(_ name: String) throws(SQLiteError) { try run("DETACH ?", .text(name)) }
}

extension SQLiteError {
  /// Returns the same error with the path of the file that it is about.
  fileprivate func about(_ path: String) -> SQLiteError {
    var error = self
    error.path = path
    return error
  }
}
