import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// Converts column values to attribute values and back.
enum AttributeCodec {
  /// The contents of a column: the value itself, or the name of the file that holds it.
  enum Stored {
    case value(Value)
    case externalFile(String)
  }

  /// An error: a column's value is not valid for its attribute.
  struct Mismatch: Error {
    /// The expected and the actual kind of value; never the value itself.
    var problem: String
  }

  static func decode(_ row: borrowing RowView, at column: Int, as attribute: AttributeColumn) throws -> Stored {
    if attribute.mayBeExternal { return try ExternalDataFormat.decode(row, at: column, as: attribute.type) }
    return .value(try decode(row, at: column, as: attribute.type))
  }

  /// Returns the value of a column that never refers to an external file.
  static func decode(_ row: borrowing RowView, at column: Int, as attributeType: AttributeType) throws -> Value {
    let view = row.view(at: column)
    let type = view.type
    if type == .null { return .null }
    switch (attributeType, type) {
    case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer):
      return .integer(view.integer)
    case (.boolean, .integer):
      return .bool(view.integer != 0)
    case (.double, .real), (.float, .real), (.double, .integer), (.float, .integer):
      return .double(view.double)
    case (.date, .real), (.date, .integer):
      return .date(Date(timeIntervalSinceReferenceDate: view.double))
    case (.string, .text):
      return try (view.text ?? row.text(at: column)).map(Value.string) ?? .null
    case (.uri, .text):
      return try (view.text ?? row.text(at: column)).map(Value.uri) ?? .null
    case (.binaryData, .blob), (.transformable, .blob):
      return .data(view.data)
    case (.uuid, .blob):
      if let uuid = UUID(bytes: view.data) { return .uuid(uuid) }
      throw Mismatch(problem: "holds a blob that is not the 16 bytes of a UUID")
    case (.decimal, _):
      if let decimal = StoredDecimal.decode(try row.value(at: column)) { return .decimal(decimal) }
    default: break
    }
    throw Mismatch(problem: "holds \(type.phrase) where a value of type \(attributeType.modelName) is expected")
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

extension SQLiteType {
  /// The type with its article, for messages.
  var phrase: String {
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
