import HeavyliftModel
import HeavyliftSQLite

/// Targets of to-one relationships that stand in rows before they are to be seen.
extension ManagedObject {
  /// The key that the row of an object holds for a to-one relationship, whatever it is, as an integer; nil where that
  /// takes more than a look at what is at hand.
  ///
  /// - Parameter slot: That of the relationship's place.
  package func storedTargetKey(at slot: Int) -> Int64? {
    if isFault { return row?.storedTargetKey(at: slot) }
    return committed == nil ? toOnes[slot] : nil
  }

  /// Has a new object's row written with a target, without connecting anything: its inverse knows nothing of it.
  ///
  /// - Parameter slot: That of the relationship's place.
  package func setEarlyTarget(_ key: Int64, at slot: Int) { toOnes[slot] = key }
}

extension ManagedObjectContext {
  /// Takes targets out again that were written early, as if nobody had set them: in rows and in objects.
  ///
  /// - Parameters:
  ///   - links: The relationships, by the name of the entity whose objects have them. Nobody else may have set any of
  ///     them.
  ///   - isStatementRunning: Whether this is called by a statement, in whose transaction it then happens.
  package func takeBackEarlyTargets(_ links: [String: Set<String>], isStatementRunning: Bool = false) throws {
    var slots: [Int: [Int]] = [:]
    var statements: [String] = []
    for (name, relationships) in links.sorted(by: { $0.key < $1.key }) where !relationships.isEmpty {
      let entity = try runtime(of: name)
      let columns = entity.columns.toOnes.filter { relationships.contains(entity.toOnes[$0.slot].description.name) }
      slots[entity.index] = columns.map(\.slot)
      let names = columns.flatMap { [$0.column.column, $0.column.entityColumn].compactMap(\.self) }
        .map { SQLName($0).description }
      guard !names.isEmpty else { continue }
      statements.append(
        "UPDATE \(SQLName(entity.layout.tableName)) SET \(names.map { "\($0) = NULL" }.joined(separator: ", ")) "
          + "WHERE Z_ENT = \(entity.layout.number) "
          + "AND (\(names.map { "\($0) IS NOT NULL" }.joined(separator: " OR ")))")
    }
    for object in registered.all where !object.isFault {
      for slot in slots[object.runtime.index] ?? [] {
        object.toOnes[slot] = 0
        object.committed?.toOnes[slot] = 0
      }
    }
    guard !statements.isEmpty else { return }
    try store.reporting {
      if isStatementRunning {
        for sql in statements { try store.database.run(sql) }
      } else {
        try store.database.transaction(.immediate) { for sql in statements { try store.database.run(sql) } }
      }
    }
  }
}
