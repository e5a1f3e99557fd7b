import HeavyliftModel
import HeavyliftSQLite

extension StoreInspection {
  private static let history: Set<String> = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
  private static let own: Set<String> = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]

  /// Finds the schema objects that belong neither to the model nor to Core Data.
  mutating func findUnknown(_ file: StoreFile, _ layout: PhysicalLayout?) throws {
    var known = Self.own
    if let layout {
      known.formUnion(layout.entities.map { $0.tableName.uppercased() })
      known.formUnion(layout.entities.flatMap { $0.toManys.map { $0.tableName.uppercased() } })
      foreignEntities = entities.filter { entity in
        entity.tableName.map { !known.contains($0.uppercased()) } ?? false
      }
    } else {
      known.formUnion(entities.compactMap { $0.tableName?.uppercased() })
    }
    for object in file.schema.sorted(by: { $0.name < $1.name }) {
      switch object.type {
      case .table: try sort(object.name, known, layout, file)
      case .view: views.append(object.name)
      case .trigger:
        let isKnown = object.name.hasPrefix("Z_DA_") || layout?.triggers.contains { $0.name == object.name } == true
        if !isKnown { unknownTriggers.append(object.name) }
      case .index:
        guard let layout, object.sql != nil, known.contains(object.tableName.uppercased()),
          !layout.indexes.contains(where: { $0.name == object.name }), !object.isIndexOfCoreData
        else { continue }
        unknownIndexes.append(object.name)
      }
    }
    if let layout { try findColumns(file, layout) }
  }

  private mutating func sort(
    _ table: String, _ known: Set<String>, _ layout: PhysicalLayout?, _ file: StoreFile
  ) throws {
    let name = table.uppercased()
    guard !known.contains(name), !name.hasPrefix("SQLITE_"), !metadata.isLeftover(table: table) else { return }
    if Self.history.contains(name) {
      historyTables.append(Table(name: table, rows: try Self.rows(in: table, of: file)))
      return
    }
    // Without a model, a table with a join table's name and columns counts as a join table.
    if layout == nil, try Self.looksLikeJoinTable(table, file) { return }
    unknownTables.append(Table(name: table, rows: try Self.rows(in: table, of: file)))
  }

  private static func rows(in table: String, of file: StoreFile) throws -> Int {
    // A virtual table whose module is missing cannot be read, but still exists.
    let count = try? file.database.firstValue("SELECT count(*) FROM \(table.asSQLIdentifier)")
    guard case .integer(let count)? = count ?? nil else { return 0 }
    return Int(count)
  }

  private static func looksLikeJoinTable(_ table: String, _ file: StoreFile) throws -> Bool {
    func isNumbered(_ name: String) -> Bool {
      name.hasPrefix("Z_") && name.dropFirst(2).first?.isNumber == true
    }
    guard isNumbered(table) else { return false }
    return try file.columns(of: table).allSatisfy {
      isNumbered($0) || $0.hasPrefix("Z_FOK_") || $0 == "REFLEXIVE"
    }
  }

  private mutating func findColumns(_ file: StoreFile, _ layout: PhysicalLayout) throws {
    var known: [String: Set<String>] = [:]
    for entity in layout.entities {
      var columns: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
      columns.formUnion(entity.attributes.flatMap { $0.leafColumns.map { $0.uppercased() } })
      for toOne in entity.toOnes + entity.ownerColumns {
        columns.formUnion(
          [toOne.column, toOne.entityColumn, toOne.orderColumn].compactMap { $0?.uppercased() })
      }
      known[entity.tableName, default: []].formUnion(columns)
    }
    for (table, columns) in known.sorted(by: { $0.key < $1.key }) {
      for column in try file.columns(of: table)
      where !columns.contains(column.uppercased()) && !metadata.isLeftover(column: column, of: table) {
        unknownColumns.append(Column(table: table, name: column))
      }
    }
  }
}

extension SchemaObject {
  /// True for an index with a name such as `Z_Track_byTitle` or `ZTRACK_ZALBUM_INDEX`. Which of these exist depends on
  /// the model and the release of Core Data.
  var isIndexOfCoreData: Bool {
    guard type == .index else { return false }
    let name = name.uppercased()
    return name.hasPrefix("Z_") || name.hasPrefix("\(tableName.uppercased())_")
  }
}
