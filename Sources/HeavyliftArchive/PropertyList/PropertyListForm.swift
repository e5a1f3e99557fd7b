import Foundation

/// The bytes of a property list in one of its two forms.
enum PropertyListForm {
  case binary([UInt8])
  case xml([UInt8])

  init(_ data: Data) throws(ArchiveMistake) {
    let bytes = [UInt8](data)
    if bytes.starts(with: "bplist".utf8) {
      self = .binary(bytes)
    } else if bytes.first(where: { !$0.isXMLSpace && !XMLPropertyListReader.byteOrderMark.contains($0) })
      == UInt8(ascii: "<")
    {
      self = .xml(bytes)
    } else {
      throw .notAPropertyList
    }
  }

  /// Reads the list as a value.
  func list() throws(ArchiveMistake) -> PropertyList {
    switch self {
    case .binary: return try table().list
    case .xml(let bytes):
      var reader = XMLPropertyListReader(bytes)
      return try reader.read()
    }
  }

  /// Reads the list as a table.
  func table() throws(ArchiveMistake) -> PropertyListTable {
    switch self {
    case .binary(let bytes):
      var reader = try BinaryPropertyListReader(bytes)
      return try reader.read()
    case .xml: return try Self.binary([UInt8](list().binaryData)).table()
    }
  }
}
