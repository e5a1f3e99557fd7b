/// A property that is not stored: its value belongs to the typed object, and is lost with it.
///
/// ```swift
/// @Transient var isSelected = false
/// ```
///
/// A stored property of an entity class must be an `@Attribute`, a `@Relationship`, a `@FetchedProperty` or
/// `@Transient`, so that no property is missing from the store by mistake.
@propertyWrapper
public struct Transient<Value>: TransientProperty {
  /// The value, which no store keeps.
  public var wrappedValue: Value

  /// Creates a property with an initial value.
  ///
  /// - Parameter wrappedValue: The initial value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// Marks `Transient`, whatever its value.
protocol TransientProperty {}
