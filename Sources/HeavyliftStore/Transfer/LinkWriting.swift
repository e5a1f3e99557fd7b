import HeavyliftModel

/// The statements that set a relationship of one entity mapping's objects to the links of a `LinkList`.
///
/// The result is the same as setting the relationship object by object, whatever the store contained before: a target
/// that can have only one owner is taken from its previous owner, and the last of several new owners keeps it.
package struct LinkWriting {
  /// A column by which statements search the list.
  package enum Index: Hashable {
    case owner
    case target
  }

  private enum Storage {
    case toOne(ToOneColumn)
    case pair(ToOneColumn, back: ToOneColumn, backTable: String)
    case foreignKey(ToManyStorage, ToOneColumn)
    case joinTable(ToManyStorage, inverseOrder: String?)
  }

  private let entity: EntityLayout
  private let storage: Storage
  /// `Z_ENT` of all entities that the relationship may lead to.
  private let possibleTargets: [Int]
  /// The name of the function that returns true for the key of an object that the entity mapping created.
  private let isCreated: String
  /// False if targets that a policy associated are in the list: they may be of any entity.
  private let isCertain: Bool

  /// Returns nil if the relationship or its inverse is not stored in the store's tables.
  package init?(
    to destination: StoreBlueprint, entity name: String, relationship: String, isCreatedFunction: String,
    checksTargets: Bool
  ) {
    guard let runtime = destination.runtime.byName[name], let slot = runtime.slots[relationship] else { return nil }
    entity = runtime.layout
    isCreated = isCreatedFunction
    isCertain = !checksTargets
    let target: EntityRuntime
    switch slot {
    case .attribute: return nil
    case .toOne(let index):
      let toOne = runtime.toOnes[index]
      target = destination.runtime.entities[toOne.destination]
      guard let column = toOne.column else { return nil }
      switch toOne.inverse {
      case .toOne(let back)?:
        guard let back = target.toOnes[back].column else { return nil }
        storage = .pair(column, back: back, backTable: target.layout.tableName)
      case .toMany(let back)?:
        guard target.toManys[back].storage != nil else { return nil }
        storage = .toOne(column)
      case .attribute?, nil: storage = .toOne(column)
      }
    case .toMany(let index):
      let toMany = runtime.toManys[index]
      target = destination.runtime.entities[toMany.destination]
      guard let own = toMany.storage else { return nil }
      switch toMany.inverse {
      case .toOne(let back)?:
        guard let column = target.toOnes[back].column, own.kind == .foreignKey else { return nil }
        storage = .foreignKey(own, column)
      case .toMany(let back)?:
        guard let other = target.toManys[back].storage, own.kind == .joinTable else { return nil }
        storage = .joinTable(own, inverseOrder: own.isReflexive ? nil : other.orderColumn)
      case .attribute?, nil:
        guard own.kind == .joinTable else { return nil }
        storage = .joinTable(own, inverseOrder: nil)
      }
    }
    possibleTargets = target.layout.numbersWithSubentities
  }

  private var table: String { LinkList.table(indexes) }

  package var indexes: Set<Index> {
    switch storage {
    case .toOne: [.owner]
    case .pair: [.owner, .target]
    case .foreignKey: [.target]
    case .joinTable(let own, let inverseOrder):
      own.orderColumn == nil && inverseOrder == nil && !own.isReflexive ? [] : [.owner]
    }
  }

  /// A query for the first object that would have more than one target in a to-one relationship, or a target of an
  /// entity to which the relationship cannot lead; nil if neither is possible.
  package var firstMistake: String? {
    let list = table
    var parts: [String] = []
    switch storage {
    case .toOne, .pair:
      parts.append(
        "SELECT min(owner) AS owner FROM "
          + "(SELECT owner FROM \(list) GROUP BY owner HAVING min(target) <> max(target))")
    case .foreignKey, .joinTable: break
    }
    if !isCertain {
      let numbers = possibleTargets.map(String.init).joined(separator: ", ")
      parts.append("SELECT min(owner) AS owner FROM \(list) WHERE entity NOT IN (\(numbers))")
    }
    return parts.isEmpty ? nil : "SELECT min(owner) FROM (\(parts.joined(separator: " UNION ALL ")))"
  }

  package var statements: [String] {
    switch storage {
    case .toOne(let column): toOne(column)
    case .pair(let column, let back, let table): pair(column, back, table)
    case .foreignKey(let own, let column): foreignKey(own, column)
    case .joinTable(let own, let inverseOrder):
      own.isReflexive ? reflexive(own) : joinTable(own, inverseOrder: inverseOrder)
    }
  }

  // MARK: Columns

  private func toOne(_ column: ToOneColumn) -> [String] {
    let target = "(SELECT l.target FROM \(table) l WHERE l.owner = o.Z_PK LIMIT 1)"
    var assignments = ["\(SQLName(column.column)) = \(target)"]
    if let entityColumn = column.entityColumn {
      assignments.append(
        "\(SQLName(entityColumn)) = (SELECT l.entity FROM \(table) l WHERE l.owner = o.Z_PK LIMIT 1)")
    }
    // The order key is meaningful only in the old owner's list.
    if let order = column.orderColumn { assignments.append("\(SQLName(order)) = NULL") }
    return [
      "UPDATE main.\(SQLName(entity.tableName)) AS o SET \(assignments.joined(separator: ", ")) "
        + "WHERE \(isCreated)(o.Z_PK) AND o.\(SQLName(column.column)) IS NOT \(target)"
    ] + appending(to: column)
  }

  /// Returns statements that set a relationship with at most one target without a list: `key` and `entity` are
  /// functions of a source key. Nil if the storage of the relationship requires a list.
  package func direct(from source: LinkSource, ownerFunction: String, key: String, entity lookUp: String) -> [String]? {
    guard case .toOne(let column) = storage, let rows = source.complete else { return nil }
    let name = SQLName(column.column)
    var assignments = ["\(name) = n.target"]
    var columns = "\(key)(l.target) AS target"
    if let entityColumn = column.entityColumn {
      assignments.append("\(SQLName(entityColumn)) = n.entity")
      columns += ", \(lookUp)(l.target) AS entity"
    }
    if let order = column.orderColumn { assignments.append("\(SQLName(order)) = NULL") }
    return [
      "UPDATE main.\(SQLName(entity.tableName)) AS o SET \(assignments.joined(separator: ", ")) FROM "
        + "(SELECT \(ownerFunction)(l.owner) AS owner, \(columns) FROM (\(rows)) l) n "
        + "WHERE o.Z_PK = n.owner AND o.\(name) IS NOT n.target"
    ] + appending(to: column)
  }

  /// Moves objects with a new owner to the end of that owner's list.
  private func appending(to column: ToOneColumn) -> [String] {
    guard let orderColumn = column.orderColumn else { return [] }
    let (table, key, order) = (SQLName(entity.tableName), SQLName(column.column), SQLName(orderColumn))
    return [
      "UPDATE main.\(table) AS o SET \(order) = a.place FROM (SELECT Z_PK AS key, \(order) AS old, "
        + Self.lastPlaces(order: order, among: key, by: "Z_PK")
        + " AS place FROM main.\(table) WHERE \(key) IS NOT NULL) a WHERE a.key = o.Z_PK AND a.old IS NULL"
    ]
  }

  /// An expression for the order keys of a list's new members: they follow the last existing key.
  private static func lastPlaces(order: SQLName, among owner: SQLName, by key: String) -> String {
    "max(ifnull(\(order), \(OrderKeys.start))) OVER (PARTITION BY \(owner)) "
      + "+ \(OrderKeys.spacing) * sum(\(order) IS NULL) OVER (PARTITION BY \(owner) ORDER BY \(order) IS NULL, \(key) ROWS UNBOUNDED PRECEDING)"
  }

  private func pair(_ column: ToOneColumn, _ back: ToOneColumn, _ backTable: String) -> [String] {
    let (list, own, other) = (table, SQLName(column.column), SQLName(back.column))
    var nothing = ["\(own) = NULL"]
    if let entityColumn = column.entityColumn { nothing.append("\(SQLName(entityColumn)) = NULL") }
    return [leavingToTheLast] + toOne(column) + [
      "UPDATE main.\(SQLName(entity.tableName)) AS o SET \(nothing.joined(separator: ", ")) "
        + "WHERE o.\(own) IN (SELECT target FROM \(list)) AND NOT \(isCreated)(o.Z_PK)",
      taking(back, backTable),
      giving(back, backTable, places: "\(list) l", order: nil) + " AND o.\(other) IS NOT l.owner",
    ]
  }

  private func foreignKey(_ own: ToManyStorage, _ column: ToOneColumn) -> [String] {
    let list = table
    guard let order = own.orderColumn else {
      return [
        leavingToTheLast, taking(column, own.tableName),
        giving(column, own.tableName, places: "\(list) l", order: nil)
          + " AND o.\(SQLName(column.column)) IS NOT l.owner",
      ]
    }
    let places =
      "(SELECT target, owner, \(OrderKeys.places("PARTITION BY owner ORDER BY number")) AS place FROM \(list)) l"
    return [
      leavingToTheLast, taking(column, own.tableName),
      giving(column, own.tableName, places: places, order: order),
    ]
  }

  /// Keeps one link of each target, the first one of its last owner, because a target can have only one owner.
  private var leavingToTheLast: String {
    "DELETE FROM \(table) AS a WHERE EXISTS (SELECT 1 FROM \(table) b WHERE b.target = a.target "
      + "AND (b.owner > a.owner OR b.owner = a.owner AND b.number < a.number))"
  }

  /// Removes the owner from targets that are no longer in the list of the mapping's objects.
  private func taking(_ column: ToOneColumn, _ table: String) -> String {
    let nothing = column.columns.map { "\(SQLName($0)) = NULL" }.joined(separator: ", ")
    return "UPDATE main.\(SQLName(table)) AS o SET \(nothing) WHERE o.\(SQLName(column.column)) IS NOT NULL "
      + "AND \(isCreated)(o.\(SQLName(column.column))) AND o.Z_PK NOT IN (SELECT target FROM \(self.table))"
  }

  private func giving(_ column: ToOneColumn, _ table: String, places: String, order: String?) -> String {
    var assignments = ["\(SQLName(column.column)) = l.owner"]
    if let entityColumn = column.entityColumn { assignments.append("\(SQLName(entityColumn)) = \(entity.number)") }
    if let order { assignments.append("\(SQLName(order)) = l.place") }
    return "UPDATE main.\(SQLName(table)) AS o SET \(assignments.joined(separator: ", ")) FROM \(places) "
      + "WHERE l.target = o.Z_PK"
  }

  // MARK: Join tables

  private func joinTable(_ own: ToManyStorage, inverseOrder: String?) -> [String] {
    let (list, table) = (self.table, SQLName(own.tableName))
    let (owner, target) = (SQLName(own.ownerColumn), SQLName(own.targetColumn))
    let inserting =
      "INSERT OR IGNORE INTO main.\(table) (\(owner), \(target)) SELECT owner, target FROM \(list)"
    guard own.orderColumn != nil || inverseOrder != nil else {
      return ["DELETE FROM main.\(table) WHERE \(isCreated)(\(owner))", inserting]
    }
    // A link that remains keeps its order key at the other end.
    var statements = [
      "DELETE FROM main.\(table) AS j WHERE \(isCreated)(j.\(owner)) AND NOT EXISTS "
        + "(SELECT 1 FROM \(list) l WHERE l.owner = j.\(owner) AND l.target = j.\(target))", inserting,
    ]
    if own.orderColumn != nil { statements.append(ordering(own)) }
    if let inverseOrder {
      statements.append(appending(own, order: SQLName(inverseOrder), list: target, by: owner))
    }
    return statements
  }

  /// Sets the order keys in the lists of the mapping's objects.
  private func ordering(_ own: ToManyStorage) -> String {
    "UPDATE main.\(SQLName(own.tableName)) AS j SET \(SQLName(own.orderColumn ?? "")) = l.place FROM "
      + "(SELECT owner, target, \(OrderKeys.places("PARTITION BY owner ORDER BY min(number)")) AS place "
      + "FROM \(table) GROUP BY owner, target) l "
      + "WHERE j.\(SQLName(own.ownerColumn)) = l.owner AND j.\(SQLName(own.targetColumn)) = l.target"
  }

  /// Moves new links to the end of the lists at one end of the relationship.
  private func appending(_ own: ToManyStorage, order: SQLName, list: SQLName, by key: SQLName) -> String {
    let table = SQLName(own.tableName)
    return "UPDATE main.\(table) AS j SET \(order) = a.place FROM (SELECT \(list) AS list, \(key) AS key, "
      + "\(order) AS old, \(Self.lastPlaces(order: order, among: list, by: key.description)) AS place "
      + "FROM main.\(table)) a WHERE a.old IS NULL AND j.\(list) = a.list AND j.\(key) = a.key"
  }

  /// Stores each link in both directions.
  private func reflexive(_ own: ToManyStorage) -> [String] {
    let (list, table) = (self.table, SQLName(own.tableName))
    let (owner, target) = (SQLName(own.ownerColumn), SQLName(own.targetColumn))
    func isListed(_ one: SQLName, _ other: SQLName) -> String {
      "EXISTS (SELECT 1 FROM \(list) l WHERE l.owner = j.\(one) AND l.target = j.\(other))"
    }
    let columns = "main.\(table) (\(owner), \(target))"
    var statements = [
      "DELETE FROM main.\(table) AS j WHERE (\(isCreated)(j.\(owner)) OR \(isCreated)(j.\(target))) "
        + "AND NOT \(isListed(owner, target)) AND NOT \(isListed(target, owner))",
      "INSERT OR IGNORE INTO \(columns) SELECT owner, target FROM \(list)",
      "INSERT OR IGNORE INTO \(columns) SELECT target, owner FROM \(list)",
    ]
    if let order = own.orderColumn {
      statements += [ordering(own), appending(own, order: SQLName(order), list: owner, by: target)]
    }
    return statements
  }
}

/// The links of all objects of one entity mapping, in the order in which they would be set object by object.
///
/// They are in a temporary table with the columns `owner`, `target` and `entity`, all of the destination. A link can be
/// in it twice: its target may be found through several mappings, or be the counterpart of several source objects.
/// Tables remain until the connection is closed, because SQLite drops none while a statement is reading, and one
/// statement keeps the source's snapshot open.
package struct LinkList {
  /// The name of the table with the given indexes.
  static func table(_ indexes: Set<LinkWriting.Index>) -> String { "temp.\(name(indexes))" }

  private static func name(_ indexes: Set<LinkWriting.Index>) -> String {
    "heavylift_link" + (indexes.contains(.owner) ? "_owner" : "") + (indexes.contains(.target) ? "_target" : "")
  }

  private static let recorded = "temp.heavylift_recorded"

  /// An entity mapping that creates targets of the relationship.
  package struct Target {
    /// Identifies the mapping among the recorded associations.
    var number: Int
    /// The function that returns the key of the counterpart that the mapping itself has created for a source key, or
    /// NULL; nil if there are no such counterparts.
    var function: String?
    /// `Z_ENT` of the counterparts that the mapping itself creates.
    var entity: Int
    /// True if associations made by a policy were recorded with `record`.
    var hasRecorded: Bool

    package init(number: Int, function: String?, entity: Int, hasRecorded: Bool) {
      (self.number, self.function, self.entity, self.hasRecorded) = (number, function, entity, hasRecorded)
    }
  }

  /// Creates or empties the table of recorded associations.
  package static let makingRecords = """
    CREATE TEMP TABLE IF NOT EXISTS heavylift_recorded (
      step INTEGER, source INTEGER, number INTEGER, target INTEGER, entity INTEGER,
      PRIMARY KEY (step, source, number)) WITHOUT ROWID;
    DELETE FROM \(recorded)
    """

  /// Records an association of a policy: the mapping's number, the source key, the association's number, the target's
  /// key and its `Z_ENT`.
  package static let record = "INSERT OR REPLACE INTO \(recorded) VALUES (?, ?, ?, ?, ?)"

  /// Returns the statements that fill the table.
  ///
  /// - Parameter ownerFunction: The function that returns the key of the counterpart of a link's owner, or NULL if the
  ///   owner has none.
  package static func filling(
    from source: LinkSource, ownerFunction: String, targets: [Target], indexes: Set<LinkWriting.Index>
  ) -> [String] {
    var parts: [String] = []
    for target in targets {
      if let function = target.function {
        parts.append(
          "SELECT \(ownerFunction)(l.owner) AS owner, \(function)(l.target) AS target, \(target.entity) AS entity, "
            + "l.place AS place, l.target AS source, \(target.number) AS step, 0 AS number FROM (\(source.sql)) l")
      }
      if target.hasRecorded {
        parts.append(
          "SELECT \(ownerFunction)(l.owner) AS owner, r.target AS target, r.entity AS entity, l.place AS place, "
            + "l.target AS source, \(target.number) AS step, r.number AS number FROM (\(source.sql)) l "
            + "JOIN \(recorded) r ON r.step = \(target.number) AND r.source = l.target")
      }
    }
    let (table, name) = (table(indexes), name(indexes))
    var statements = [
      "CREATE TEMP TABLE IF NOT EXISTS \(name) "
        + "(number INTEGER PRIMARY KEY, owner INTEGER, target INTEGER, entity INTEGER)"
    ]
    if indexes.contains(.owner) {
      statements.append("CREATE INDEX IF NOT EXISTS temp.\(name)_by_owner ON \(name) (owner, target)")
    }
    if indexes.contains(.target) {
      statements.append("CREATE INDEX IF NOT EXISTS temp.\(name)_by_target ON \(name) (target, owner)")
    }
    statements.append("DELETE FROM \(table)")
    if !parts.isEmpty {
      statements.append(
        "INSERT INTO \(table) (owner, target, entity) SELECT owner, target, entity FROM ("
          + parts.joined(separator: " UNION ALL ") + ") WHERE owner IS NOT NULL AND target IS NOT NULL "
          + "ORDER BY owner, place, source, step, number")
    }
    return statements
  }

  /// Empties a list that is no longer needed, so that its pages can be reused.
  package static func emptying(_ indexes: Set<LinkWriting.Index>) -> String { "DELETE FROM \(table(indexes))" }
}
