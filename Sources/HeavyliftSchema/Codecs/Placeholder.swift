import Foundation
import HeavyliftModel

/// The values that required properties have in memory if their rows have none.
///
/// An old store can contain such rows, and a getter cannot throw. The context keeps an error, so these values are never
/// saved.
enum Placeholder {
  /// Returns zero, an empty value, or for an optional nil.
  static func plain<Value: ValueConvertible>(_ type: Value.Type) -> Value? { first(of: type, plainValues) }

  private static let plainValues: [StoredValue] = [
    .integer(0), .string(""), .date(Date(timeIntervalSinceReferenceDate: 0)), .data(Data()),
    .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))), .uri("about:blank"),
  ]

  private static func first<Value: ValueConvertible>(of type: Value.Type, _ values: [StoredValue]) -> Value? {
    values.lazy.compactMap { Value(storedValue: $0) }.first
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
    if let raw = type as? any RawRepresentable.Type { return rawValue(of: raw, plainValues) as? Value }
    return try? Value(from: FieldDecoder(FieldProbe()))
  }

  private static func plain<Value: ValueConvertible>(any type: Value.Type) -> Any? { plain(type) }

  private static func rawValue<Value: RawRepresentable>(of type: Value.Type, _ values: [StoredValue]) -> Any? {
    guard let raw = Value.RawValue.self as? any ValueConvertible.Type else { return nil }
    return (first(any: raw, values) as? Value.RawValue).flatMap(Value.init(rawValue:))
  }

  private static func first<Value: ValueConvertible>(any type: Value.Type, _ values: [StoredValue]) -> Any? {
    first(of: type, values)
  }

  // MARK: Another value

  private static let otherValues: [StoredValue] = [
    .integer(1), .string("a"), .date(Date(timeIntervalSinceReferenceDate: 1)), .data(Data([1])),
    .uuid(UUID(uuid: (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1))), .uri("about:other"),
  ]

  /// Returns a value that differs from `value(of:)`, to find out which property it ends up in; nil if none is known.
  static func otherValue<Value: Decodable>(of type: Value.Type) -> Value? {
    if let type = type as? any OptionalType.Type {
      return (type.wrappedType as? any Decodable.Type).flatMap { value(any: $0) } as? Value
    }
    if let type = type as? any ValueConvertible.Type { return first(any: type, otherValues) as? Value }
    if let cases = type as? any CaseIterable.Type { return second(of: cases) as? Value }
    if let number = try? JSONDecoder().decode(type, from: Data("1".utf8)), number is any BinaryInteger { return number }
    if let collection = type as? any CollectionType.Type { return collection.oneElement as? Value }
    if let raw = type as? any RawRepresentable.Type { return rawValue(of: raw, otherValues) as? Value }
    return try? Value(from: FieldDecoder(FieldProbe { _ in true }))
  }

  private static func value<Value: Decodable>(any type: Value.Type) -> Any? { value(of: type) }

  /// Returns a placeholder for an element of a collection.
  static func element<Element>(_ type: Element.Type) -> Element? {
    (type as? any Decodable.Type).flatMap { value(any: $0) } as? Element
  }

  private static func second<Cases: CaseIterable>(of type: Cases.Type) -> Any? { type.allCases.dropFirst().first }
}
