import Foundation
import HeavyliftModel

/// The values that required properties have in memory if their rows have none.
///
/// An old store can contain such rows, and a getter cannot throw. The context keeps an error, so these values are never
/// saved.
enum Placeholder {
  /// Returns zero, an empty value, or for an optional nil.
  static func plain<Value: ValueConvertible>(_ type: Value.Type) -> Value? {
    for value: StoredValue in [
      .integer(0), .string(""), .date(Date(timeIntervalSinceReferenceDate: 0)), .data(Data()),
      .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))), .uri("about:blank"),
    ] {
      if let value = Value(storedValue: value) { return value }
    }
    return nil
  }

  /// Returns an enumeration's first case, if it lists its cases.
  static func firstCase<Value>(of type: Value.Type) -> Value? {
    (type as? any CaseIterable.Type).flatMap { first(of: $0) } as? Value
  }

  private static func first<Cases: CaseIterable>(of type: Cases.Type) -> Any? { type.allCases.first }

  /// Returns a value of a type that can be decoded: empty, the first case, or made of placeholders.
  static func value<Value: Decodable>(of type: Value.Type) -> Value? {
    if let type = type as? any OptionalType.Type { return type.none as? Value }
    if let type = type as? any ValueConvertible.Type { return plain(type) as? Value }
    if let value = firstCase(of: type) { return value }
    if let number = try? JSONDecoder().decode(type, from: Data("0".utf8)), number is any BinaryInteger { return number }
    if type is any CollectionType.Type {
      return ["[]", "{}"].lazy.compactMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }.first
    }
    if let raw = type as? any RawRepresentable.Type { return rawValue(of: raw) as? Value }
    return try? Value(from: FieldDecoder(FieldProbe()))
  }

  private static func plain<Value: ValueConvertible>(any type: Value.Type) -> Any? { plain(type) }

  private static func rawValue<Value: RawRepresentable>(of type: Value.Type) -> Any? {
    guard let raw = Value.RawValue.self as? any ValueConvertible.Type else { return nil }
    return (plain(any: raw) as? Value.RawValue).flatMap(Value.init(rawValue:))
  }
}
