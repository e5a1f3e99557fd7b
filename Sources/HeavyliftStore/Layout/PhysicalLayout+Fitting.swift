import Foundation
import HeavyliftModel
import HeavyliftSQLite

extension PhysicalLayout {
  /// Adjusts a layout to the tables that a store really has.
  ///
  /// In-place migrations leave columns at the end, join tables under old names and columns that nobody needs: none of
  /// that is refused. A table or column that is needed and not there is.
  mutating func fit(to database: Database, store: URL) throws {
    var columns: [String: [String]] = [:]
    func columnNames(of table: String) throws -> [String] {
      if let known = columns[table] { return known }
      let found = try database.columns(of: table).map(\.name)
      columns[table] = found
      return found
    }
    let joinCandidates = try database.schemaObjects().filter { $0.type == .table && $0.name.hasPrefix("Z_") }
      .map(\.name)
    for index in entities.indices {
      let entity = entities[index]
      let present = try columnNames(of: entity.tableName)
      guard !present.isEmpty else {
        throw StoreMistake.missingTable(entity.tableName, entity: entity.name).diagnostic(store)
      }
      try entities[index].fitColumns(to: present, store: store)
      for storage in entity.toManys.indices {
        let wanted = entity.toManys[storage]
        let present = try columnNames(of: wanted.tableName)
        if let column = wanted.orderColumn, !present.contains(all: [column]) {
          entities[index].toManys[storage].orderColumn = nil
        }
        if wanted.kind == .foreignKey || present.contains(all: [wanted.ownerColumn, wanted.targetColumn]) { continue }
        let found = try joinCandidates.lazy.compactMap { try wanted.renamed(table: $0, columns: columnNames(of: $0)) }
          .first
        guard let found else {
          throw StoreMistake.missingTable(wanted.tableName, entity: entity.name).diagnostic(store)
        }
        entities[index].toManys[storage] = found
      }
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
      // The entity's number can be looked up in the target's table, and an order that is not stored is no order.
      if let column = toOnes[index].entityColumn, !names.contains(column.uppercased()) {
        toOnes[index].entityColumn = nil
      }
      if let column = toOnes[index].orderColumn, !names.contains(column.uppercased()) {
        toOnes[index].orderColumn = nil
      }
    }
  }
}

extension AttributeColumn {
  /// The columns that really exist: its own, or those of a composite's elements.
  var leafColumns: [String] { type == .composite ? elements.flatMap(\.leafColumns) : [column] }
}

extension ToManyStorage {
  /// The same links in a join table that has another number in its name, or is named by the other side.
  fileprivate func renamed(table: String, columns: [String]) -> ToManyStorage? {
    let wanted = [ownerColumn.withoutEntityNumber, targetColumn.withoutEntityNumber]
    let keys = columns.filter { !$0.hasPrefix("Z_FOK_") }
    guard keys.count == 2, Set(keys.map(\.withoutEntityNumber)) == Set(wanted), wanted[0] != wanted[1],
      wanted.contains(table.withoutEntityNumber),
      let owner = keys.first(where: { $0.withoutEntityNumber == wanted[0] }),
      let target = keys.first(where: { $0.withoutEntityNumber == wanted[1] })
    else { return nil }
    var found = self
    (found.tableName, found.ownerColumn, found.targetColumn) = (table, owner, target)
    found.orderColumn = orderColumn.flatMap { _ in
      columns.first { $0.hasPrefix("Z_FOK_") && "Z_\($0.dropFirst(6))".withoutEntityNumber == wanted[1] }
    }
    return found
  }
}

extension String {
  /// `Z_12TAGS` without the number that a renumbered entity changes: `Z_TAGS`.
  fileprivate var withoutEntityNumber: String {
    guard hasPrefix("Z_") else { return uppercased() }
    return "Z_" + dropFirst(2).drop { $0.isNumber }.uppercased()
  }
}

extension [String] {
  fileprivate func contains(all names: [String]) -> Bool {
    let present = Set(map { $0.uppercased() })
    return names.allSatisfy { present.contains($0.uppercased()) }
  }
}
