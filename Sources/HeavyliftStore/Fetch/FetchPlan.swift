import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite

/// The SQL statement for a fetch request, and what is needed to read its rows.
struct FetchPlan {
  let entity: EntityRuntime
  /// The entities that the query's rows can have.
  let entities: [EntityRuntime]
  let sortPaths: [SortPath]
  /// The query's column names.
  let names: [String]
  let sql: String
  let bindings: [SQLiteValue]

  /// - Parameters:
  ///   - condition: The predicate, or the part of it that SQLite evaluates, translated into SQL.
  ///   - keysOnly: True to read keys and entities, not whole rows.
  ///   - limited: True to let SQLite apply limit and offset.
  init(
    _ request: FetchRequest, in store: PersistentStore, entity: EntityRuntime, condition: SQLFragment? = nil,
    keysOnly: Bool, limited: Bool
  ) throws {
    self.entity = entity
    let runtime = store.runtime
    let numbers = request.includesSubentities ? entity.layout.numbersWithSubentities : [entity.layout.number]
    entities = numbers.compactMap { runtime.entity(numbered: Int64($0)) }
    sortPaths = try request.sortKeys.map { try SortPath($0, from: entity, in: runtime) }
    names = keysOnly ? ["Z_PK", "Z_ENT"] : Self.columnNames(of: entities)

    var joins: [String] = []
    var orders: [String] = []
    for path in sortPaths {
      var alias = "t0"
      for step in path.steps {
        guard let column = step.entity.toOnes[step.slot].column else { continue }
        let joined = "t\(joins.count + 1)"
        let key = "\(alias).\(SQLName(column.column))"
        joins.append("LEFT JOIN \(SQLName(column.destinationTableName)) \(joined) ON \(joined).Z_PK = \(key)")
        alias = joined
      }
      orders.append(path.expression(alias: alias))
    }
    orders.append("t0.Z_PK")
    let columns = names.map { entity.layout.columnSQL($0, "t0") }.joined(separator: ", ")
    var sql = "SELECT \(columns) FROM \(SQLName(entity.layout.tableName)) t0"
    if !joins.isEmpty { sql += " " + joins.joined(separator: " ") }
    if let condition, !condition.joins.isEmpty { sql += " " + condition.joinText }
    // A fetch of a whole table does not filter by entity, so that rows of unknown entities are detected.
    let isPart = !request.includesSubentities || entity.layout.number != entity.layout.rootNumber
    let belongs = "\(entity.layout.numberSQL("t0")) IN (\(numbers.map(String.init).joined(separator: ", ")))"
    switch (isPart, condition) {
    case (false, nil): break
    case (true, nil): sql += " WHERE \(belongs)"
    case (false, let condition?): sql += " WHERE (\(condition.sql))"
    // SQLite may evaluate conditions in any order, but a row of another entity must not cause an error.
    case (true, let condition?) where condition.mayFail:
      sql += " WHERE CASE WHEN \(belongs) THEN (\(condition.sql)) ELSE 0 END"
    case (true, let condition?): sql += " WHERE \(belongs) AND (\(condition.sql))"
    }
    bindings = condition?.bindings.map(SQLiteValue.init) ?? []
    sql += " ORDER BY \(orders.joined(separator: ", "))"
    if limited, request.fetchLimit > 0 || request.fetchOffset > 0 {
      sql += " LIMIT \(request.fetchLimit > 0 ? request.fetchLimit : -1) OFFSET \(max(0, request.fetchOffset))"
    }
    self.sql = sql
  }

  /// The columns of several entities of one table, without duplicates.
  static func columnNames(of entities: [EntityRuntime]) -> [String] {
    var seen: Set<String> = []
    return entities.flatMap(\.columns.names).filter { seen.insert($0).inserted }
  }
}

/// A sort key with the path to its attribute through to-one relationships, for sorting in SQL and in memory.
struct SortPath {
  /// The to-one relationships on the path, each as an entity and the slot in that entity.
  let steps: [(entity: EntityRuntime, slot: Int)]
  let attribute: AttributeColumn
  let isAscending: Bool

  init(_ key: FetchRequest.SortKey, from entity: EntityRuntime, in runtime: StoreRuntime) throws {
    let names = key.keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var steps: [(entity: EntityRuntime, slot: Int)] = []
    var current = entity
    for name in names.dropLast() {
      guard case .toOne(let slot)? = current.slots[name], current.toOnes[slot].column != nil else {
        throw Self.mistake(name, key, current, entity, wanted: .toOne)
      }
      steps.append((current, slot))
      current = runtime.entities[current.toOnes[slot].destination]
    }
    let last = names.last ?? ""
    guard case .attribute(let slot)? = current.slots[last], let column = current.attributes[slot].column,
      column.type != .composite
    else { throw Self.mistake(last, key, current, entity, wanted: .sortable) }
    self.steps = steps
    attribute = column
    isAscending = key.isAscending
  }

  private static func mistake(
    _ name: String, _ key: FetchRequest.SortKey, _ current: EntityRuntime, _ entity: EntityRuntime,
    wanted: WantedProperty
  ) -> Diagnostic {
    current.slots[name] == nil
      ? ObjectMistake.unknownProperty(name, entity: current, wanted: wanted).diagnostic
      : ObjectMistake.unsortable(key.keyPath, entity: entity.name).diagnostic
  }

  /// The attribute's value for an object; null if a relationship on the path is nil.
  func value(for object: ManagedObject) throws -> Value {
    var current = object
    for step in steps {
      guard let next = try current.object(forKey: step.entity.toOnes[step.slot].description.name) else { return .null }
      current = next
    }
    return try current.value(forKey: attribute.name)
  }

  /// The SQL expression to sort by; `alias` names the table at the end of the path.
  func expression(alias: String) -> String {
    let column = "\(alias).\(SQLName(attribute.column))"
    // A decimal that neither an integer nor a double can hold is stored as a blob of digits, which SQLite sorts after
    // all numbers. NaN is stored as text, and must sort before all numbers, as when decimals are compared.
    let sorted =
      attribute.type == .decimal
      ? "CASE typeof(\(column)) WHEN 'blob' THEN CAST(CAST(\(column) AS TEXT) AS REAL) "
        + "WHEN 'text' THEN -9e999 ELSE \(column) END" : column
    return "\(sorted) \(isAscending ? "ASC" : "DESC")"
  }
}

extension Value {
  /// Returns true if this value sorts before the other in SQLite's order: null first, numbers by size, texts by their
  /// bytes.
  func isOrderedBefore(_ other: Value) -> Bool {
    switch (self, other) {
    case (.null, .null): false
    case (.null, _): true
    case (_, .null): false
    case (.bool(let left), .bool(let right)): !left && right
    case (.integer(let left), .integer(let right)): left < right
    case (.double(let left), .double(let right)): left < right
    case (.decimal(let left), .decimal(let right)): left < right
    case (.date(let left), .date(let right)): left < right
    case (.string(let left), .string(let right)), (.uri(let left), .uri(let right)):
      left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.uuid(let left), .uuid(let right)):
      withUnsafeBytes(of: left.uuid) { left in
        withUnsafeBytes(of: right.uuid) { left.lexicographicallyPrecedes($0) }
      }
    case (.data(let left), .data(let right)): left.lexicographicallyPrecedes(right)
    default: false
    }
  }
}

/// The rows that an enumeration visits if its body writes to the store.
///
/// SQLite also returns rows that are inserted after the cursor's position, and a row whose new value moves it there a
/// second time. A body that does so for each row would never end.
final class EnumerationBounds {
  private let highestKey: Int64
  /// The keys so far, unless the rows are in the order of their keys.
  private var seen: KeySet?

  init(_ plan: FetchPlan, in store: PersistentStore) throws {
    let table = SQLName(plan.entity.layout.tableName)
    let highest = try store.reporting { try store.database.firstValue("SELECT max(Z_PK) FROM \(table)") }
    highestKey = if case .integer(let key)? = highest { key } else { 0 }
    seen = plan.sortPaths.isEmpty ? nil : KeySet()
  }

  /// Returns true if the row existed when the enumeration began and was not visited yet.
  func admits(_ key: Int64) -> Bool { key <= highestKey && seen?.insert(key) ?? true }
}
