import HeavyliftModel
import HeavyliftSQLite

extension PersistentStore {
  /// Returns the key of a row with an invalid value in one of some columns, among the rows of an entity and its
  /// sub-entities; nil if there is none.
  ///
  /// - Parameters:
  ///   - names: The attributes to check; nil for all, and for the keys of to-one targets.
  ///   - known: The keys of rows that need no check. If few other keys are left, only their rows are read.
  package func misfit(
    inColumns columns: Set<String>, of entity: String, among names: Set<String>?, besides known: KeySet
  ) throws -> Int64? {
    guard let read = runtime.byName[entity] else { return nil }
    let kinds = runtime.entities.filter { $0 === read || $0.ancestors.contains(read.shapeOwner) }
    var misfits: Set<String> = []
    for kind in kinds {
      let attributes = kind.columns.attributes.map(\.column).filter { names?.contains($0.name) ?? true }
      for column in attributes.flatMap(\.leaves) where columns.contains(column.column) {
        if let misfit = column.misfit(SQLName(column.column).description) { misfits.insert("(\(misfit))") }
      }
      for (_, link) in names == nil ? kind.columns.toOnes : [] where columns.contains(link.column) {
        misfits.insert("typeof(\(SQLName(link.column))) NOT IN ('integer', 'null')")
      }
    }
    guard !misfits.isEmpty else { return nil }
    let numbers = kinds.map { "\($0.layout.number)" }.joined(separator: ", ")
    let table = SQLName(read.layout.tableName)
    let isMisfit = "Z_ENT IN (\(numbers)) AND (\(misfits.sorted().joined(separator: " OR ")))"
    return try reporting {
      guard case .integer(let highest)? = try database.firstValue("SELECT max(Z_PK) FROM \(table)"), highest > 0,
        highest - Int64(known.count) < highest / 4
      else { return try key("SELECT Z_PK FROM \(table) WHERE \(isMisfit) LIMIT 1") }
      let row = try database.prepare("SELECT 1 FROM \(table) WHERE Z_PK = ? AND \(isMisfit)")
      for key in 1...highest where !known.contains(key) {
        try row.bind(key, at: 1)
        var cursor = row.query()
        if try cursor.next() { return key }
      }
      return try key("SELECT Z_PK FROM \(table) WHERE Z_PK < 1 AND \(isMisfit) LIMIT 1")
    }
  }

  private func key(_ sql: String) throws -> Int64? {
    guard case .integer(let key)? = try database.firstValue(sql) else { return nil }
    return key
  }

  /// Throws if one of an object's values is invalid, or the key of a to-one target.
  package func requireValidValues(ofEntity name: String, key: Int64) throws {
    guard let entity = runtime.byName[name] else { return }
    let context = ManagedObjectContext(store: self)
    let object = try context.object(key, destination: entity.index)
    for attribute in object.runtime.attributes where attribute.column != nil {
      _ = try object.value(forKey: attribute.description.name) as Value
    }
    for toOne in object.runtime.toOnes where toOne.column != nil {
      _ = try object.object(forKey: toOne.description.name)
    }
  }
}
