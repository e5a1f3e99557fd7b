import HeavyliftModel
import HeavyliftSQLite

extension InPlaceBuilder {
  /// A relationship's end in a join table of the new version, and the entities that have it.
  private struct Joined {
    var join: JoinTable
    var storage: ToManyStorage
    var back: ToManyStorage?
    var sources: [(part: InPlaceEntity, link: InPlaceEntity.Link)]
  }

  /// Keeps or creates the tables of many-to-many relationships.
  mutating func buildJoinTables() throws {
    for join in new.joins {
      guard let entity = new.entity(named: join.first.end.entity),
        let storage = entity.toMany(named: join.first.end.relationship)
      else { continue }
      let back =
        join.isReflexive
        ? nil : new.entity(named: join.second.end.entity)?.toMany(named: join.second.end.relationship)
      let sources = parts.filter { entity.numbersWithSubentities.contains($0.destination.number) }.compactMap { part in
        part.links[join.first.end.relationship].map { (part, $0) }
      }
      let joined = Joined(join: join, storage: storage, back: back, sources: sources)
      if let old = try keptTable(of: joined) {
        try keep(old, as: joined)
      } else {
        try create(joined)
      }
    }
    let kept = Set(keptJoins.values.map(\.source))
    goneTables += store.layout.joins.map(\.layout.name).filter { !kept.contains($0) }
  }

  // MARK: Tables that stay

  /// Returns the links in the store whose table can become that of a relationship; nil if its rows must be written anew.
  private mutating func keptTable(of joined: Joined) throws -> ToManyStorage? {
    let olds = joined.sources.map { part, link -> ToManyStorage? in
      if case .same(let name) = link { part.source.toMany(named: name) } else { nil }
    }
    guard let first = olds.first ?? nil, first.kind == .joinTable,
      first.isReflexive == joined.storage.isReflexive,
      olds.allSatisfy({ $0?.tableName == first.tableName && $0?.ownerColumn == first.ownerColumn }),
      !keptJoins.values.contains(where: { $0.source == first.tableName })
    else { return nil }
    let keys = try columns(of: first.tableName).filter(\.isPrimaryKey)
      .sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }.map { $0.name.uppercased() }
    // The index for the other direction would otherwise be the same as that of the primary key.
    return keys == [first.ownerColumn.uppercased(), first.targetColumn.uppercased()] ? first : nil
  }

  private mutating func keep(_ old: ToManyStorage, as joined: Joined) throws {
    let (source, name, storage) = (old.tableName, joined.join.layout.name, joined.storage)
    workingNames[name] = source
    if source != name { tableRenamings.append((source, name)) }
    var names = [old.ownerColumn: storage.ownerColumn, old.targetColumn: storage.targetColumn]
    let orders = [
      (old.orderColumn, storage.orderColumn, old.targetColumn),
      (
        joined.join.isReflexive ? nil : inverse(of: old)?.orderColumn, joined.back?.orderColumn, old.ownerColumn
      ),
    ]
    for (oldOrder, newOrder, target) in orders {
      switch (oldOrder, newOrder) {
      case (let oldOrder?, let newOrder?): names[oldOrder] = newOrder
      case (let oldOrder?, nil): goneColumns.append((source, oldOrder))
      case (nil, let newOrder?): names[addOrder(newOrder, to: source, name, target)] = newOrder
      case (nil, nil): break
      }
    }
    keptJoins[name] = (source, names)
    let gone = Set(goneColumns.filter { $0.table == source }.map(\.column))
    let present = try columns(of: source).map(\.name).filter { !gone.contains($0) } + names.keys
    let wanted = names.map { (old: $0.key, new: $0.value) }.sorted { $0.new < $1.new }
    program.renameColumns(of: source, name, self.names.renamings(wanted, taken: present, "column"))
    for (part, link) in joined.sources {
      guard case .same(let name) = link, let pairs = self.pairs(of: name, part.source, numbers: [part.source.number])
      else {
        continue
      }
      try refuseMisfits(
        pairs, from: (old.destinationEntityName, old.destinationTableName), to: kinds(storage.destinationEntityName),
        "'\(storage.name)' of entity '\(part.destination.name)'")
    }
    if try !removeLinks(old, joined) { untouchedJoins.insert(name) }
  }

  /// Adds a column with the order of links that had none, and returns its name until the end.
  private mutating func addOrder(
    _ order: String, to source: String, _ name: String, _ target: String
  ) -> String {
    let working = self.names.placeholder()
    let (table, column) = (SQLName(source), SQLName(working))
    program.add(
      .addsColumn, in: .create, table: name, part: order,
      sql: "ALTER TABLE \(table) ADD COLUMN \(column) INTEGER")
    program.add(
      .fillsColumn, in: .update, table: name, part: order,
      sql: "UPDATE \(table) SET \(column) = \(OrderKeys.place(ofKey: SQLName(target).description))")
    change.touchedTables.insert(source)
    return working
  }

  /// Removes the links of objects that do not keep them; returns true if there are such objects.
  private mutating func removeLinks(_ old: ToManyStorage, _ joined: Joined) throws -> Bool {
    var conditions: [String] = []
    let kept = Set(joined.sources.map(\.part.source.number))
    var (loses, table): (Bool, String?) = (false, nil)
    for entity in store.layout.entities where !kept.contains(entity.number) {
      guard entity.toManys.contains(where: { $0.tableName == old.tableName && $0.ownerColumn == old.ownerColumn })
      else { continue }
      if try hasRows(entity) { (loses, table) = (true, entity.tableName) }
    }
    if loses, let table {
      conditions.append("NOT EXISTS (\(rows(of: table, "j.\(SQLName(old.ownerColumn))", kept)))")
    }
    let (numbers, areWhole) = try targets(
      of: old.destinationEntityName, old.destinationTableName, in: joined.storage.destinationTableName)
    if !areWhole {
      conditions.append(
        "NOT EXISTS (\(rows(of: old.destinationTableName, "j.\(SQLName(old.targetColumn))", numbers.keys)))")
    }
    guard !conditions.isEmpty else { return false }
    change.touchedTables.insert(old.tableName)
    program.add(
      .removesLinks, in: .unlink, table: joined.join.layout.name,
      sql: "DELETE FROM \(SQLName(old.tableName)) AS j WHERE \(conditions.joined(separator: " OR "))")
    return true
  }

  // MARK: Tables that are new

  private mutating func create(_ joined: Joined) throws {
    let layout = joined.join.layout
    var working = layout
    working.name = names.free(layout.name)
    workingNames[layout.name] = working.name
    program.add(.createsTable, in: .create, table: layout.name, sql: working.sql)
    if working.name != layout.name { tableRenamings.append((working.name, layout.name)) }
    guard !joined.sources.isEmpty else { return }
    guard !joined.join.isReflexive else {
      refusals.append(
        "relationship '\(joined.join.first.end.relationship)' of entity '\(joined.join.first.end.entity)' is its own "
          + "inverse, and its links would move to another table")
      return
    }
    for (part, link) in joined.sources { try fill(working.name, joined, from: part, link) }
  }

  private mutating func fill(
    _ table: String, _ joined: Joined, from part: InPlaceEntity, _ link: InPlaceEntity.Link
  ) throws {
    let storage = joined.storage
    var links: String?
    switch link {
    case .same(let name):
      links = pairs(of: name, part.source, numbers: [part.source.number])
      if let links {
        try refuseLostLinks(links, of: name, part.source, to: kinds(storage.destinationEntityName))
      }
    case .reverse(let entity, let relationship):
      let owner = store.layout.entity(named: entity)
      let pairs = owner.flatMap { self.pairs(of: relationship, $0) }
      if let owner, let pairs {
        try refuseLostLinks(pairs, of: relationship, owner, to: kinds(joined.join.first.end.entity))
      }
      links = pairs.map {
        "SELECT r.target AS owner, r.owner AS target, r.back AS place, r.place AS back FROM (\($0)) r "
          + "WHERE EXISTS (\(rows(of: part.source.tableName, "r.target", [part.source.number])))"
      }
    }
    guard let links else {
      refusals.append(
        "the links of relationship '\(joined.join.first.end.relationship)' of entity '\(part.destination.name)' are "
          + "stored in both directions")
      return
    }
    let kinds = Set(new.entity(named: storage.destinationEntityName)?.numbersWithSubentities ?? [])
    let targets = parts.filter { kinds.contains($0.destination.number) }
    guard let target = targets.first?.source.tableName else { return }
    change.touchedTables.formUnion([part.source.tableName, target])
    var columns = [storage.ownerColumn, storage.targetColumn]
    var values = ["l.owner", "l.target"]
    if let order = storage.orderColumn {
      columns.append(order)
      values.append("l.place")
    }
    if let order = joined.back?.orderColumn {
      columns.append(order)
      values.append("l.back")
    }
    program.add(
      .fillsLinks, in: .fill, table: joined.join.layout.name,
      sql: "INSERT OR IGNORE INTO \(SQLName(table)) (\(columns.map { "\(SQLName($0))" }.joined(separator: ", "))) "
        + "SELECT \(values.joined(separator: ", ")) FROM (\(links)) l "
        + "WHERE EXISTS (\(rows(of: target, "l.target", targets.map(\.source.number))))")
  }

  // MARK: Links that stay

  /// Notes the to-many relationships whose links stay exactly as they are.
  mutating func noteUntouchedLinks() {
    for part in parts {
      for toMany in part.destination.toManys {
        let isUntouched =
          toMany.kind == .joinTable
          ? untouchedJoins.contains(toMany.tableName) : isUntouched(toMany.ownerColumn, of: toMany.tableName)
        if isUntouched {
          change.untouched[part.destination.name, default: []].insert(toMany.name)
          change.inherited[part.destination.name, default: []].insert(toMany.name)
        }
      }
    }
  }

  private func isUntouched(_ column: String, of table: String) -> Bool {
    !tablesLosingRows.contains(table)
      && parts(in: table).allSatisfy { part in
        (part.destination.toOnes + part.destination.ownerColumns).filter { $0.column == column }.allSatisfy {
          change.untouched[part.destination.name]?.contains($0.name) == true
        }
      }
  }
}
