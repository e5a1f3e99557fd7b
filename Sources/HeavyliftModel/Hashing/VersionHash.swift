public import Foundation

/// The identity of an entity's version: 32 bytes that change whenever the entity's stored shape does.
public struct VersionHash: Hashable, Sendable {
  /// The 32 bytes of a SHA-256 hash.
  public let bytes: Data

  /// Creates a hash from the bytes of a file or store.
  public init(bytes: Data) { self.bytes = bytes }

  /// Creates a hash from its hexadecimal form, two digits per byte.
  public init?(hexadecimal text: String) {
    let digits = text.unicodeScalars.map { Character($0).isASCII ? Character($0).hexDigitValue : nil }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes = Data(capacity: digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    self.bytes = bytes
  }

  /// The bytes as lowercase hexadecimal digits.
  public var hexadecimal: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension VersionHash: CustomStringConvertible {
  /// The hexadecimal form.
  public var description: String { hexadecimal }
}
