import HeavyliftExpression

/// The value of one destination property, and the reason for it.
package struct CompletePropertyMapping: Hashable, Sendable {
  /// The kind of property: attribute or relationship.
  package let kind: PropertyMappingDescription.Kind
  /// The name of the destination property.
  package let name: String
  /// The expression for the value; nil for no value: an attribute keeps its default, a relationship stays empty.
  package let valueExpression: MappingExpression?
  /// The reason for the value.
  package let origin: PropertyMappingOrigin
  /// User info about the property for the policy.
  package let userInfo: [String: String]
  /// True if the last of several owners may keep a shared target: `shared="last"`.
  package let leavesSharedToLast: Bool
  /// The markup of the property mapping; nil if the property is not mentioned in the file.
  package let markup: MappingMarkup?

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
