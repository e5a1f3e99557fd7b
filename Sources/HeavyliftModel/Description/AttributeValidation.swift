/// The conditions that an attribute's value must meet before it can be saved.
public struct AttributeValidation: Hashable, Sendable {
  /// The smallest number or earliest date.
  public var minimum: Value
  /// The largest number or latest date.
  public var maximum: Value
  /// The minimum length of a string, in UTF-16 code units as in Core Data.
  public var minimumLength: Int?
  /// The maximum length of a string, in UTF-16 code units as in Core Data.
  public var maximumLength: Int?
  /// An ICU regular expression that the whole string must match.
  public var regularExpression: String?

  /// Creates validation conditions. Without arguments, they accept every value.
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
