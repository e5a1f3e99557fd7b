import HeavyliftSQLite

/// The links of a relationship, as rows of a table with two key columns.
private struct LinkRows {
  let table: String
  let owner: String
  let target: String
  let ownerTable: String
  let targetTable: String
  /// The column that is NULL in a row without a link; nil for a join table, in which every row is a link.
  let present: String?

  init?(_ relationship: String, of name: String, in layout: PhysicalLayout) {
    guard let entity = layout.entity(named: name) else { return nil }
    ownerTable = entity.tableName
    if let toOne = entity.toOne(named: relationship) {
      (table, owner, target) = (entity.tableName, "Z_PK", toOne.column)
      (present, targetTable) = (toOne.column, toOne.destinationTableName)
    } else if let toMany = entity.toMany(named: relationship) {
      (table, owner, target) = (toMany.tableName, toMany.ownerColumn, toMany.targetColumn)
      (present, targetTable) = (toMany.kind == .joinTable ? nil : toMany.ownerColumn, toMany.destinationTableName)
    } else {
      return nil
    }
  }

  /// True if no link occurs twice. A damaged join table may have another primary key, or rows that lack a key, which
  /// a primary key does not keep apart: https://sqlite.org/lang_createtable.html#the_primary_key.
  ///
  /// Ignores values that are not integers, because they are mistakes anyway.
  func isDistinct(in database: Database) throws -> Bool {
    guard present == nil else { return true }
    let keys = try database.columns(of: table).filter(\.isPrimaryKey).map { $0.name.uppercased() }
    guard Set(keys) == [owner.uppercased(), target.uppercased()] else { return false }
    // Two queries, because each can use an index.
    return try [owner, target].allSatisfy {
      try database.firstValue("SELECT 1 FROM \(SQLName(table)) WHERE \(SQLName($0)) IS NULL LIMIT 1") == nil
    }
  }

  var all: String {
    "FROM \(SQLName(table)) l WHERE " + (present.map { "l.\(SQLName($0)) IS NOT NULL" } ?? "TRUE")
  }

  /// Returns a problem with the keys of a link: a statement would read `2.5` or a blob as another object's key.
  func mistake(in link: borrowing RowView, of relationship: String) -> StoreMistake? {
    let columns = [owner, target]
    for (position, column) in columns.enumerated() {
      let type = link.type(at: position)
      if type == .integer || type == .null { continue }
      return .badLinkKey(
        "holds \(type.phrase)", table: table, column: column, relationship: relationship,
        row: "\(columns[1 - position]) = \(link.integer(at: 1 - position))")
    }
    return nil
  }

  var keys: String { "l.\(SQLName(owner)), l.\(SQLName(target))" }

  /// True for a link with a key that is not an integer.
  var isMistaken: String {
    "(" + [owner, target].map { "typeof(l.\(SQLName($0))) NOT IN ('integer', 'null')" }.joined(separator: " OR ") + ")"
  }

  // If the link is stored in the row of one end, that row exists.
  var mayLackOwner: Bool { owner != "Z_PK" || ownerTable != table }
  var mayLackTarget: Bool { target != "Z_PK" || targetTable != table }

  /// The links for which the row at one end is missing.
  var dangling: String {
    func isMissing(_ key: String, _ table: String) -> String {
      "NOT EXISTS (SELECT 1 FROM \(SQLName(table)) e WHERE e.Z_PK = l.\(SQLName(key)))"
    }
    let conditions = [
      mayLackOwner ? isMissing(owner, ownerTable) : nil, mayLackTarget ? isMissing(target, targetTable) : nil,
    ].compactMap(\.self)
    return "\(all) AND (\(conditions.joined(separator: " OR ")))"
  }
}

extension PersistentStore {
  /// Returns the number of links of a relationship, including those of sub-entities; nil if the relationship is not
  /// stored.
  ///
  /// SQLite only reads the index of the column: https://sqlite.org/optoverview.html#covering_indexes.
  ///
  /// - Throws: `Diagnostic` if a key of a to-many relationship's links is not an integer. The survey of rows checks the
  ///   columns of to-one relationships.
  package func linkCount(ofEntity name: String, relationship: String) throws -> Int? {
    guard let rows = LinkRows(relationship, of: name, in: layout) else { return nil }
    if !isViewed, rows.owner != "Z_PK" {
      try reporting {
        var cursor = try database.prepare("SELECT \(rows.keys) \(rows.all) AND \(rows.isMistaken) LIMIT 1").query()
        guard try cursor.next(), let mistake = rows.mistake(in: cursor.row, of: "\(name).\(relationship)") else {
          return
        }
        throw mistake.diagnostic(url)
      }
    }
    return try number("SELECT count(*) \(rows.all)")
  }

  /// Returns the number of a relationship's links that lack a row at one end. Only a damaged store has such links.
  package func danglingLinkCount(ofEntity name: String, relationship: String) throws -> Int {
    guard let rows = LinkRows(relationship, of: name, in: layout) else { return 0 }
    return try number("SELECT count(*) \(rows.dangling)")
  }

  /// Returns those keys of links' owners and targets for which there is no row. Only a damaged store has such links.
  ///
  /// - Parameters:
  ///   - owners: The keys of owners that may lack a row.
  ///   - targets: The keys of targets that may lack a row.
  package func missingRows(
    ofEntity name: String, relationship: String, owners: KeySet, targets: KeySet
  ) throws -> (owners: KeySet, targets: KeySet) {
    guard let rows = LinkRows(relationship, of: name, in: layout) else { return (KeySet(), KeySet()) }
    return (
      rows.mayLackOwner ? try missingRows(among: owners, in: rows.ownerTable) : KeySet(),
      rows.mayLackTarget ? try missingRows(among: targets, in: rows.targetTable) : KeySet()
    )
  }

  private func missingRows(among keys: KeySet, in table: String) throws -> KeySet {
    var missing = KeySet()
    guard keys.count > 0 else { return missing }
    try reporting {
      let statement = try database.prepare("SELECT 1 FROM \(SQLName(table)) WHERE Z_PK = ?")
      for key in keys.keys(after: .min, atMost: .max, pages: keys.sortedPages) {
        try statement.bind(key, at: 1)
        var cursor = statement.query()
        if try !cursor.next() { missing.insert(key) }
      }
    }
    return missing
  }

  /// Calls a function with the keys of the two objects of each link of a relationship.
  package func forEachLink(
    ofEntity name: String, relationship: String, _ body: (_ owner: Int64, _ target: Int64) throws -> Void
  ) throws {
    guard let rows = LinkRows(relationship, of: name, in: layout) else { return }
    try reporting {
      // The views of a fused hop never contain a link twice.
      let isDistinct = try isViewed || rows.isDistinct(in: database)
      var types = ColumnTypes()
      for _ in 0..<2 { types.append([.integer, .null]) }
      var cursor = try database.prepare("SELECT \(isDistinct ? "" : "DISTINCT ")\(rows.keys) \(rows.all)").query()
      while try cursor.next() {
        if !types.holds(cursor.row, from: 0), let mistake = rows.mistake(in: cursor.row, of: "\(name).\(relationship)")
        {
          throw mistake.diagnostic(url)
        }
        try body(cursor.row.integer(at: 0), cursor.row.integer(at: 1))
      }
    }
  }

  /// Returns the entity of the object with that key in an entity's hierarchy; nil if there is no such object.
  package func entityName(ofKey key: Int64, in name: String) throws -> String? {
    guard let table = layout.entity(named: name)?.tableName else { return nil }
    let number = try number("SELECT Z_ENT FROM \(SQLName(table)) WHERE Z_PK = \(key)")
    return layout.entities.first { $0.number == number }?.name
  }

  private func number(_ sql: String) throws -> Int {
    try reporting {
      guard case .integer(let count)? = try database.firstValue(sql) else { return 0 }
      return Int(count)
    }
  }

  /// Returns the largest number of targets that one object has in each to-many relationship, by entity and name.
  package func mostTargets() throws -> [String: [String: Int]] {
    try reporting {
      var most: [String: [String: Int]] = [:]
      for entity in layout.entities {
        for relationship in entity.toManys {
          let (table, owner) = (SQLName(relationship.tableName), SQLName(relationship.ownerColumn))
          let count = try database.firstValue(
            "SELECT max(number) FROM (SELECT count(*) AS number FROM \(table) WHERE \(owner) IN "
              + "(SELECT Z_PK FROM \(SQLName(entity.tableName)) WHERE Z_ENT = \(entity.number)) GROUP BY \(owner))")
          if case .integer(let count)? = count { most[entity.name, default: [:]][relationship.name] = Int(count) }
        }
      }
      return most
    }
  }
}
