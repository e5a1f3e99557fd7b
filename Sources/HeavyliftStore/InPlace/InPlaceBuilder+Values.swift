import HeavyliftModel
import HeavyliftSQLite

extension InPlaceBuilder {
  /// Returns the new values of an entity's columns, by their new names; columns without one are NULL.
  mutating func values(of part: InPlaceEntity) throws -> [String: NewValue] {
    if let known = knownValues[part.destination.name] { return known }
    var values = attributeValues(of: part)
    for toOne in part.destination.toOnes + part.destination.ownerColumns { try add(toOne, of: part, to: &values) }
    knownValues[part.destination.name] = values
    return values
  }

  private mutating func attributeValues(of part: InPlaceEntity) -> [String: NewValue] {
    let transfer = part.transfer
    var values: [String: NewValue] = [:]
    for attribute in transfer.destination.columns.attributes {
      let column = attribute.column
      if column.isDerived {
        if let old = part.source.attributes.first(where: { $0.name == column.name && $0.isDerived }) {
          values[column.column] = .same(old.column)
        }
        continue
      }
      if let external = transfer.externals[column.column] {
        if external.keepsColumn, let old = transfer.values[column.column]?.externalColumn {
          values[column.column] = .same(old)
        } else {
          refusals.append(
            "values of attribute '\(column.name)' of entity '\(part.destination.name)' may have to be moved to files or "
              + "from files")
        }
        continue
      }
      for leaf in column.leafColumns { values[leaf] = transfer.newValue(ofColumn: leaf, column) }
    }
    return values
  }

  // MARK: Links

  private mutating func add(_ toOne: ToOneColumn, of part: InPlaceEntity, to values: inout [String: NewValue]) throws {
    guard let link = part.links[toOne.name] else { return }
    switch link {
    case .same(let name):
      guard let old = part.source.toOne(named: name) else {
        refusals.append(
          "relationship '\(toOne.name)' of entity '\(part.destination.name)' is not in the rows of its objects")
        return
      }
      try refuseMisfits(
        "SELECT t0.Z_PK AS owner, t0.\(SQLName(old.column)) AS target FROM \(SQLName(part.source.tableName)) t0 "
          + "WHERE \(part.source.numberSQL("t0")) = \(part.source.number)",
        from: (old.destinationEntityName, old.destinationTableName), to: kinds(toOne.destinationEntityName),
        "'\(toOne.name)' of entity '\(part.destination.name)'")
      let (numbers, areWhole) = try targets(of: old, in: toOne.destinationTableName)
      let present = "EXISTS (\(rows(of: old.destinationTableName, "t0.\(SQLName(old.column))", numbers.keys)))"
      func kept(_ column: String) -> NewValue {
        areWhole ? .same(column) : .expression("CASE WHEN \(present) THEN t0.\(SQLName(column)) END", [])
      }
      if !areWhole { change.touchedTables.formUnion([part.source.tableName, old.destinationTableName]) }
      values[toOne.column] = kept(old.column)
      if let column = toOne.entityColumn {
        values[column] =
          areWhole
          ? number(in: old, numbers) : targetNumber(old.destinationTableName, "t0.\(SQLName(old.column))", numbers)
      }
      if let order = toOne.orderColumn {
        let place = OrderKeys.place(ofKey: "t0.Z_PK")
        let isLinked = areWhole ? "t0.\(SQLName(old.column)) IS NOT NULL" : present
        values[order] = old.orderColumn.map(kept) ?? .expression("CASE WHEN \(isLinked) THEN \(place) END", [])
      }
    case .reverse(let entity, let relationship):
      try addReverse(toOne, of: part, entity, relationship, to: &values)
    }
  }

  private func number(in old: ToOneColumn, _ numbers: [Int: Int]) -> NewValue {
    let key = "t0.\(SQLName(old.column))"
    guard let column = old.entityColumn else { return targetNumber(old.destinationTableName, key, numbers) }
    return .number(in: column, numbers)
  }

  /// The new number of the target's entity, looked up in the target's row.
  private func targetNumber(_ table: String, _ key: String, _ numbers: [Int: Int]) -> NewValue {
    guard !numbers.isEmpty else { return .nothing }
    return .expression(
      "SELECT CASE d.Z_ENT \(NewValue.cases(numbers)) END FROM \(SQLName(table)) d WHERE d.Z_PK = \(key)", [])
  }

  private mutating func addReverse(
    _ toOne: ToOneColumn, of part: InPlaceEntity, _ entity: String, _ relationship: String,
    to values: inout [String: NewValue]
  ) throws {
    // Objects whose entity does not have the relationship any more lose their links.
    let kinds = kinds(toOne.destinationEntityName)
    guard let owner = store.layout.entity(named: entity),
      let pairs = pairs(
        of: relationship, owner,
        numbers: parts(from: owner.tableName).filter { kinds.contains($0.destination.number) }.map(\.source.number)
          .filter { owner.numbersWithSubentities.contains($0) })
    else {
      refusals.append(
        "the links of relationship '\(relationship)' of entity '\(entity)' are stored in both directions")
      return
    }
    let holders = parts.filter { part in
      (part.destination.toOnes + part.destination.ownerColumns).contains {
        ($0.name, $0.column) == (toOne.name, toOne.column)
      }
    }
    try refuseLostLinks(pairs, of: relationship, owner, to: Set(holders.map(\.destination.number)))
    let key = "SELECT l.owner FROM (\(pairs)) l WHERE l.target = t0.Z_PK"
    values[toOne.column] = .expression(key, [])
    if let column = toOne.entityColumn {
      var numbers: [Int: Int] = [:]
      for part in parts(from: owner.tableName) { numbers[part.source.number] = part.destination.number }
      values[column] = targetNumber(owner.tableName, "(\(key))", numbers)
    }
    if let order = toOne.orderColumn {
      values[order] = .expression("SELECT l.place FROM (\(pairs)) l WHERE l.target = t0.Z_PK", [])
    }
    change.touchedTables.formUnion([part.source.tableName, owner.tableName])
    change.checks.append(
      .init(
        sql: "SELECT count(*) FROM (SELECT target FROM (\(pairs)) GROUP BY target HAVING count(*) > 1)",
        problem:
          "relationship '\(relationship)' of entity '\(entity)' leads from several objects to the same one, which "
          + "can have only one in the new version"))
  }

  /// Returns the numbers of the entities that a relationship leads to, old and new, and true if all of its targets stay
  /// in the store.
  private mutating func targets(
    of old: ToOneColumn, in table: String
  ) throws -> (numbers: [Int: Int], areWhole: Bool) {
    try targets(of: old.destinationEntityName, old.destinationTableName, in: table)
  }

  mutating func targets(
    of entity: String, _ oldTable: String, in table: String
  ) throws -> (numbers: [Int: Int], areWhole: Bool) {
    let kinds = store.layout.entity(named: entity)?.numbersWithSubentities ?? []
    var (numbers, areWhole): ([Int: Int], Bool) = ([:], true)
    for entity in store.layout.entities where entity.tableName == oldTable {
      if let part = parts.first(where: { $0.source.number == entity.number }), part.destination.tableName == table {
        numbers[entity.number] = part.destination.number
      } else if kinds.contains(entity.number), try hasRows(entity) {
        areWhole = false
      }
    }
    return (numbers, areWhole)
  }

  /// The numbers of an entity of the new version and its sub-entities.
  func kinds(_ entity: String) -> Set<Int> { Set(new.entity(named: entity)?.numbersWithSubentities ?? []) }

  /// Refuses links to objects that stay, but that the relationship cannot lead to in the new version. The links of objects
  /// that are removed go with them.
  ///
  /// - Parameters:
  ///   - links: A query for rows with an `owner` and a `target`.
  ///   - old: The entity and the table that the relationship has led to.
  ///   - after: The numbers of the entities that it leads to in the new version.
  ///   - movesLinks: True if the links are written anew. Those without a target would be lost, so they are refused, too.
  mutating func refuseMisfits(
    _ links: String, from old: (entity: String, table: String), to after: Set<Int>, _ name: String,
    movesLinks: Bool = false
  ) throws {
    let before = Set(store.layout.entity(named: old.entity)?.numbersWithSubentities ?? [])
    var (fitting, misfits): ([Int], [Int]) = ([], [])
    for entity in store.layout.entities where before.contains(entity.number) {
      if let part = parts.first(where: { $0.source.number == entity.number }),
        !after.contains(part.destination.number)
      {
        if try hasRows(entity) { misfits.append(entity.number) }
      } else {
        fitting.append(entity.number)
      }
    }
    guard movesLinks || !misfits.isEmpty else { return }
    let number = store.layout.numberSQL(inTable: old.table, "d")
    let isMisfit =
      movesLinks ? "d.Z_PK IS NULL OR \(number) NOT IN (\(list(fitting)))" : "\(number) IN (\(list(misfits)))"
    add(
      .init(
        sql: "SELECT count(*) FROM (\(links)) l LEFT JOIN \(SQLName(old.table)) d ON d.Z_PK = l.target "
          + "WHERE \(movesLinks ? "" : "l.target IS NOT NULL AND ")(\(isMisfit))",
        problem: "relationship \(name) has a link to an object that is missing, or that it cannot lead to in the new "
          + "version"))
  }

  /// Refuses links that would be lost when they are written anew.
  ///
  /// - Parameters:
  ///   - pairs: A query for the links of a relationship.
  ///   - after: The numbers of the entities that it leads to in the new version.
  mutating func refuseLostLinks(_ pairs: String, of relationship: String, _ owner: EntityLayout, to after: Set<Int>)
    throws
  {
    let toOne = owner.toOne(named: relationship).map { ($0.destinationEntityName, $0.destinationTableName) }
    let toMany = owner.toMany(named: relationship).map { ($0.destinationEntityName, $0.destinationTableName) }
    guard let old = toOne ?? toMany, let links = LinkTable(relationship, of: owner) else { return }
    let name = "'\(relationship)' of entity '\(owner.name)'"
    try refuseMisfits(pairs, from: old, to: after, name, movesLinks: true)
    guard !links.isInOwnerRow else { return }
    add(
      .init(
        sql: "SELECT count(*) \(links.all) AND NOT EXISTS (SELECT 1 FROM \(SQLName(links.ownerTable)) d "
          + "WHERE d.Z_PK = l.\(SQLName(links.owner)))",
        problem: "relationship \(name) has a link from an object that is missing"))
  }

  private mutating func add(_ check: InPlaceChange.Check) {
    if !change.checks.contains(check) { change.checks.append(check) }
  }

  /// A query for the row with a key, if it is of certain entities.
  func rows(of table: String, _ key: String, _ numbers: some Sequence<Int>) -> String {
    "SELECT 1 FROM \(SQLName(table)) d WHERE d.Z_PK = \(key) "
      + "AND \(store.layout.numberSQL(inTable: table, "d")) IN (\(list(numbers)))"
  }

  /// Returns a query for the links of a relationship: rows with `owner`, `target`, `place` in the owner's list, and `back`,
  /// the place in the target's list; nil for links that are stored in both directions.
  ///
  /// - Parameter numbers: The entities of the owners; nil for the entity and its sub-entities.
  func pairs(of name: String, _ entity: EntityLayout, numbers: [Int]? = nil) -> String? {
    guard let links = LinkTable(name, of: entity), !links.isReflexive else { return nil }
    let numbers =
      numbers
      ?? parts(from: entity.tableName).map(\.source.number).filter { entity.numbersWithSubentities.contains($0) }
    let back =
      entity.toOne(named: name)?.orderColumn ?? entity.toMany(named: name).flatMap(inverse(of:))?.orderColumn
    let (owner, target) = ("l.\(SQLName(links.owner))", "l.\(SQLName(links.target))")
    func place(_ column: String?, _ key: String) -> String {
      column.map { "l.\(SQLName($0))" } ?? OrderKeys.place(ofKey: key)
    }
    return "SELECT \(owner) AS owner, \(target) AS target, \(place(links.order, target)) AS place, "
      + "\(place(back, owner)) AS back \(links.links(ofOwners: numbers))"
  }

  /// The other end of a relationship that is stored in a join table.
  func inverse(of toMany: ToManyStorage) -> ToManyStorage? {
    store.layout.entities.lazy.flatMap(\.toManys).first {
      $0.tableName == toMany.tableName && $0.ownerColumn == toMany.targetColumn
    }
  }
}
