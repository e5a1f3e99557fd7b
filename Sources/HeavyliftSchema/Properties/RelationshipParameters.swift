import HeavyliftModel

/// The parameters of a relationship that do not depend on its type.
struct RelationshipParameters: Sendable {
  var name: String?
  var deleteRule = DeleteRule.nullify
  var minimumCount = 0
  var maximumCount = 0
  var originalName: String?
  var inverse: @Sendable () -> AnyKeyPath? = { nil }
  var inverseName: String?
  var hasInverse = true
  var isOptional: Bool?
  var isOrdered: Bool?
  var hashModifier: String?
  var userInfo: [String: String] = [:]
}
