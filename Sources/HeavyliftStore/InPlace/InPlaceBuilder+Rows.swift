import HeavyliftModel
import HeavyliftSQLite

extension InPlaceBuilder {
  // MARK: Tables that stay

  /// Turns a table of the store into one of the new version.
  mutating func keep(_ source: String, as table: TableLayout) throws {
    workingNames[table.name] = source
    let rows = try parts(in: table.name).map { part in
      KeptTable.Rows(source: part.source, newNumber: part.destination.number, values: try values(of: part))
    }
    let kept = KeptTable(
      source, as: table, rows, present: try columns(of: source), in: store.layout, reusesColumns: false, &names)
    keptTables[table.name] = kept
    // Columns that belong to no property stay: they are not ours.
    let known = Set(
      store.layout.entities.filter { $0.tableName == source }.flatMap { $0.columnNames.map { $0.uppercased() } })
    let gone = kept.unusedColumns.filter { known.contains($0.uppercased()) }
    goneColumns += gone.map { (source, $0) }
    if kept.changesValues { change.touchedTables.insert(source) }
    // Statements about other tables find rows by their old numbers.
    kept.addStatements(to: &program, &names, leaving: Set(gone), renumbersRows: false)
    if source != table.name { tableRenamings.append((source, table.name)) }
    noteUntouched(kept)
  }

  // MARK: Tables that are new

  /// Creates a table, and moves the rows of its entities there.
  mutating func create(_ table: TableLayout) throws {
    let name = names.free(table.name)
    workingNames[table.name] = name
    var working = table
    working.name = name
    program.add(.createsTable, in: .create, table: table.name, sql: working.sql)
    if name != table.name { tableRenamings.append((name, table.name)) }
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
      program.add(
        .movesRows, in: .fill, table: table.name,
        sql: "INSERT INTO \(SQLName(name)) (\(columns.joined(separator: ", "))) "
          + "SELECT \(expressions.joined(separator: ", ")) FROM \(SQLName(part.source.tableName)) t0 "
          + "WHERE t0.Z_ENT = \(part.source.number)", bindings: bindings)
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
      program.add(
        .removesRows, in: .remove, table: table,
        sql: "DELETE FROM \(SQLName(source)) WHERE Z_ENT IN (\(list(numbers)))")
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
      program.add(
        .renumbersRows, in: .correctNumbers, table: finalName(of: table),
        sql: "UPDATE \(SQLName(table)) SET Z_ENT = \(entity.number) WHERE \(isMisnumbered)")
    }
  }

  /// Gives the rows of tables that stay their new entity numbers.
  mutating func renumberRows() throws {
    for (table, source) in heirs.sorted(by: { $0.key < $1.key }) {
      let changed = parts(in: table).filter { $0.source.number != $0.destination.number }
      guard !changed.isEmpty else { continue }
      change.touchedTables.insert(source)
      let numbers = Dictionary(
        changed.map { ($0.source.number, $0.destination.number) }, uniquingKeysWith: { first, _ in first })
      program.add(
        .renumbersRows, in: .renumber, table: table,
        sql: "UPDATE \(SQLName(source)) SET Z_ENT = CASE Z_ENT \(NewValue.cases(numbers)) END "
          + "WHERE Z_ENT IN (\(list(changed.map(\.source.number))))")
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
        program.add(
          .removesRows, in: .renumber, table: table.name,
          sql: "DELETE FROM \(name) WHERE \(isGone)")
      }
      let changed = kept.filter { $0.old != $0.new }
      guard !changed.isEmpty else { continue }
      let cases = changed.map { "WHEN \($0.old) THEN \(-$0.new)" }.joined(separator: " ")
      // An entity and a key are unique: no row may have a number that another row is about to give up.
      for sql in [
        "UPDATE \(name) SET \(column) = CASE \(column) \(cases) END WHERE \(column) IN (\(list(changed.map(\.old))))",
        "UPDATE \(name) SET \(column) = -\(column) WHERE \(column) < 0",
      ] {
        program.add(.renumbersRows, in: .renumber, table: table.name, sql: sql)
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
  private mutating func noteUntouched(_ kept: KeptTable) {
    for (part, rows) in zip(parts(in: kept.name), kept.rows) {
      func note(_ property: String, _ columns: [String]) {
        change.untouched[part.destination.name, default: []].insert(property)
        guard columns.contains(where: { (rows.values[$0] ?? .nothing) != .nothing }) else { return }
        change.inherited[part.destination.name, default: []].insert(property)
      }
      for attribute in part.destination.attributes
      where attribute.leafColumns.allSatisfy({ kept.isUntouched($0, in: rows) }) {
        note(attribute.name, attribute.leafColumns)
      }
      for toOne in part.destination.toOnes + part.destination.ownerColumns {
        // The number of the target's entity says nothing that its row does not say.
        let columns = toOne.columns.filter { $0 != toOne.entityColumn }
        if columns.allSatisfy({ kept.isUntouched($0, in: rows) }) { note(toOne.name, columns) }
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
