import HeavyliftModel

extension LayoutBuilder {
  /// The triggers that count a to-many for a derived attribute like `pages.@count`.
  ///
  /// No public store has triggers for other derivations, so their columns keep their values.
  mutating func countTriggers(of attribute: AttributeDescription, in entity: EntityDescription) -> [TriggerLayout] {
    guard attribute.isDerived else { return [] }
    guard let relationshipName = attribute.countedKeyPath,
      let declared = declaration(of: relationshipName, from: entity.name), declared.relationship.isToMany,
      let inverse = inverse(of: declared.relationship), !inverse.relationship.isToMany,
      let foreignKey = columns.properties[.init(entity: inverse.entity.name, property: inverse.relationship.name)],
      let column = columns.properties[.init(entity: entity.name, property: attribute.name)]
    else {
      omit(
        "derived attribute '\(attribute.name)' of entity '\(entity.name)' is not kept up to date: "
          + "only a count of a one-to-many relationship is",
        remedy: "its column is read but not changed", location: attribute.markup.location)
      return []
    }
    let (table, counted) = (tableName(of: entity), tableName(of: inverse.entity))
    let stem = "Z_DA_\(counted)_\(entity.name)_\(attribute.name)_PARAMETER"
    let report = { (function: String, key: String) in
      "SELECT \(function)('\(table)', Z_ENT, Z_PK, '\(attribute.name)', \(column)) FROM \(table) WHERE Z_PK = \(key);"
    }
    func trigger(_ suffix: String, _ event: String, row: String, _ change: String) -> TriggerLayout {
      let key = "\(row).\(foreignKey)"
      return TriggerLayout(
        name: "\(stem)_\(suffix)",
        sql: "CREATE TRIGGER \(stem)_\(suffix) AFTER \(event) ON \(counted) FOR EACH ROW WHEN (\(key) NOT NULL) "
          + "BEGIN UPDATE \(table) SET \(column) = \(change) WHERE Z_PK = \(key); "
          + "\(report("NSCoreDataDATriggerUpdatedAffectedObjectValue", key)) END",
        entityName: entity.name, attributeName: attribute.name)
    }
    let source = "Z_DA_\(table)_\(entity.name)_\(attribute.name)_SOURCE_INSERT"
    return [
      trigger("INSERT", "INSERT", row: "NEW", "IFNULL(\(column), 0) + 1"),
      trigger("UPDATE_INCREMENT", "UPDATE OF \(foreignKey)", row: "NEW", "\(column) + 1"),
      trigger("UPDATE_DECREMENT", "UPDATE OF \(foreignKey)", row: "OLD", "\(column) - 1"),
      trigger("DELETE", "DELETE", row: "OLD", "\(column) - 1"),
      TriggerLayout(
        name: source,
        sql: "CREATE TRIGGER \(source) AFTER INSERT ON \(table) FOR EACH ROW "
          + "BEGIN UPDATE \(table) SET \(column) = (SELECT IFNULL(COUNT(\(foreignKey)), 0) FROM \(counted) "
          + "WHERE \(foreignKey) = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK; "
          + "\(report("NSCoreDataDATriggerInsertUpdatedAffectedObjectValue", "NEW.Z_PK")) END",
        entityName: entity.name, attributeName: attribute.name),
    ]
  }
}
