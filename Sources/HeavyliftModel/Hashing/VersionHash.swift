public import Foundation

/// What identifies a version of an entity: 32 bytes that change whenever its stored shape does.
public struct VersionHash: Hashable, Sendable {
  public let bytes: Data

  /// Wraps the bytes that a file or a store holds.
  public init(bytes: Data) { self.bytes = bytes }

  /// Reads the hexadecimal form.
  public init?(hexadecimal text: String) {
    guard text.utf8.count.isMultiple(of: 2) else { return nil }
    var bytes = Data()
    var rest = text[...]
    while !rest.isEmpty {
      guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    self.bytes = bytes
  }

  /// The bytes in hexadecimal, in lower case.
  public var hexadecimal: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension VersionHash: CustomStringConvertible {
  /// The hexadecimal form.
  public var description: String { hexadecimal }
}
