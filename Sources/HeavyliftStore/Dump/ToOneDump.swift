import HeavyliftModel
import HeavyliftSQLite

/// Writes a to-one relationship of a query's rows.
///
/// A class because it caches the entity of the previous row's target.
final class ToOneDump {
  private let column: AttributeColumn
  private let position: Int
  private var references: ObjectReferences

  /// Adds the target's key and the `Z_ENT` in the target's own row to the query's columns. The `Z_ENT` that the owner's
  /// row stores next to the key is not trusted.
  init(
    _ toOne: ToOneColumn, in layout: PhysicalLayout, names: [String: String] = [:], expressions: inout [String]
  ) {
    // Used only to name the relationship in errors.
    column = AttributeColumn(
      name: toOne.name, type: .objectID, column: toOne.column, allowsExternalBinaryDataStorage: false,
      isDerived: false, elements: [])
    references = ObjectReferences(
      to: toOne.destinationTableName, destinationEntityName: toOne.destinationEntityName, in: layout, names: names)
    position = expressions.count
    let key = "s.\(toOne.column.asSQLIdentifier)"
    let number = references.onlyNumber.map(String.init) ?? "Z_ENT"
    expressions += [
      key, "(SELECT \(number) FROM \(toOne.destinationTableName.asSQLIdentifier) WHERE Z_PK = \(key))",
    ]
  }

  func write(_ row: borrowing RowView, to writer: inout JSONWriter) throws {
    switch row.type(at: position) {
    case .null: writer.null()
    case .integer:
      references.write(
        row.integer(at: position), number: row.isNull(at: position + 1) ? nil : row.integer(at: position + 1),
        to: &writer)
    case let type:
      throw BadColumn(column: column, problem: "holds \(type.phrase) where the key of an object is expected")
    }
    try writer.flushIfFull()
  }
}
