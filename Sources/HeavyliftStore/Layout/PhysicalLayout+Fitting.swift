import Foundation
import HeavyliftModel
import HeavyliftSQLite

extension PhysicalLayout {
  /// Adjusts a layout to the actual tables of a store.
  ///
  /// In-place migrations leave columns at the end, join tables under old names, and unused columns: all of that is
  /// accepted. A missing table or column is an error.
  mutating func fit(to database: Database, store: URL) throws {
    let columns = StoredColumns(of: database)
    let expected = self
    let missing = try fitJoinTables(to: columns)
    // With the store's actual tables, no assumptions are needed.
    assumptions = []
    entities = try entities.map { entity in
      var fitted = entity
      let present = try columns.names(of: entity.tableName)
      guard !present.isEmpty else {
        throw StoreMistake.missingTable(entity.tableName, entity: entity.name).diagnostic(store)
      }
      try fitted.fitColumns(to: present, store: store)
      for place in entity.toManys.indices {
        let wanted = entity.toManys[place]
        if let join = expected.joins.firstIndex(where: {
          wanted.kind == .joinTable && $0.layout.name == wanted.tableName
        }) {
          guard !missing.contains(join) else {
            throw StoreMistake.missingTable(wanted.tableName, entity: entity.name).diagnostic(store)
          }
          fitted.toManys[place].move(from: expected.joins[join], to: joins[join])
          continue
        }
        fitted.toManys[place].fitColumns(to: try columns.names(of: wanted.tableName), expected)
      }
      return fitted
    }
  }
}

extension EntityLayout {
  fileprivate mutating func fitColumns(to present: [String], store: URL) throws {
    let names = Set(present.map { $0.uppercased() })
    func require(_ column: String, for property: String) throws {
      guard names.contains(column.uppercased()) else {
        throw StoreMistake.missingColumn(column, table: tableName, property: property, entity: name).diagnostic(store)
      }
    }
    for column in ["Z_PK", "Z_ENT", "Z_OPT"] { try require(column, for: column) }
    for attribute in attributes {
      for column in attribute.leafColumns { try require(column, for: attribute.name) }
    }
    for index in toOnes.indices {
      try require(toOnes[index].column, for: toOnes[index].name)
      toOnes[index].dropMissingColumns(names)
    }
    for index in ownerColumns.indices {
      ownerColumns[index].column = ownerColumns[index].column.asOwnerColumn(among: present)
      try require(ownerColumns[index].column, for: ownerColumns[index].name)
      ownerColumns[index].orderColumn = ownerColumns[index].orderColumn?.asOwnerColumn(among: present)
      ownerColumns[index].dropMissingColumns(names)
    }
  }
}

extension ToOneColumn {
  /// Removes optional columns that the store lacks from the layout: an entity number is also in the target's table, and
  /// an order that is not stored has no effect.
  fileprivate mutating func dropMissingColumns(_ names: Set<String>) {
    if let column = entityColumn, !names.contains(column.uppercased()) { entityColumn = nil }
    if let column = orderColumn, !names.contains(column.uppercased()) { orderColumn = nil }
  }
}

extension ToManyStorage {
  fileprivate mutating func fitColumns(to present: [String], _ layout: PhysicalLayout) {
    if layout.hasImpliedInverse(self) {
      ownerColumn = ownerColumn.asOwnerColumn(among: present)
      orderColumn = orderColumn?.asOwnerColumn(among: present)
    }
    guard let column = orderColumn else { return }
    if !present.contains(where: { $0.uppercased() == column.uppercased() }) { orderColumn = nil }
  }
}

extension PhysicalLayout {
  /// True for a to-many relationship without an inverse.
  func hasImpliedInverse(_ storage: ToManyStorage) -> Bool {
    storage.kind == .foreignKey
      && entities.contains { entity in
        entity.tableName == storage.tableName && entity.ownerColumns.contains { $0.column == storage.ownerColumn }
      }
  }
}

extension AttributeColumn {
  /// The columns in the table: the attribute's own column or, for a composite, those of its elements.
  package var leafColumns: [String] { type == .composite ? elements.flatMap(\.leafColumns) : [column] }
}

extension String {
  /// Returns this name, such as `Z3ITEMS`, or the table's only column whose name differs from it only in the entity
  /// number.
  fileprivate func asOwnerColumn(among present: [String]) -> String {
    let wanted = uppercased()
    if present.contains(where: { $0.uppercased() == wanted }) { return self }
    let prefix = wanted.hasPrefix("Z_FOK_") ? "Z_FOK_" : "Z"
    func relationship(_ column: String) -> Substring? {
      guard column.hasPrefix(prefix), case let rest = column.dropFirst(prefix.count), rest.first?.isNumber == true
      else { return nil }
      return rest.drop { $0.isNumber }
    }
    let same = present.filter { relationship($0.uppercased()) == relationship(wanted) }
    return same.count == 1 ? same[0] : self
  }
}
