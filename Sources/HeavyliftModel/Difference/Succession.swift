/// The counterparts of entities and properties in an earlier version, as the versions between the two say.
///
/// Between neighboring versions, names and renaming identifiers decide, and no succession is needed. Across several
/// versions, they may mislead: a property may have been renamed twice, or removed and added again.
package struct Succession: Hashable, Sendable {
  /// The old counterpart of each entity.
  package var entities: [Int?]
  /// The old counterpart of each property of each entity; empty for a new entity. The numbers are those of the indexes'
  /// `properties(of:)`.
  package var properties: [[Int?]]
  /// The values of attributes that had none, by entity and name. Other attributes get their default if they are new or
  /// become mandatory.
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
