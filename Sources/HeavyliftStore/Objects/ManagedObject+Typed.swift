public import HeavyliftModel

/// Access to attributes as Swift values.
extension ManagedObject {
  /// Returns the value of an attribute as a Swift value.
  ///
  /// ```swift
  /// let title = try track.value("title", as: String.self)
  /// let rating = try track.value("rating", as: Int?.self)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The attribute's name.
  ///   - type: The type to convert to. If the attribute may be nil, pass an optional type: without a value, any other
  ///     type is an error.
  public func value<Result: ValueConvertible>(_ name: String, as type: Result.Type) throws -> Result {
    let value: Value = try value(forKey: name)
    guard let result = Result(storedValue: value) else {
      throw value.isNull
        ? ObjectMistake.noValue(name, object: description).diagnostic
        : ObjectMistake.otherSwiftType(name, object: description, expected: "\(type)", found: value).diagnostic
    }
    return result
  }

  /// Sets the value of an attribute to a Swift value, or to nil.
  ///
  /// ```swift
  /// try track.set("addedAt", to: Date())
  /// ```
  ///
  /// - Parameters:
  ///   - name: The attribute's name.
  ///   - value: The new value.
  public func set(_ name: String, to value: (some ValueConvertible)?) throws {
    try setValue(value?.storedValue ?? .null, forKey: name)
  }
}
