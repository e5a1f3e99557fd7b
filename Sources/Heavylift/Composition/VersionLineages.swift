import HeavyliftMapping
import HeavyliftModel

/// How the entities and properties of consecutive versions succeed each other.
final class VersionLineages {
  /// A pair of versions; both are indexes into `models`.
  private struct Step: Hashable {
    var old: Int
    var new: Int
  }

  let models: [ManagedObjectModel]
  private let indexes: [ModelIndex]
  private var pairs: [Step: ModelPair] = [:]
  /// The successions of hops, by the version that they start from. Between all others, names and renaming identifiers decide.
  private var successions: [Int: HopSuccession] = [:]

  init(_ models: [ManagedObjectModel]) {
    self.models = models
    indexes = models.map(ModelIndex.init)
  }

  convenience init(_ hops: [MigrationHop]) {
    self.init(hops.prefix(1).map(\.sourceModel) + hops.map(\.destinationModel))
  }

  /// Returns nil if a hop does more than copy objects and compute attributes.
  convenience init?(following hops: [MigrationHop]) {
    self.init(hops)
    for (version, hop) in hops.enumerated() {
      guard let succession = try? HopSuccession(hop) else { return nil }
      follow(succession, from: version)
    }
  }

  func follow(_ succession: HopSuccession, from version: Int) {
    successions[version] = succession
    pairs[Step(old: version, new: version + 1)] = succession.pair
  }

  /// The version's name in messages.
  func name(_ version: Int) -> String { (models[version].name ?? "version \(version + 1)").quotedName }

  func index(_ version: Int) -> ModelIndex { indexes[version] }

  /// The attributes of an entity that the hop to a version gives the value of an expression, by name.
  func computed(_ entity: Int, in version: Int) -> [String: PropertyMappingDescription] {
    successions[version - 1]?.computed[entity] ?? [:]
  }

  /// The entities of a version with attributes that the hop to it gives the value of an expression.
  func entitiesWithComputed(in version: Int) -> [Int] { successions[version - 1]?.computed.keys.sorted() ?? [] }

  /// The own and inherited properties of an entity, sorted by name.
  func properties(of entity: Int, in version: Int) -> [PropertyReference] { indexes[version].properties(of: entity) }

  private func pair(from earlier: Int, to version: Int) -> ModelPair {
    let step = Step(old: earlier, new: version)
    if let known = pairs[step] { return known }
    let pair = ModelPair(from: models[earlier], to: models[version])
    pairs[step] = pair
    return pair
  }

  /// Returns the entity of an earlier version that becomes the given one, without regard to the versions in between.
  func predecessor(ofEntity entity: Int, in version: Int, from earlier: Int) -> Int? {
    pair(from: earlier, to: version).predecessors[entity]
  }

  /// Returns what an entity becomes in a later version, without regard to the versions in between; `nil` if it is removed.
  func successor(ofEntity entity: Int, in version: Int, to later: Int) -> Int? {
    pair(from: version, to: later).successors[entity]
  }

  /// Returns the property of an earlier version that becomes the given one, without regard to the versions in between.
  ///
  /// - Parameters:
  ///   - property: An index into the entity's properties.
  ///   - old: The entity of the earlier version that becomes the entity.
  func predecessor(of property: Int, ofEntity entity: Int, in version: Int, from old: Int, in earlier: Int) -> Int? {
    pair(from: earlier, to: version).match(old, entity).olds[property]
  }

  /// Returns the entity that becomes the given one of the last version, for each version of a range; `nil` for versions
  /// before the one that added it.
  func lineage(ofEntity entity: Int, _ versions: ClosedRange<Int>) -> [Int?] {
    var line = [Int?](repeating: nil, count: versions.count)
    line[versions.count - 1] = entity
    for place in (0..<versions.count - 1).reversed() {
      guard let next = line[place + 1] else { break }
      line[place] = predecessor(
        ofEntity: next, in: versions.lowerBound + place + 1, from: versions.lowerBound + place)
    }
    return line
  }

  /// Returns the property that becomes the given one of the last version, for each version of a range; `nil` for versions
  /// before the one that added it.
  ///
  /// - Parameters:
  ///   - property: An index into the properties of the last entity.
  ///   - entities: The entity in each version.
  func lineage(ofProperty property: Int, _ entities: [Int?], _ versions: ClosedRange<Int>) -> [Int?] {
    var line = [Int?](repeating: nil, count: versions.count)
    line[versions.count - 1] = property
    for place in (0..<versions.count - 1).reversed() {
      guard let next = line[place + 1], let entity = entities[place + 1], let old = entities[place] else { break }
      line[place] = predecessor(
        of: next, ofEntity: entity, in: versions.lowerBound + place + 1, from: old, in: versions.lowerBound + place)
    }
    return line
  }
}
