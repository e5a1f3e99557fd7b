import HeavyliftModel

/// The stored value of an attribute. In types with a parameter `Value`, that name means the Swift value.
typealias StoredValue = HeavyliftModel.Value

/// Converts the Swift values of a type to stored values and back.
///
/// Unchecked: its functions have no state. They cannot be marked `@Sendable`, because they use the conformances of a type
/// that is only known at run time.
final class ValueCodec<Value>: @unchecked Sendable {
  /// Returns nil if the type has no such value.
  let decode: (StoredValue) -> Value?
  let encode: (Value) throws -> StoredValue
  /// Returns the value to read if the store has none; nil if there is no such value.
  let placeholder: () -> Value?

  init(
    decode: @escaping (StoredValue) -> Value?, encode: @escaping (Value) throws -> StoredValue,
    placeholder: @escaping () -> Value?
  ) {
    self.decode = decode
    self.encode = encode
    self.placeholder = placeholder
  }

  /// Returns the value to read if the store has none. The check of a schema refuses types without one.
  func requiredPlaceholder() -> Value {
    guard let value = placeholder() else {
      preconditionFailure("type '\(Value.self)' has no value to read if a row has none")
    }
    return value
  }
}

/// The conversion of values whose type is only known at run time, for the elements of composites.
protocol AnyValueCodec: AnyObject, Sendable {
  func encodeAny(_ value: Any) throws -> StoredValue
  /// Returns nil for a value of another type.
  func encodeIfPossible(any value: Any) throws -> StoredValue?
  func decodeAny<Result>(_ value: StoredValue, as type: Result.Type) -> Result?
}

extension ValueCodec: AnyValueCodec {
  func encodeAny(_ value: Any) throws -> StoredValue {
    guard let value = value as? Value else {
      preconditionFailure("a value of type '\(Swift.type(of: value))' is not a '\(Value.self)'")
    }
    return try encode(value)
  }

  func encodeIfPossible(any value: Any) throws -> StoredValue? { try (value as? Value).map(encode) }

  func decodeAny<Result>(_ value: StoredValue, as type: Result.Type) -> Result? { decode(value) as? Result }
}
