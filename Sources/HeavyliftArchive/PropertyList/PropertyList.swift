public import Foundation
public import HeavyliftModel

/// A property list as a value that can be walked without surprises.
///
/// Foundation's own reader hides the references of keyed archives in a private class, and was not made for files from
/// strangers. This one reads the binary and the XML form, checks every offset, count and depth, and gives an error for
/// all that is not right.
public indirect enum PropertyList: Hashable, Sendable {
  case boolean(Bool)
  case integer(Int64)
  /// A whole number beyond `Int64`.
  case unsigned(UInt64)
  case real(Double)
  case date(Date)
  case data(Data)
  case string(String)
  /// A reference to an object of a keyed archive.
  case uid(Int)
  case array([PropertyList])
  case dictionary([String: PropertyList])

  /// The deepest nesting that is read. A keyed archive has 4, a store's metadata 3.
  static let depthLimit = 128

  /// Reads the binary or the XML form.
  ///
  /// - Parameters:
  ///   - data: Either of the two.
  ///   - subject: What the bytes are, for errors: "'VersionInfo.plist'".
  public init(data: Data, subject: String = "the file") throws(Diagnostic) {
    do {
      self = try Self.parse(data).root
    } catch {
      throw error.diagnostic(in: subject)
    }
  }

  /// What a parser found: the list itself, and the greatest reference in it.
  struct Parsed {
    var root: PropertyList
    var greatestUID: Int
  }

  static func parse(_ data: Data) throws(ArchiveMistake) -> Parsed {
    let bytes = [UInt8](data)
    if bytes.starts(with: Array("bplist".utf8)) {
      var reader = try BinaryPropertyListReader(bytes)
      return try reader.read()
    }
    if bytes.first(where: { !$0.isXMLSpace && !XMLPropertyListReader.byteOrderMark.contains($0) }) == UInt8(ascii: "<")
    {
      var reader = XMLPropertyListReader(bytes)
      return try reader.read()
    }
    throw .notAPropertyList
  }

  /// The list in its binary form.
  public var binaryData: Data { BinaryPropertyListWriter.data(of: self) }
}

extension PropertyList {
  /// The Boolean, if it is one; a number is none.
  public var boolean: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  /// The whole number, if it is one that fits.
  public var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The text, if it is one.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The bytes, if it is data.
  public var data: Data? {
    if case .data(let value) = self { value } else { nil }
  }

  /// The reference, if it is one.
  public var uid: Int? {
    if case .uid(let value) = self { value } else { nil }
  }

  /// The elements, if it is an array.
  public var array: [PropertyList]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The entries, if it is a dictionary.
  public var dictionary: [String: PropertyList]? {
    if case .dictionary(let value) = self { value } else { nil }
  }
}
