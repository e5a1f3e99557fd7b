import HeavyliftExpression
import HeavyliftModel

/// The tables and columns of a store's properties, for translating expressions into SQL.
struct StoreSchema: SQLSchema {
  let runtime: StoreRuntime
  /// The name of the schema that contains the tables; nil if the tables' names are enough.
  var database: String?

  func entity(named name: String) -> SQLEntity? {
    runtime.byName[name].map { SQLEntity(table: $0.layout.tableName, database: database) }
  }

  func property(_ name: String, of entity: String) -> SQLProperty? {
    guard let entity = runtime.byName[entity], let slot = entity.slots[name] else { return nil }
    switch slot {
    case .attribute(let slot): return attribute(entity.attributes[slot])
    case .toOne(let slot):
      guard let column = entity.toOnes[slot].column else { return transient("relationship", name) }
      return .toOne(column: column.column, destination: column.destinationEntityName)
    case .toMany(let slot):
      guard let storage = entity.toManys[slot].storage else { return transient("relationship", name) }
      if storage.isReflexive { return .unavailable("relationship '\(name)' is stored in both directions") }
      return .toMany(
        SQLToMany(
          table: storage.tableName, ownerColumn: storage.ownerColumn, targetColumn: storage.targetColumn,
          destination: storage.destinationEntityName, isJoinTable: storage.kind == .joinTable, database: database))
    }
  }

  func key(of object: any ExpressionObject) -> SQLObjectKey? {
    guard let object = object as? ManagedObject, object.key > 0, object.context?.store.runtime === runtime else {
      return nil
    }
    return SQLObjectKey(entity: object.runtime.name, key: object.key)
  }

  private func attribute(_ attribute: EntityRuntime.Attribute) -> SQLProperty {
    let name = attribute.description.name
    guard let column = attribute.column else { return transient("attribute", name) }
    return property(column, "attribute '\(name)'")
  }

  private func property(_ column: AttributeColumn, _ thing: String) -> SQLProperty {
    if column.type == .composite {
      return .composite(
        Dictionary(
          column.elements.map { ($0.name, property($0, "element '\($0.name)' of \(thing)")) },
          uniquingKeysWith: { first, _ in first }))
    }
    if column.mayBeExternal { return .unavailable("\(thing) may be stored in a file") }
    guard let kind = SQLKind(column.type) else { return .unavailable("\(thing) has no column of its own") }
    return .column(column.column, kind)
  }

  private func transient(_ kind: String, _ name: String) -> SQLProperty {
    .unavailable("\(kind) '\(name)' is not stored")
  }
}
