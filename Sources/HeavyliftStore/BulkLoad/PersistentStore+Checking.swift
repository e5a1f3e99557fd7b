import HeavyliftModel
import HeavyliftSQLite

extension PersistentStore {
  /// The values of one attribute that break one rule of the model.
  package struct AttributeViolation {
    package var attribute: String
    package var finding: Finding
    package var count: Int
    /// The keys of the first objects with such a value.
    package var keys: [Int64]
  }

  /// Checks all values of an entity's attributes that have bounds, lengths or patterns; sub-entities are not included.
  ///
  /// Missing values are not reported here.
  ///
  /// - Parameter names: The attributes to check; nil for all.
  package func attributeViolations(
    ofEntity name: String, examples: Int, among names: Set<String>? = nil
  ) throws -> [AttributeViolation] {
    guard let entity = runtime.byName[name] else { return [] }
    let attributes = ruledAttributes(of: entity, among: names)
    guard !attributes.isEmpty else { return [] }
    var found: [AttributeViolation] = []
    var places: [String: Int] = [:]
    try reporting {
      let columns = attributes.map { SQLName($0.column.column).description }.joined(separator: ", ")
      var cursor = try database.prepare(
        "SELECT Z_PK, \(columns) FROM \(SQLName(entity.layout.tableName)) WHERE \(entity.layout.numberSQL()) = \(entity.layout.number) "
          + "ORDER BY Z_PK"
      ).query()
      while try cursor.next() {
        for (place, attribute) in attributes.enumerated() where !cursor.row.isNull(at: place + 1) {
          guard case .value(let value) = try AttributeCodec.decode(cursor.row, at: place + 1, as: attribute.column)
          else { continue }
          for finding in entity.attributes[attribute.slot].validator.findings(for: value) {
            let key = "\(attribute.slot) \(finding.code.rawValue)"
            let number = places[key] ?? found.count
            if number == found.count {
              places[key] = number
              found.append(
                AttributeViolation(attribute: attribute.column.name, finding: finding, count: 0, keys: []))
            }
            found[number].count += 1
            if found[number].keys.count < examples { found[number].keys.append(cursor.row.integer(at: 0)) }
          }
        }
      }
    }
    return found
  }

  private func ruledAttributes(of entity: EntityRuntime, among names: Set<String>?) -> [RowColumns.AttributeColumns] {
    entity.columns.attributes.filter {
      let attribute = entity.attributes[$0.slot]
      return attribute.type != .composite && attribute.validator.hasValueRules && !$0.column.isDerived
        && names?.contains($0.column.name) ?? true
    }
  }

  /// Returns the number of objects of each entity, without its sub-entities.
  package func objectCounts() throws -> [String: Int] {
    try reporting {
      var counts: [String: Int] = [:]
      for table in Set(layout.entities.map(\.tableName)) {
        let entities = layout.entities.filter { $0.tableName == table }
        if entities.count == 1 {
          // SQLite can count the entries of any index, which is faster than reading the rows.
          guard case .integer(let count)? = try database.firstValue("SELECT count(*) FROM \(SQLName(table))"), count > 0
          else { continue }
          counts[entities[0].name] = Int(count)
          continue
        }
        var cursor = try database.prepare("SELECT Z_ENT, count(*) FROM \(SQLName(table)) GROUP BY Z_ENT").query()
        while try cursor.next() {
          if let entity = runtime.entity(numbered: cursor.row.integer(at: 0)) {
            counts[entity.name] = Int(cursor.row.integer(at: 1))
          }
        }
      }
      return counts
    }
  }
}
