import HeavyliftModel

/// The columns of an entity's row in reading order, and the statements that use them.
struct RowColumns {
  /// An attribute's slot and its columns; a composite has several.
  struct AttributeColumns {
    let slot: Int
    let column: AttributeColumn
  }

  let attributes: [AttributeColumns]
  let toOnes: [(slot: Int, column: ToOneColumn)]
  /// Column names, starting with `Z_PK`, `Z_ENT` and `Z_OPT`.
  let names: [String]
  let selectByKey: String
  let insert: String

  init(_ entity: EntityRuntime) {
    attributes = entity.attributes.enumerated().compactMap { slot, attribute in
      attribute.column.map { AttributeColumns(slot: slot, column: $0) }
    }
    toOnes = entity.toOnes.enumerated().compactMap { slot, toOne in toOne.column.map { (slot, $0) } }
    var names = ["Z_PK", "Z_ENT", "Z_OPT"]
    for attribute in attributes { names += attribute.column.leafColumns }
    for (_, column) in toOnes { names += column.columns }
    self.names = names
    let table = SQLName(entity.layout.tableName)
    let list = names.map { SQLName($0).description }.joined(separator: ", ")
    let values = names.map { entity.layout.columnSQL($0) }.joined(separator: ", ")
    selectByKey = "SELECT \(values) FROM \(table) WHERE Z_PK = ?"
    insert = "INSERT INTO \(table) (\(list)) VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
  }
}
