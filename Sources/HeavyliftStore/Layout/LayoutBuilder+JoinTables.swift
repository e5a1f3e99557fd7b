import HeavyliftModel

/// A join table with what it joins.
struct JoinTable {
  /// One direction.
  struct Side {
    var entity: String
    var relationship: String
    /// Holds the `Z_PK` of the objects that the relationship leads to.
    var targetColumn: String
    var orderColumn: String?
  }

  var layout: TableLayout
  /// The side that names the table, and writes it.
  var first: Side
  /// The inverse; nil where there is none, or where the relationship is its own.
  var second: Side?
  /// Holds the `Z_PK` of the objects that `first` starts from.
  var ownerColumn: String
  var isReflexive: Bool
}

extension LayoutBuilder {
  /// A table for each many-to-many pair, and for each to-many without an inverse.
  mutating func joinTables() -> [JoinTable] {
    var names = UniqueNames(
      reserved: Set(columns.tableNames.values).union(["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]))
    var tables: [JoinTable] = []
    for entity in entities {
      for relationship in entity.relationships where relationship.isToMany && !relationship.isTransient {
        guard let destination = relationship.destinationEntityName, numbers[destination] != nil else {
          omit(
            "relationship '\(relationship.name)' of entity '\(entity.name)' leads to no entity of the store",
            location: relationship.markup.location)
          continue
        }
        if let table = joinTable(for: relationship, of: entity, destination: destination, &names) {
          tables.append(table)
        }
      }
    }
    return tables
  }

  private func joinTable(
    for relationship: RelationshipDescription, of entity: EntityDescription, destination: String,
    _ names: inout UniqueNames
  ) -> JoinTable? {
    let inverse = inverse(of: relationship)
    if let inverse {
      guard inverse.relationship.isToMany, self.names(inverse, before: (entity, relationship)) == false else {
        return nil
      }
    }
    let ownNumber = number(of: entity)
    let otherNumber = inverse.map { number(of: $0.entity) } ?? numbers[destination] ?? 0
    let isReflexive = inverse.map { $0.entity.name == entity.name && $0.relationship.name == relationship.name } == true
    var columnNames = UniqueNames(reserved: [])
    // The name of the second column of a relationship that is its own inverse, and of the owner's column where there is
    // no inverse, are not confirmed by any public store.
    let inverseName = (inverse?.relationship.name ?? relationship.name).uppercased()
    let ownerColumn = columnNames.take("Z_\(ownNumber)\(inverseName)")
    let targetColumn =
      isReflexive
      ? columnNames.take("REFLEXIVE")
      : columnNames.take("Z_\(otherNumber)\(relationship.name.uppercased())")
    let first = JoinTable.Side(
      entity: entity.name, relationship: relationship.name, targetColumn: targetColumn,
      orderColumn: relationship.isOrdered
        ? columnNames.take("Z_FOK_\(otherNumber)\(relationship.name.uppercased())") : nil)
    var second: JoinTable.Side?
    if let inverse, !isReflexive {
      second = JoinTable.Side(
        entity: inverse.entity.name, relationship: inverse.relationship.name, targetColumn: ownerColumn,
        orderColumn: inverse.relationship.isOrdered ? columnNames.take("Z_FOK_\(ownNumber)\(inverseName)") : nil)
    }
    let keys = [ownerColumn, targetColumn]
    let orderColumns = [first.orderColumn, second?.orderColumn].compactMap(\.self)
    return JoinTable(
      layout: TableLayout(
        name: names.take("Z_\(ownNumber)\(relationship.name.uppercased())"),
        columns: (keys + orderColumns).map { .init(name: $0, declaredType: "INTEGER") }, primaryKey: keys),
      first: first, second: second, ownerColumn: ownerColumn, isReflexive: isReflexive)
  }

  /// Whether the inverse names the table: the entity with the lower number does.
  ///
  /// Where both ends are on one entity real stores differ; the only one at hand takes the later name.
  private func names(
    _ inverse: (entity: EntityDescription, relationship: RelationshipDescription),
    before own: (entity: EntityDescription, relationship: RelationshipDescription)
  ) -> Bool {
    let (inverseNumber, ownNumber) = (number(of: inverse.entity), number(of: own.entity))
    if inverseNumber != ownNumber { return inverseNumber < ownNumber }
    return own.relationship.name.precedesInCodeUnits(inverse.relationship.name)
  }
}
