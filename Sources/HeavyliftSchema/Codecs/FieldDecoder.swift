/// A decoder for structures whose elements come from a `FieldSource`, one by one.
struct FieldDecoder: Decoder {
  let source: any FieldSource
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ source: any FieldSource) { self.source = source }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    source.willDecodeKeys()
    return KeyedDecodingContainer(FieldContainer(source: source))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw FieldMistake.notKeyed }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw FieldMistake.notKeyed }
}

/// The elements of a structure, by coding key.
protocol FieldSource {
  /// Called when a type starts to decode itself by keys.
  func willDecodeKeys()
  func isNil(_ key: String) -> Bool
  func value<Value: Decodable>(_ key: String, as type: Value.Type) throws -> Value
}

enum FieldMistake: Error, Hashable {
  /// The type decodes itself from something else than its own elements.
  case notKeyed
  /// No value of the element's type can be made, or it does not fit.
  case noValue(String)
}

private struct FieldContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let source: any FieldSource
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { !source.isNil(key.stringValue) }
  func decodeNil(forKey key: Key) throws -> Bool { source.isNil(key.stringValue) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try source.value(key.stringValue, as: type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw FieldMistake.notKeyed
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw FieldMistake.notKeyed }
  func superDecoder() throws -> any Decoder { throw FieldMistake.notKeyed }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw FieldMistake.notKeyed }
}

/// A source that gives each element a placeholder, and remembers the keys in the order in which they are decoded.
final class FieldProbe: FieldSource {
  /// An element that was decoded.
  struct Field {
    var key: String
    var type: Any.Type
    /// True if the type asks first whether there is a value.
    var isOptional: Bool
  }

  private(set) var fields: [Field] = []
  private var optionals: Set<String> = []
  /// Returns true for an element that gets another value than the placeholder, if its type has one.
  private let varies: (String) -> Bool
  private(set) var keys: [String] = []
  /// True for a structure, and for an enumeration, which finds no key that names a case.
  private(set) var isKeyed = false
  /// The first element for which no placeholder can be made.
  private(set) var missing: String?

  init(varies: @escaping (String) -> Bool = { _ in false }) { self.varies = varies }

  func willDecodeKeys() { isKeyed = true }

  func isNil(_ key: String) -> Bool {
    note(key)
    optionals.insert(key)
    return false
  }

  func value<Value: Decodable>(_ key: String, as type: Value.Type) throws -> Value {
    note(key)
    if !fields.contains(where: { $0.key == key }) {
      fields.append(Field(key: key, type: type, isOptional: optionals.contains(key)))
    }
    if varies(key), let value = Placeholder.otherValue(of: type) { return value }
    if let value = Placeholder.value(of: type) { return value }
    if missing == nil { missing = "'\(key)' of type '\(TypeName.scoped(type))'" }
    throw FieldMistake.noValue(key)
  }

  private func note(_ key: String) { if !keys.contains(key) { keys.append(key) } }
}

/// The elements of a stored composite.
struct CompositeFields: FieldSource {
  let fields: [String: CompositeField]
  let values: [String: StoredValue]

  private func stored(_ key: String) -> StoredValue { fields[key].flatMap { values[$0.name] } ?? .null }

  func willDecodeKeys() {}
  func isNil(_ key: String) -> Bool { stored(key).isNull }

  func value<Value: Decodable>(_ key: String, as type: Value.Type) throws -> Value {
    guard let value = fields[key]?.codec.decodeAny(stored(key), as: type) else { throw FieldMistake.noValue(key) }
    return value
  }
}

/// An element of a structure that is stored as a composite.
struct CompositeField: Sendable {
  /// The name of the stored property, which is the name of the composite's element.
  let name: String
  let codec: any AnyValueCodec
}
