extension Database {
  /// Attaches another database file to this connection; SQL refers to its tables as `name.table`.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - name: The schema name of the attached database.
  ///   - readOnly: Pass true to prevent all changes to the file, whatever the SQL says.
  ///   - immutable: Pass true to promise that no process writes to the file, as with `Options.immutable`.
  ///   - createIfMissing: Pass true to create a missing file; otherwise a missing file is an error.
  package func attach(
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

  /// Detaches a database. All statements and transactions that use the database must have ended.
  package func detach(_ name: String) throws(SQLiteError) { try run("DETACH ?", .text(name)) }
}

extension SQLiteError {
  /// Returns the same error with the path of the file that the error is about.
  fileprivate func about(_ path: String) -> SQLiteError {
    var error = self
    error.path = path
    return error
  }
}
