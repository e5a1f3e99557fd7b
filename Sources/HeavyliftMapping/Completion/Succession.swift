package import HeavyliftModel

/// What the entities and properties of a version were in an earlier one, as the versions between the two say.
///
/// Between neighboring versions, names and renaming identifiers decide, and no succession is needed. Across several
/// versions, they may mislead: a property may have been renamed twice, or removed and added again.
package struct Succession: Hashable, Sendable {
  /// The old name of each entity that existed, by its new name.
  package var entities: [String: String]
  /// The old name of each property that existed, by the new names of its entity and its own.
  package var properties: [String: [String: String]]
  /// What attributes have that had no value, by entity and name; for other attributes, their default if they are new or
  /// become mandatory, or else nothing.
  package var fallbacks: [String: [String: Value]]

  package init(
    entities: [String: String] = [:], properties: [String: [String: String]] = [:],
    fallbacks: [String: [String: Value]] = [:]
  ) {
    self.entities = entities
    self.properties = properties
    self.fallbacks = fallbacks
  }

  /// The same text for the same succession, in each process.
  package var text: String {
    let lines =
      entities.map { "\($0): \($1)" }
      + properties.flatMap { entity, names in names.map { "\(entity).\($0): \($1)" } }
      + fallbacks.flatMap { entity, values in values.map { "\(entity).\($0) = \($1)" } }
    return lines.sorted().joined(separator: "\n")
  }
}

extension MappingModel {
  /// Returns the pairs of properties that are the same ones in both versions of an entity.
  func counterparts(
    _ olds: [PropertyReference], _ news: [PropertyReference], of entity: String
  ) -> [(old: PropertyReference, new: PropertyReference)] {
    Succession.counterparts(olds, news, of: entity, succession).map { (olds[$0], news[$1]) }
  }
}

extension Succession {
  /// Returns the pairs of indexes of properties that are the same ones in both versions of an entity.
  static func counterparts(
    _ olds: [PropertyReference], _ news: [PropertyReference], of entity: String, _ succession: Succession?
  ) -> [(old: Int, new: Int)] {
    guard let succession else {
      return RenamingMatch(old: olds, new: news).pairs.compactMap { pair in
        if let old = pair.old, let new = pair.new { (old, new) } else { nil }
      }
    }
    let places = Dictionary(olds.indices.map { (olds[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
    return news.indices.compactMap { new in
      succession.properties[entity]?[news[new].name].flatMap { places[$0] }.map { ($0, new) }
    }
  }

  /// Returns the pairs of indexes of entities that are the same ones in both versions.
  static func counterparts(
    _ source: ModelIndex, _ destination: ModelIndex, _ succession: Succession?
  ) -> [(old: Int, new: Int)] {
    guard let succession else {
      let match = RenamingMatch(
        old: source.model.entities.map { RenamingMatch.Thing(name: $0.name, identifier: $0.renamingIdentifier) },
        new: destination.model.entities.map { RenamingMatch.Thing(name: $0.name, identifier: $0.renamingIdentifier) })
      return match.pairs.compactMap { pair in
        if let old = pair.old, let new = pair.new { (old, new) } else { nil }
      }
    }
    return destination.model.entities.indices.compactMap { new in
      source.entity(named: succession.entities[destination.model.entities[new].name]).map { ($0, new) }
    }
  }
}
