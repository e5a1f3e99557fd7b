import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// The format of a column that allows external storage: its first byte, 1 or 2, distinguishes data from the name of a
/// file.
enum ExternalDataFormat {
  static func decode(_ cell: some CellView, as attributeType: AttributeType) throws -> AttributeCodec.Stored {
    switch cell.type {
    case .null: return .value(.null)
    case .blob: return try decode(Data(cell.bytes), as: attributeType)
    case let type: throw AttributeCodec.Mismatch(problem: "holds \(type.phrase) where data is expected")
    }
  }

  /// Decodes a column value that is not null.
  static func decode(_ bytes: Data, as attributeType: AttributeType) throws -> AttributeCodec.Stored {
    switch bytes.first {
    case 1: return .value(.data(Data(bytes.dropFirst())))
    case 2: return .externalFile(try fileName(in: bytes))
    // No public store has a transformable with external storage. An archive starts with neither 1 nor 2.
    case let first? where attributeType == .transformable && first > 2: return .value(.data(bytes))
    default:
      throw AttributeCodec.Mismatch(
        problem: "holds data whose first byte is neither 1 (stored here) nor 2 (stored in a file)")
    }
  }

  static func inline(_ data: Data) -> SQLiteValue { .blob([1] + data) }

  static func reference(to fileName: String) -> SQLiteValue { .blob([2] + Data(fileName.utf8) + [0]) }

  /// A name that is not a UUID could point outside the folder.
  private static func fileName(in bytes: Data) throws -> String {
    let name = bytes.dropFirst().prefix { $0 != 0 }
    guard let text = String(validating: name, as: UTF8.self), UUID(uuidString: text) != nil else {
      throw AttributeCodec.Mismatch(problem: "names an external file by something other than a UUID")
    }
    return text
  }
}
