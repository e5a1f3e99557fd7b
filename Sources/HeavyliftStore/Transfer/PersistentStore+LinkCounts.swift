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

  var dangling: String { "\(all) AND (\(isDangling(owner: "l.\(SQLName(owner))", target: "l.\(SQLName(target))")))" }

  /// A condition that is true if the row at one end is missing.
  func isDangling(owner ownerKey: String, target targetKey: String) -> String {
    func isMissing(_ key: String, _ column: String, _ table: String) -> String? {
      // If the link is stored in the row of one end, that row exists.
      if column == "Z_PK", table == self.table { return nil }
      return "NOT EXISTS (SELECT 1 FROM \(SQLName(table)) e WHERE e.Z_PK = \(key))"
    }
    return [isMissing(ownerKey, owner, ownerTable), isMissing(targetKey, target, targetTable)].compactMap(\.self)
      .joined(separator: " OR ")
  }
}

extension PersistentStore {
  /// Returns the number of links of a relationship, including those of sub-entities; nil if the relationship is not
  /// stored.
  ///
  /// SQLite only reads the index of the column: https://sqlite.org/optoverview.html#covering_indexes.
  package func linkCount(ofEntity name: String, relationship: String) throws -> Int? {
    guard let rows = LinkRows(relationship, of: name, in: layout) else { return nil }
    return try number("SELECT count(*) \(rows.all)")
  }

  /// Returns the number of a relationship's links that lack a row at one end. Only a damaged store has such links.
  package func danglingLinkCount(ofEntity name: String, relationship: String) throws -> Int {
    guard let rows = LinkRows(relationship, of: name, in: layout) else { return 0 }
    return try number("SELECT count(*) \(rows.dangling)")
  }

  /// Returns a function that takes the keys of a link's two objects and returns true if the row of either object is
  /// missing.
  package func danglingLinkTest(
    ofEntity name: String, relationship: String
  ) throws -> (_ owner: Int64, _ target: Int64) throws -> Bool {
    guard let rows = LinkRows(relationship, of: name, in: layout) else { return { _, _ in false } }
    let statement = try reporting {
      // Both parameters are in the subquery, because the condition may use only one of them.
      try database.prepare("SELECT \(rows.isDangling(owner: "?1", target: "?2")) FROM (SELECT ?1, ?2)")
    }
    return { owner, target in
      try self.reporting {
        try statement.bind(owner, at: 1)
        try statement.bind(target, at: 2)
        var cursor = statement.query()
        return try cursor.next() && cursor.row.integer(at: 0) != 0
      }
    }
  }

  /// Calls a function with the keys of the two objects of each link of a relationship.
  package func forEachLink(
    ofEntity name: String, relationship: String, _ body: (_ owner: Int64, _ target: Int64) throws -> Void
  ) throws {
    guard let rows = LinkRows(relationship, of: name, in: layout) else { return }
    // A damaged join table may contain a link twice.
    let isDistinct = try hasDistinctLinks(ofEntity: name, relationship: relationship)
    try reporting {
      let keys = "l.\(SQLName(rows.owner)), l.\(SQLName(rows.target))"
      var cursor = try database.prepare("SELECT \(isDistinct ? "" : "DISTINCT ")\(keys) \(rows.all)").query()
      while try cursor.next() {
        if let mistake = rows.mistake(in: cursor.row, of: "\(name).\(relationship)") { throw mistake.diagnostic(url) }
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
