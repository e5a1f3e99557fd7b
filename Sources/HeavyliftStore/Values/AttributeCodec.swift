import Foundation
import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite

/// Converts column values to attribute values and back.
package enum AttributeCodec {
  /// The contents of a column: the value itself, or the name of the file that holds it.
  package enum Stored {
    case value(Value)
    case externalFile(String)
  }

  /// An error: a column's value is not valid for its attribute.
  package struct Mismatch: Error {
    /// The expected and the actual kind of value; never the value itself.
    package var problem: String

    package static let invalidText = Mismatch(problem: "holds text that is not UTF-8")
  }

  static func decode<Row: RowCells & ~Copyable>(
    _ row: borrowing Row, at column: Int, as attribute: AttributeColumn
  ) throws -> Stored {
    let cell = row.cell(at: column)
    if attribute.mayBeExternal { return try ExternalDataFormat.decode(cell, as: attribute.type) }
    return .value(try decode(cell, as: attribute.type))
  }

  /// Returns the value of a column that never refers to an external file.
  static func decode<Row: RowCells & ~Copyable>(
    _ row: borrowing Row, at column: Int, as attributeType: AttributeType
  ) throws -> Value {
    try decode(row.cell(at: column), as: attributeType)
  }

  /// Returns a value that never refers to an external file.
  @inline(__always)
  static func decode(_ cell: some CellView, as attributeType: AttributeType) throws -> Value {
    let type = cell.type
    if type == .null { return .null }
    switch (attributeType, type) {
    case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer):
      return .integer(cell.integer)
    case (.boolean, .integer):
      return .bool(cell.integer != 0)
    case (.double, .real), (.float, .real), (.double, .integer), (.float, .integer):
      return .double(cell.double)
    case (.date, .real), (.date, .integer):
      return .date(Date(timeIntervalSinceReferenceDate: cell.double))
    case (.string, .text):
      return .string(try text(of: cell))
    case (.uri, .text):
      return .uri(try text(of: cell))
    case (.binaryData, .blob), (.transformable, .blob):
      return .data(Data(cell.bytes))
    case (.uuid, .blob):
      if let uuid = UUID(bytes: Data(cell.bytes)) { return .uuid(uuid) }
      throw Mismatch(problem: "holds a blob that is not the 16 bytes of a UUID")
    case (.decimal, _):
      guard let stored = cell.owned else { throw Mismatch.invalidText }
      if let decimal = StoredDecimal.decode(stored) { return .decimal(decimal) }
    default: break
    }
    throw Mismatch(problem: "holds \(type.phrase) where a value of type \(attributeType.modelName) is expected")
  }

  private static func text(of cell: some CellView) throws -> String {
    guard let text = cell.text else { throw Mismatch.invalidText }
    return text
  }

  /// Returns the stored form of a value that the attribute can hold.
  static func encode(_ value: Value, as attribute: AttributeColumn) throws -> SQLiteValue {
    switch value {
    case .null: return .null
    case .bool(let value): return .integer(value ? 1 : 0)
    case .integer(let value): return .integer(value)
    case .double(let value): return .real(value)
    case .decimal(let value): return StoredDecimal.encode(value)
    case .string(let value), .uri(let value): return .text(value)
    case .date(let value): return .real(value.timeIntervalSinceReferenceDate)
    case .uuid(let value): return .blob(value.data)
    case .data(let value): return .blob(value)
    case .composite: throw Mismatch(problem: "is a composite, which has no column of its own")
    }
  }
}

extension RowView {
  /// Returns the contents of an attribute's column.
  package func stored(at position: Int, as attribute: AttributeColumn) throws -> AttributeCodec.Stored {
    try AttributeCodec.decode(self, at: position, as: attribute)
  }

  /// Returns the value of a column that never refers to an external file.
  package func value(at position: Int, as type: AttributeType) throws -> Value {
    try AttributeCodec.decode(self, at: position, as: type)
  }
}

extension SQLiteType {
  /// The type with its article, for messages.
  package var phrase: String {
    switch self {
    case .integer: "an integer"
    case .real: "a floating-point number"
    case .text: "text"
    case .blob: "a blob"
    case .null: "nothing"
    }
  }
}

extension UUID {
  init?(bytes: Data) {
    guard bytes.count == 16 else { return nil }
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  fileprivate var data: Data { withUnsafeBytes(of: uuid) { Data($0) } }
}

/// The lossless stored form of a decimal number, for rows and for translated expressions.
enum StoredDecimal {
  static func encode(_ decimal: Decimal) -> SQLiteValue { SQLiteValue(SQLValue(decimal)) }

  static func decode(_ value: SQLiteValue) -> Decimal? { SQLValue(value).decimal }
}
