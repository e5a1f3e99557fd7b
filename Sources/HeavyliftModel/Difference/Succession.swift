/// What the entities and properties of a version were in an earlier one, as the versions between the two say.
///
/// Between neighboring versions, names and renaming identifiers decide, and no succession is needed. Across several
/// versions, they may mislead: a property may have been renamed twice, or removed and added again.
package struct Succession: Hashable, Sendable {
  /// The old counterpart of each entity.
  package var entities: [Int?]
  /// The old counterpart of each property of each entity; empty for a new entity. The numbers are those of the indexes'
  /// `properties(of:)`.
  package var properties: [[Int?]]
  /// What attributes have that had no value, by entity and name; for other attributes, their default if they are new or
  /// become mandatory, or else nothing.
  package var fallbacks: [Int: [String: Value]]

  package init(entities: [Int?], properties: [[Int?]], fallbacks: [Int: [String: Value]]) {
    self.entities = entities
    self.properties = properties
    self.fallbacks = fallbacks
  }

  /// The same text for the same succession, in each process.
  package var text: String {
    let values = fallbacks.flatMap { entity, values in values.map { "\(entity) \($0) \($1)" } }
    return "\(entities) \(properties) \(values.sorted())"
  }
}
