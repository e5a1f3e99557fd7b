import Foundation
import Heavylift

/// The form of `Codable` values in transformable attributes: an archive of the bytes of their JSON.
///
/// Such an archive contains nothing but data, so Core Data's standard transformer decodes it without further classes. The
/// archive is not written by `NSKeyedArchiver`, which on Linux writes different bytes each time, so that a value that is
/// set again would be a change.
enum Box {
  static let transformerName = "NSSecureUnarchiveFromData"

  static func encode(_ value: some Encodable) throws -> Data {
    let archive: PropertyList = .dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$top": .dictionary(["root": .uid(1)]),
      "$objects": .array([
        .string("$null"), .dictionary(["NS.data": .data(try encodeJSON(value)), "$class": .uid(2)]),
        .dictionary([
          "$classname": .string("NSData"), "$classes": .array([.string("NSData"), .string("NSObject")]),
        ]),
      ]),
    ])
    return archive.binaryData
  }

  static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try decodeJSON(type, from: contents(of: data))
  }

  static func encodeJSON(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    // The same value is always stored as the same bytes, so that setting it again is not a change.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }

  static func decodeJSON<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try JSONDecoder().decode(type, from: data)
  }

  /// Returns the archived data. No class is ever instantiated: see `KeyedArchive`.
  private static func contents(of archive: Data) throws -> Data {
    switch try KeyedArchive(data: archive, subject: "the value").root {
    case .data(let data)?: return data
    case .object(let object)?:
      if case .data(let data)? = object["NS.data"] { return data }
    default: break
    }
    throw Diagnostic(
      .error, code: "schema.not-boxed", problem: "the value is an archive of something else than data",
      remedy: "read it with 'archive(forKey:)'")
  }
}

extension ManagedObject {
  /// Returns the `Codable` value in a transformable attribute, as `setBoxedValue(_:forKey:)` stores it; nil for no value.
  ///
  /// ```swift
  /// let point = try shape.unboxedValue(of: Point2D.self, forKey: "point")
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - name: The attribute's name.
  public func unboxedValue<Value: Decodable>(of type: Value.Type, forKey name: String) throws -> Value? {
    let stored: HeavyliftModel.Value = try value(forKey: name)
    return try stored.data.map { try Box.decode(type, from: $0) }
  }

  /// Stores a `Codable` value in a transformable attribute.
  ///
  /// - Parameters:
  ///   - value: The value, or nil for none.
  ///   - name: The attribute's name.
  public func setBoxedValue(_ value: (some Encodable)?, forKey name: String) throws {
    let stored: HeavyliftModel.Value = try value.map { .data(try Box.encode($0)) } ?? .null
    try setValue(stored, forKey: name)
  }
}
