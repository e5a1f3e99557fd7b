public import HeavyliftExpression

/// What one destination property gets, and why.
public struct CompletePropertyMapping: Hashable, Sendable {
  /// Attribute or relationship.
  public let kind: PropertyMappingDescription.Kind
  /// Of the destination property.
  public let name: String
  /// Nil for no value: an attribute keeps its default, a relationship stays empty.
  public let valueExpression: MappingExpression?
  /// Who says so.
  public let origin: PropertyMappingOrigin
  /// What the mapping tells its policy of the property.
  public let userInfo: [String: String]
  /// True if an object that several others lead to may stay with the last of them: `shared="last"`.
  public let leavesSharedToLast: Bool
  /// Of the property mapping, if the property is mentioned.
  public let markup: MappingMarkup?

  init(
    _ kind: PropertyMappingDescription.Kind, name: String, _ valueExpression: MappingExpression?,
    _ origin: PropertyMappingOrigin, written: PropertyMappingDescription?
  ) {
    self.kind = kind
    self.name = name
    self.valueExpression = valueExpression
    self.origin = origin
    userInfo = written?.userInfo ?? [:]
    leavesSharedToLast = written?.leavesSharedToLast ?? false
    markup = written?.markup
  }
}
