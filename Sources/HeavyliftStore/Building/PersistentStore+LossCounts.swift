import HeavyliftModel
import HeavyliftSQLite

extension PersistentStore {
  /// How many objects of exactly that entity have a value for an attribute, or how many links a relationship has from them.
  ///
  /// - Returns: Nil for a property that has no storage of its own, such as a transient one.
  package func count(of property: String, entity name: String) throws -> Int? {
    guard let entity = layout.entity(named: name) else { return nil }
    let rows = "\(SQLName(entity.tableName)) WHERE Z_ENT = \(entity.number)"
    if let attribute = entity.attributes.first(where: { $0.name == property }) {
      let columns = attribute.storedColumns.map { "\(SQLName($0)) IS NOT NULL" }
      if columns.isEmpty { return nil }
      return try number("SELECT count(*) FROM \(rows) AND (\(columns.joined(separator: " OR ")))")
    }
    if let relationship = entity.toOne(named: property) {
      return try number("SELECT count(\(SQLName(relationship.column))) FROM \(rows)")
    }
    guard let relationship = entity.toManys.first(where: { $0.name == property }) else { return nil }
    return try number(
      "SELECT count(*) FROM \(SQLName(relationship.tableName)) WHERE \(SQLName(relationship.ownerColumn)) IN "
        + "(SELECT Z_PK FROM \(rows))")
  }

  private func number(_ sql: String) throws -> Int? {
    try reporting {
      guard case .integer(let count)? = try database.firstValue(sql) else { return nil }
      return Int(count)
    }
  }
}

extension AttributeColumn {
  /// The attribute's column, or those of a composite's elements, nested ones included.
  fileprivate var storedColumns: [String] { elements.isEmpty ? [column] : elements.flatMap(\.storedColumns) }
}
