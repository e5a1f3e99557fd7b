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
