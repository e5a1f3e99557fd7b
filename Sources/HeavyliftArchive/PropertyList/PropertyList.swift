public import Foundation
public import HeavyliftModel

/// A property list as a value that is safe to traverse.
///
/// Foundation's own reader hides the references of keyed archives in a private class, and is not hardened against
/// untrusted files. This one reads the binary and the XML form, checks every offset, count and depth, and throws an
/// error for anything invalid.
public enum PropertyList: Hashable, Sendable {
  case boolean(Bool)
  case integer(Int64)
  /// An integer beyond `Int64`.
  case unsigned(UInt64)
  case real(Double)
  case date(Date)
  case data(Data)
  case string(String)
  /// A reference to an object of a keyed archive.
  case uid(Int)
  case array([PropertyList])
  case dictionary([String: PropertyList])

  /// The maximum nesting depth. A keyed archive has 4 levels, and a store's metadata has 3.
  static let depthLimit = 128

  /// Reads a property list in binary or XML form.
  ///
  /// - Parameters:
  ///   - data: The property list.
  ///   - subject: The name of the file in errors: "'VersionInfo.plist'".
  public init(data: Data, subject: String = "the file") throws(Diagnostic) {
    do {
      self = try PropertyListForm(data).list()
    } catch {
      throw error.diagnostic(in: subject)
    }
  }

  /// The list in binary form.
  public var binaryData: Data { BinaryPropertyListWriter.data(of: self) }
}

extension PropertyList {
  /// The Boolean; nil for any other value, including a number.
  public var boolean: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  /// The integer, if it is one that fits into `Int64`.
  public var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The text, if it is a string.
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
