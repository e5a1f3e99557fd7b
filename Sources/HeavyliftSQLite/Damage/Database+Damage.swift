extension Database {
  /// Reads the whole file and returns descriptions of the damage; the array is empty for an intact file.
  ///
  /// In addition to the structure that `PRAGMA quick_check` verifies, this compares every index with its table: a
  /// query that uses a wrong index would miss rows without an error. It cannot find values that a program changed by
  /// mistake.
  ///
  /// ```swift
  /// for finding in try database.damage() { print(finding) }
  /// ```
  ///
  /// - Parameter limit: The number of findings after which reading stops.
  package func damage(limit: Int = 5) throws(SQLiteError) -> [String] {
    var findings: [String] = []
    do {
      do throws(SQLiteError) {
        findings = try check("quick_check", "\(limit)")
      } catch let error where error.isUnknownInSchema {
        try findStructuralDamageByTable(limit, &findings)
      }
      if findings.isEmpty { findings = try IndexComparison(self).findings(limit) }
    } catch let error where error.isUnreadable && findings.isEmpty {
      findings.append(error.message)
    } catch let error where error.isUnreadable {
      // The findings so far already describe the damage.
    }
    return findings
  }

  /// Reads some tables and their indexes, and returns descriptions of the damage, as `damage(limit:)` does for all.
  ///
  /// For a change that leaves the other tables as they are: damage in them neither disturbs the change nor grows by it.
  package func damage(ofTables tables: Set<String>, limit: Int = 5) throws(SQLiteError) -> [String] {
    var findings: [String] = []
    do {
      for table in tables.sorted() where findings.count < limit {
        findings += try check("quick_check", table.asSQLIdentifier)
      }
      if findings.isEmpty { findings = try IndexComparison(self).findings(limit, among: tables) }
    } catch let error where error.isUnreadable && findings.isEmpty {
      findings.append(error.message)
    } catch let error where error.isUnreadable {
      // The findings so far already describe the damage.
    }
    return findings
  }

  /// Checks tables one by one: an app's index may use a collation or a function that only the app has.
  private func findStructuralDamageByTable(_ limit: Int, _ findings: inout [String]) throws(SQLiteError) {
    for table in try tablesWithKeys() where findings.count < limit {
      let name = table.name.asSQLIdentifier
      do throws(SQLiteError) {
        findings += try check("quick_check", name)
      } catch let error where error.isUnknownInSchema {
        var cursor = try prepare("SELECT * FROM main.\(name) NOT INDEXED").query()
        while try cursor.next() {}
      }
    }
  }

  /// Returns the damage that a pragma finds.
  func check(_ pragma: String, _ argument: String) throws(SQLiteError) -> [String] {
    var findings: [String] = []
    var cursor = try prepare("PRAGMA main.\(pragma)(\(argument))").query()
    while try cursor.next() {
      let line = try cursor.row.text(at: 0) ?? ""
      // A value that violates a constraint of the schema is not damage to the file.
      let isRule = line.hasPrefix("NULL value in") || line.hasPrefix("CHECK constraint failed in")
      if line != "ok", !isRule { findings.append(line) }
    }
    return findings
  }

  /// Returns the tables with row IDs, except virtual tables and SQLite's own.
  func tablesWithKeys(in schema: String = "main") throws(SQLiteError) -> [SchemaObject] {
    var found: [SchemaObject] = []
    for object in try schemaObjects(in: schema) where object.type == .table && !object.name.hasPrefix("sqlite_") {
      guard object.sql?.uppercased().hasPrefix("CREATE VIRTUAL") == false else { continue }
      do {
        _ = try prepare("SELECT rowid FROM \(schema.asSQLIdentifier).\(object.name.asSQLIdentifier)")
      } catch let error where error.code == .error {
        continue
      }
      found.append(object)
    }
    return found
  }
}

extension SQLiteError {
  /// True if a page is invalid, or if the disk cannot read it.
  var isUnreadable: Bool { isCorrupt || isNotADatabase || isInputOutput }

  /// True if the schema uses a collation, a function or a module that this program does not have.
  var isUnknownInSchema: Bool { code == .error }

  /// True if a statement, or a trigger that it runs, names a table or a column that does not exist.
  package var isMissingName: Bool {
    code == .error && ["no such table", "no such column", "has no column named"].contains(where: message.contains)
  }

  /// True if a constraint of the table or a unique index rejects a row.
  var isConstraintViolation: Bool { code == .constraint }
}
