/// What a value of an attribute must satisfy before it is saved.
public struct AttributeValidation: Hashable, Sendable {
  /// The smallest number or earliest date.
  public var minimum: Value
  /// The largest number or latest date.
  public var maximum: Value
  /// The shortest text, in UTF-16 code units as Core Data counts.
  public var minimumLength: Int?
  /// The longest text, in UTF-16 code units as Core Data counts.
  public var maximumLength: Int?
  /// An ICU pattern that the whole text must match.
  public var regularExpression: String?

  /// Creates a validation; one without arguments accepts everything.
  public init(
    minimum: Value = .null, maximum: Value = .null, minimumLength: Int? = nil, maximumLength: Int? = nil,
    regularExpression: String? = nil
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.minimumLength = minimumLength
    self.maximumLength = maximumLength
    self.regularExpression = regularExpression
  }
}
