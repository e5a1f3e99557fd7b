import HeavyliftModel
import HeavyliftSQLite

extension ManagedObjectContext {
  /// SQLite limits the length of a statement.
  private static let largestStatement = 1_000

  /// Updates objects in memory after statements have written relationships. There must be no unsaved changes.
  ///
  /// Attributes stay unchanged, because transient ones cannot be read again.
  package func rereadLinks() throws {
    var byEntity: [Int: [ManagedObject]] = [:]
    for object in registered.all where !object.isFault && !object.isNew && !object.isDeleted {
      for (slot, toMany) in object.runtime.toManys.enumerated() where toMany.storage != nil {
        object.toManys[slot] = ToManyContents()
      }
      if !object.runtime.columns.toOnes.isEmpty { byEntity[object.runtime.index, default: []].append(object) }
    }
    try readingRows {
      for (index, objects) in byEntity {
        let entity = store.runtime.entities[index]
        for start in stride(from: 0, to: objects.count, by: Self.largestStatement) {
          try rereadToOnes(of: objects[start..<min(start + Self.largestStatement, objects.count)], entity)
        }
      }
    }
  }

  private func rereadToOnes(of objects: ArraySlice<ManagedObject>, _ entity: EntityRuntime) throws {
    let byKey = Dictionary(objects.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let columns = entity.columns.toOnes.map { SQLName($0.column.column).description }.joined(separator: ", ")
    let keys = byKey.keys.map(String.init).joined(separator: ", ")
    let statement = try store.database.prepare(
      "SELECT Z_PK, \(columns) FROM \(SQLName(entity.layout.tableName)) WHERE Z_PK IN (\(keys))")
    var cursor = statement.query()
    while try cursor.next() {
      guard let object = byKey[cursor.row.integer(at: 0)] else { continue }
      for (place, toOne) in entity.columns.toOnes.enumerated() {
        object.replaceTarget(cursor.row.integer(at: place + 1), at: toOne.slot)
      }
    }
  }
}
