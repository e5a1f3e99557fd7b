import HeavyliftSQLite

extension LinkTable {
  /// True if no link occurs twice. A damaged join table may have another primary key, or rows that lack a key, which
  /// a primary key does not keep apart: https://sqlite.org/lang_createtable.html#the_primary_key.
  ///
  /// Ignores values that are not integers, because they are mistakes anyway.
  fileprivate func isDistinct(in database: Database) throws -> Bool {
    guard present == nil else { return true }
    guard try isPrimaryKey(in: database) else { return false }
    // Two queries, because each can use an index.
    return try [owner, target].allSatisfy {
      try database.firstValue("SELECT 1 FROM \(SQLName(table)) WHERE \(SQLName($0)) IS NULL LIMIT 1") == nil
    }
  }

  /// Returns a problem with the keys of a link: a statement would read `2.5` or a blob as another object's key.
  fileprivate func mistake(in link: borrowing RowView, of relationship: String) -> StoreMistake? {
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

  fileprivate var keys: String { "l.\(SQLName(owner)), l.\(SQLName(target))" }

  /// True for a link with a key that is not an integer.
  fileprivate var isMistaken: String {
    "(" + [owner, target].map { "typeof(l.\(SQLName($0))) NOT IN ('integer', 'null')" }.joined(separator: " OR ") + ")"
  }

  // If the link is stored in the row of one end, that row exists.
  fileprivate var mayLackOwner: Bool { !isInOwnerRow }
  fileprivate var mayLackTarget: Bool { target != "Z_PK" || targetTable != table }

  /// The links, each once. Rows that lack a key are not duplicates of each other: each is a link to nothing.
  fileprivate var distinct: String {
    let isWhole = "l.\(SQLName(owner)) IS NOT NULL AND l.\(SQLName(target)) IS NOT NULL"
    return "SELECT DISTINCT \(keys) \(all) AND \(isWhole) UNION ALL SELECT \(keys) \(all) AND NOT (\(isWhole))"
  }

  /// The links for which the row at one end is missing.
  fileprivate var dangling: String {
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
  package func linkCount(ofEntity name: String, relationship: String) throws -> Int? {
    try LinkTable(relationship, of: name, in: layout).map { try number("SELECT count(*) \($0.all)") }
  }

  /// Throws a diagnostic if a key of a relationship's links is not an integer. `forEachLink` checks this, too.
  ///
  /// - Parameter hasSurveyedOwners: True if the rows of all owners were surveyed, which checks the keys in them.
  package func requireLinkKeys(ofEntity name: String, relationship: String, hasSurveyedOwners: Bool) throws {
    guard let links = LinkTable(relationship, of: name, in: layout), !(links.isInOwnerRow && hasSurveyedOwners)
    else { return }
    try reporting {
      var cursor = try database.prepare("SELECT \(links.keys) \(links.all) AND \(links.isMistaken) LIMIT 1").query()
      guard try cursor.next(), let mistake = links.mistake(in: cursor.row, of: "\(name).\(relationship)") else {
        return
      }
      throw mistake.diagnostic(url)
    }
  }

  /// Returns the number of a relationship's links that lack a row at one end. Only a damaged store has such links.
  package func danglingLinkCount(ofEntity name: String, relationship: String) throws -> Int {
    guard let links = LinkTable(relationship, of: name, in: layout) else { return 0 }
    return try number("SELECT count(*) \(links.dangling)")
  }

  /// Returns those keys of links' owners and targets for which there is no row. Only a damaged store has such links.
  ///
  /// - Parameters:
  ///   - owners: The keys of owners that may lack a row.
  ///   - targets: The keys of targets that may lack a row.
  package func missingRows(
    ofEntity name: String, relationship: String, owners: KeySet, targets: KeySet
  ) throws -> (owners: KeySet, targets: KeySet) {
    guard let links = LinkTable(relationship, of: name, in: layout) else { return (KeySet(), KeySet()) }
    return (
      links.mayLackOwner ? try missingRows(among: owners, in: links.ownerTable) : KeySet(),
      links.mayLackTarget ? try missingRows(among: targets, in: links.targetTable) : KeySet()
    )
  }

  private func missingRows(among keys: KeySet, in table: String) throws -> KeySet {
    var missing = KeySet()
    guard keys.count > 0 else { return missing }
    try reporting {
      let statement = try database.prepare("SELECT 1 FROM \(SQLName(table)) WHERE Z_PK = ?")
      try keys.forEach { key in
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
    guard let links = LinkTable(relationship, of: name, in: layout) else { return }
    try reporting {
      let isDistinct = try links.isDistinct(in: database)
      var types = ColumnTypes()
      for _ in 0..<2 { types.append([.integer, .null]) }
      var cursor = try database.prepare(isDistinct ? "SELECT \(links.keys) \(links.all)" : links.distinct).query()
      while try cursor.next() {
        if !types.holds(cursor.row, from: 0), let mistake = links.mistake(in: cursor.row, of: "\(name).\(relationship)")
        {
          throw mistake.diagnostic(url)
        }
        try body(cursor.row.integer(at: 0), cursor.row.integer(at: 1))
      }
    }
  }

  /// Returns the key of the object that has a target in a to-many relationship whose targets name their owner.
  package func ownerKey(ofTarget key: Int64, entity name: String, relationship: String) throws -> Int64? {
    guard let toMany = layout.entity(named: name)?.toMany(named: relationship), toMany.kind == .foreignKey else {
      return nil
    }
    let owner = try number(
      "SELECT \(SQLName(toMany.ownerColumn)) FROM \(SQLName(toMany.tableName)) WHERE Z_PK = \(key)")
    return owner > 0 ? Int64(owner) : nil
  }

  /// Returns the entity of the object with that key in an entity's hierarchy; nil if there is no such object.
  package func entityName(ofKey key: Int64, in name: String) throws -> String? {
    guard let entity = layout.entity(named: name) else { return nil }
    let number = try number("SELECT \(entity.numberSQL()) FROM \(SQLName(entity.tableName)) WHERE Z_PK = \(key)")
    return layout.entities.first { $0.number == number }?.name
  }

  /// Returns the number that a query results in, or 0 if it has no result.
  func number(_ sql: String) throws -> Int {
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
            "SELECT max(number) FROM (SELECT count(\(SQLName(relationship.targetColumn))) AS number FROM \(table) WHERE \(owner) IN "
              + "(SELECT Z_PK FROM \(SQLName(entity.tableName)) WHERE \(entity.numberSQL()) = \(entity.number)) "
              + "GROUP BY \(owner))")
          if case .integer(let count)? = count { most[entity.name, default: [:]][relationship.name] = Int(count) }
        }
      }
      return most
    }
  }
}
