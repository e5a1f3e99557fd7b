import HeavyliftModel
import HeavyliftSQLite

extension PersistentStore {
  /// Returns the key of a row with an invalid value in one of some columns, among the rows of entities that share a
  /// table; nil if there is none.
  package func misfit(inColumns columns: Set<String>, ofEntities entities: [String]) throws -> Int64? {
    let kinds = entities.compactMap { runtime.byName[$0] }
    let misfits = Set(kinds.flatMap { $0.misfits(inColumns: columns) { SQLName($0).description }.values })
    guard let layout = kinds.first?.layout, !misfits.isEmpty else { return nil }
    let numbers = kinds.map { "\($0.layout.number)" }.joined(separator: ", ")
    let found = try reporting {
      try database.firstValue(
        "SELECT Z_PK FROM \(SQLName(layout.tableName)) WHERE \(layout.numberSQL()) IN (\(numbers)) "
          + "AND (\(misfits.sorted().joined(separator: " OR "))) LIMIT 1")
    }
    return if case .integer(let key)? = found { key } else { nil }
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

extension EntityRuntime {
  /// Returns conditions for columns, by their names; each is true if its column's value is invalid.
  ///
  /// - Parameter column: Returns a column in a statement.
  func misfits(inColumns wanted: Set<String>, _ column: (String) -> String) -> [String: String] {
    var misfits: [String: String] = [:]
    for leaf in columns.attributes.map(\.column).flatMap(\.leaves) where wanted.contains(leaf.column) {
      if let misfit = leaf.misfit(column(leaf.column)) { misfits[leaf.column] = "(\(misfit))" }
    }
    for (_, link) in columns.toOnes where wanted.contains(link.column) {
      misfits[link.column] = ToOneColumn.misfit(column(link.column))
    }
    return misfits
  }
}
