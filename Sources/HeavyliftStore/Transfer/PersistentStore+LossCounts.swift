import HeavyliftModel
import HeavyliftSQLite

extension PersistentStore {
  /// Returns the number of objects of exactly that entity that have a value for an attribute, or the number of their
  /// links for a relationship.
  ///
  /// - Returns: Nil for a property without storage of its own, such as a transient attribute.
  package func count(of property: String, entity name: String) throws -> Int? {
    try layout.entity(named: name).flatMap { rows(of: property, $0) }.map { try number("SELECT count(*) \($0.rows)") }
  }

  /// Counts only objects whose keys pass a test.
  package func count(of property: String, entity name: String, where isCounted: (Int64) -> Bool) throws -> Int? {
    guard let (key, rows) = layout.entity(named: name).flatMap({ rows(of: property, $0) }) else { return nil }
    return try reporting {
      var cursor = try database.prepare("SELECT \(key) \(rows)").query()
      var count = 0
      while try cursor.next() { if isCounted(cursor.row.integer(at: 0)) { count += 1 } }
      return count
    }
  }

  /// A `FROM` clause with a row for each value or link, and the column with the object's key.
  private func rows(of property: String, _ entity: EntityLayout) -> (key: String, rows: String)? {
    let objects = "\(SQLName(entity.tableName)) WHERE Z_ENT = \(entity.number)"
    if let attribute = entity.attributes.first(where: { $0.name == property }) {
      let columns = attribute.storedColumns.map { "\(SQLName($0)) IS NOT NULL" }
      return columns.isEmpty ? nil : ("Z_PK", "FROM \(objects) AND (\(columns.joined(separator: " OR ")))")
    }
    return LinkTable(property, of: entity).map {
      ("l.\(SQLName($0.owner))", $0.links(ofOwners: [entity.number]))
    }
  }
}

extension AttributeColumn {
  /// The attribute's column, or the columns of a composite's elements, including nested ones.
  fileprivate var storedColumns: [String] { elements.isEmpty ? [column] : elements.flatMap(\.storedColumns) }
}
