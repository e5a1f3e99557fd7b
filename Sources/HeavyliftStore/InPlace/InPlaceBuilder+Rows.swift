import HeavyliftModel
import HeavyliftSQLite

extension InPlaceBuilder {
  // MARK: Tables that stay

  /// Turns a table of the store into one of the new version.
  mutating func change(_ source: String, into table: TableLayout) throws {
    workingNames[table.name] = source
    let present = try columns(of: source)
    let parts = parts(in: table.name)
    let values = try parts.map { try self.values(of: $0) }
    var working: [String: String] = [:]
    var used: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
    var added: Set<String> = []
    for column in table.columns.dropFirst(3) {
      if let base = base(of: column, in: source, present, values, used) {
        used.insert(base.uppercased())
        working[column.name] = base
      } else {
        added.insert(column.name)
      }
    }
    var taken = Set(present.map { $0.name.uppercased() })
    for column in table.columns.dropFirst(3) where added.contains(column.name) {
      let name = taken.insert(column.name.uppercased()).inserted ? column.name : placeholder()
      working[column.name] = name
      creating.append(
        .init(
          effect: .addsColumn, table: table.name, part: column.name,
          sql: "ALTER TABLE \(SQLName(source)) ADD COLUMN \(SQLName(name)) \(column.declaredType)"))
    }
    workingColumns[table.name] = working
    update(source, table, parts, values, working, added)
    try dropColumns(of: source, besides: used)
    let gone = Set(goneColumns.filter { $0.table == source }.map(\.column))
    let names = present.map(\.name).filter { !gone.contains($0) } + added.compactMap { working[$0] }
    for pair in renamings(working.map { ($0.value, $0.key) }.sorted { $0.new < $1.new }, taken: names, "column") {
      renamingColumns.append(
        .init(
          effect: .renamesColumn, table: table.name, part: pair.new,
          sql: "ALTER TABLE \(SQLName(source)) RENAME COLUMN \(SQLName(pair.old)) TO \(SQLName(pair.new))"))
    }
    if source != table.name { tableRenamings.append((source, table.name)) }
    noteUntouched(parts, values, working)
  }

  /// Returns the column of the store that becomes a column of the new version; nil if none can.
  private func base(
    of column: TableLayout.Column, in source: String, _ present: [ColumnInfo], _ values: [[String: NewValue]],
    _ used: Set<String>
  ) -> String? {
    var uses: [String: Int] = [:]
    for values in values {
      switch values[column.name] {
      case .same(let old): uses[old, default: 0] += 1
      // A default for missing values, for instance: most rows keep their values.
      case .expression(let text, _): for old in columns(in: text, of: source, present) { uses[old, default: 0] += 1 }
      case .constant, .nothing, nil: continue
      }
    }
    let expected = store.layout.tables.first { $0.name == source }?.columns ?? []
    let candidates = uses.filter { old, _ in
      guard !used.contains(old.uppercased()),
        let info = present.first(where: { $0.name.uppercased() == old.uppercased() })
      else { return false }
      // A table that another program has migrated can have types that differ from those of a new store.
      return info.declaredType.uppercased() == column.declaredType
        || expected.first { $0.name == old }?.declaredType == column.declaredType
    }
    return candidates.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
  }

  /// The column of its row that an expression reads, if it is only one.
  private func columns(in text: String, of source: String, _ present: [ColumnInfo]) -> [String] {
    let read = present.map(\.name).filter { name in
      let column = "t0.\(SQLName(name))"
      return text.ranges(of: column).contains { range in
        range.upperBound == text.endIndex
          || !(text[range.upperBound].isLetter || text[range.upperBound].isNumber
            || text[range.upperBound] == "_")
      }
    }
    return read.count == 1 && read != ["Z_PK"] ? read : []
  }

  /// Gives the rows of a table their new values, except for entity numbers.
  private mutating func update(
    _ source: String, _ table: TableLayout, _ parts: [InPlaceEntity], _ values: [[String: NewValue]],
    _ working: [String: String], _ added: Set<String>
  ) {
    var assignments: [(column: String, cases: [(number: Int, value: NewValue)])] = []
    for column in table.columns.dropFirst(3) {
      guard let name = working[column.name] else { continue }
      var cases: [(Int, NewValue)] = []
      for (part, values) in zip(parts, values) {
        let value = values[column.name] ?? .nothing
        let isThere =
          added.contains(column.name)
          ? value == .nothing : value == .same(name) || value == .nothing && !part.source.hasColumn(name)
        if !isThere { cases.append((part.source.number, value)) }
      }
      if !cases.isEmpty { assignments.append((name, cases)) }
    }
    guard !assignments.isEmpty else { return }
    var (sets, bindings): ([String], [SQLiteValue]) = ([], [])
    for (column, cases) in assignments {
      var text = "CASE t0.Z_ENT"
      for (number, value) in cases {
        let sql = value.sql
        text += " WHEN \(number) THEN \(sql.text)"
        bindings += sql.bindings
      }
      sets.append("\(SQLName(column)) = \(text) ELSE t0.\(SQLName(column)) END")
    }
    var conditions: [String] = []
    for number in Set(assignments.flatMap { $0.cases.map(\.number) }).sorted() {
      var differences: [String] = []
      for (column, cases) in assignments {
        guard let value = cases.first(where: { $0.number == number })?.value else { continue }
        let sql = value.sql
        differences.append("t0.\(SQLName(column)) IS NOT \(sql.text)")
        bindings += sql.bindings
      }
      conditions.append("t0.Z_ENT = \(number) AND (\(differences.joined(separator: " OR ")))")
    }
    change.touchedTables.insert(source)
    let columns = assignments.compactMap { assignment in working.first { $0.value == assignment.column }?.key }
    updating.append(
      .init(
        effect: .fillsColumn, table: table.name, part: columns.sorted().joined(separator: ", "),
        sql: "UPDATE \(SQLName(source)) AS t0 SET \(sets.joined(separator: ", ")) "
          + "WHERE \(conditions.joined(separator: " OR "))", bindings: bindings))
  }

  /// Drops the columns of a table that the new version does not have.
  private mutating func dropColumns(of source: String, besides used: Set<String>) throws {
    // Columns that belong to no property stay: they are not ours.
    let known = Set(
      store.layout.entities.filter { $0.tableName == source }.flatMap { $0.columnNames.map { $0.uppercased() } })
    for column in try columns(of: source).map(\.name)
    where known.contains(column.uppercased()) && !used.contains(column.uppercased()) {
      goneColumns.append((source, column))
    }
  }

  // MARK: Tables that are new

  /// Creates a table, and moves the rows of its entities there.
  mutating func create(_ table: TableLayout) throws {
    let name = freeName(table.name)
    workingNames[table.name] = name
    var working = table
    working.name = name
    creating.append(.init(effect: .createsTable, table: table.name, sql: working.sql))
    if name != table.name { tableRenamings.append((name, table.name)) }
    workingColumns[table.name] = Dictionary(
      table.columns.dropFirst(3).map { ($0.name, $0.name) }, uniquingKeysWith: { first, _ in first })
    for part in parts(in: table.name) {
      change.touchedTables.insert(part.source.tableName)
      var (columns, expressions) = (["Z_PK", "Z_ENT", "Z_OPT"], ["t0.Z_PK", "\(part.destination.number)", "t0.Z_OPT"])
      var bindings: [SQLiteValue] = []
      for (column, value) in try values(of: part).sorted(by: { $0.key < $1.key }) where value != .nothing {
        let sql = value.sql
        columns.append(SQLName(column).description)
        expressions.append(sql.text)
        bindings += sql.bindings
      }
      filling.append(
        .init(
          effect: .movesRows, table: table.name,
          sql: "INSERT INTO \(SQLName(name)) (\(columns.joined(separator: ", "))) "
            + "SELECT \(expressions.joined(separator: ", ")) FROM \(SQLName(part.source.tableName)) t0 "
            + "WHERE t0.Z_ENT = \(part.source.number)", bindings: bindings))
    }
  }

  // MARK: Rows

  /// Removes the rows of entities that are gone, or that have moved to another table.
  mutating func removeRows() throws {
    for source in Set(store.layout.entities.map(\.tableName)).sorted() {
      for entity in try goneEntitiesWithRows(of: source) {
        try refuseLossOfFiles(of: entity)
        if case .integer(let count)? = try store.database.firstValue(
          "SELECT count(*) FROM \(SQLName(source)) WHERE \(entity.numberSQL()) = \(entity.number)")
        {
          change.removedObjects[entity.name] = Int(count)
        }
      }
      guard let table = heirs.first(where: { $0.value == source })?.key else { continue }
      var numbers = try goneEntitiesWithRows(of: source).map(\.number)
      numbers += parts(from: source).filter { $0.destination.tableName != table }.map(\.source.number)
      guard !numbers.isEmpty else { continue }
      change.touchedTables.insert(source)
      tablesLosingRows.insert(table)
      removing.append(
        .init(
          effect: .removesRows, table: table,
          sql: "DELETE FROM \(SQLName(source)) WHERE Z_ENT IN (\(list(numbers)))"))
    }
  }

  /// Gives the rows of tables with only one entity its number, where they have another one, so that the statements find
  /// them. Tables that no statement touches, and that get no second entity, stay as they are.
  mutating func correctNumbers() throws {
    for entity in store.layout.entities where entity.ownsTable {
      let table = entity.tableName
      let getsEntities = parts(from: table).contains { !$0.destination.ownsTable }
      guard change.touchedTables.contains(table) || getsEntities else { continue }
      let isMisnumbered = "Z_ENT IS NOT \(entity.number)"
      guard
        try store.database.firstValue("SELECT 1 FROM \(SQLName(table)) WHERE \(isMisnumbered) LIMIT 1") != nil
      else { continue }
      change.touchedTables.insert(table)
      correcting.append(
        .init(
          effect: .renumbersRows, table: table,
          sql: "UPDATE \(SQLName(table)) SET Z_ENT = \(entity.number) WHERE \(isMisnumbered)"))
    }
  }

  /// Gives the rows of tables that stay their new entity numbers.
  mutating func renumberRows() throws {
    for (table, source) in heirs.sorted(by: { $0.key < $1.key }) {
      let changed = parts(in: table).filter { $0.source.number != $0.destination.number }
      guard !changed.isEmpty else { continue }
      change.touchedTables.insert(source)
      let cases = changed.map { "WHEN \($0.source.number) THEN \($0.destination.number)" }.joined(separator: " ")
      renumbering.append(
        .init(
          effect: .renumbersRows, table: table,
          sql: "UPDATE \(SQLName(source)) SET Z_ENT = CASE Z_ENT \(cases) END "
            + "WHERE Z_ENT IN (\(list(changed.map(\.source.number))))"))
    }
  }

  /// Gives the records of CloudKit mirroring the new entity numbers of their objects, and removes those of entities that
  /// are gone: another entity may get their number.
  mutating func renumberMirroredRecords() throws {
    if change.keepsNumbers { return }
    let kept = parts.map { (old: $0.source.number, new: $0.destination.number) }
    for table in try MirroringTable.all(in: store.database) {
      guard let column = table.object.map({ SQLName($0.entity) }) else { continue }
      let name = SQLName(table.name)
      change.touchedTables.insert(table.name)
      let isGone = "\(column) NOT IN (\(list(kept.map(\.old))))"
      if try store.database.firstValue("SELECT 1 FROM \(name) WHERE \(isGone) LIMIT 1") != nil {
        renumbering.append(
          .init(effect: .removesRows, table: table.name, sql: "DELETE FROM \(name) WHERE \(isGone)"))
      }
      let changed = kept.filter { $0.old != $0.new }
      guard !changed.isEmpty else { continue }
      let cases = changed.map { "WHEN \($0.old) THEN \(-$0.new)" }.joined(separator: " ")
      // An entity and a key are unique: no row may have a number that another row is about to give up.
      for sql in [
        "UPDATE \(name) SET \(column) = CASE \(column) \(cases) END WHERE \(column) IN (\(list(changed.map(\.old))))",
        "UPDATE \(name) SET \(column) = -\(column) WHERE \(column) < 0",
      ] {
        renumbering.append(.init(effect: .renumbersRows, table: table.name, sql: sql))
      }
    }
  }

  /// Refuses to remove objects with values in files: removing a file cannot be part of a transaction.
  private mutating func refuseLossOfFiles(of entity: EntityLayout) throws {
    for attribute in entity.attributes where attribute.mayBeExternal {
      try refuseLossOfFiles(attribute, of: entity)
    }
  }

  private mutating func refuseLossOfFiles(_ attribute: AttributeColumn, of entity: EntityLayout) throws {
    let column = SQLName(attribute.column)
    let value = try store.database.firstValue(
      "SELECT EXISTS (SELECT 1 FROM \(SQLName(entity.tableName)) WHERE \(entity.numberSQL()) = \(entity.number) "
        + "AND typeof(\(column)) = 'blob' AND substr(\(column), 1, 1) = x'02')")
    guard value != .integer(0) else { return }
    refusals.append(
      "values of attribute '\(attribute.name)' of entity '\(entity.name)' are in files, which would have to be removed "
        + "together with the change")
  }

  /// Notes the properties that stay as they are.
  private mutating func noteUntouched(
    _ parts: [InPlaceEntity], _ values: [[String: NewValue]], _ working: [String: String]
  ) {
    for (part, values) in zip(parts, values) {
      // A column without a value is empty in all rows.
      func isUntouched(_ column: String) -> Bool {
        working[column].map { (values[column] ?? .same($0)) == .same($0) } ?? false
      }
      func note(_ property: String, _ columns: [String]) {
        change.untouched[part.destination.name, default: []].insert(property)
        guard columns.contains(where: { (values[$0] ?? .nothing) != .nothing }) else { return }
        change.inherited[part.destination.name, default: []].insert(property)
      }
      for attribute in part.destination.attributes where attribute.leafColumns.allSatisfy(isUntouched) {
        note(attribute.name, attribute.leafColumns)
      }
      for toOne in part.destination.toOnes + part.destination.ownerColumns {
        // The number of the target's entity says nothing that its row does not say.
        let columns = toOne.columns.filter { $0 != toOne.entityColumn }
        if columns.allSatisfy(isUntouched) { note(toOne.name, columns) }
      }
    }
  }

  /// Refuses to drop an attribute whose values are in files.
  mutating func refuseLossOfFiles() throws {
    for part in parts {
      let values = try self.values(of: part)
      let kept = Set(values.values.compactMap { if case .same(let column) = $0 { column } else { nil } })
      let moved = Set(part.transfer.values.values.compactMap(\.externalColumn))
      for attribute in part.source.attributes
      where attribute.mayBeExternal && !kept.contains(attribute.column) && !moved.contains(attribute.column) {
        try refuseLossOfFiles(attribute, of: part.source)
      }
    }
  }
}
