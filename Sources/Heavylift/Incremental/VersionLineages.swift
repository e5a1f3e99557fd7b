import HeavyliftModel

/// How the entities and properties of consecutive versions succeed each other.
///
/// Each pair of versions is matched once, however often the answer is asked for.
final class VersionLineages {
  /// A pair of versions; both are indexes into `models`.
  private struct Step: Hashable {
    var old: Int
    var new: Int
  }

  private struct EntityStep: Hashable {
    var step: Step
    var old: Int
    var new: Int
  }

  private struct Entity: Hashable {
    var version: Int
    var entity: Int
  }

  let models: [ManagedObjectModel]
  private let indexes: [ModelIndex]
  private var entities: [Step: [Int?]] = [:]
  private var properties: [EntityStep: [Int?]] = [:]
  private var lists: [Entity: [PropertyReference]] = [:]

  init(_ models: [ManagedObjectModel]) {
    self.models = models
    indexes = models.map(ModelIndex.init)
  }

  /// The version's name in messages.
  func name(_ version: Int) -> String { (models[version].name ?? "version \(version + 1)").quotedName }

  /// The own and inherited properties of an entity, sorted by name.
  func properties(of entity: Int, in version: Int) -> [PropertyReference] {
    let key = Entity(version: version, entity: entity)
    if let list = lists[key] { return list }
    let list = indexes[version].properties(of: entity)
    lists[key] = list
    return list
  }

  func index(_ version: Int) -> ModelIndex { indexes[version] }

  /// Returns the entity of an earlier version that becomes the given one, without regard to the versions in between.
  func predecessor(ofEntity entity: Int, in version: Int, from earlier: Int) -> Int? {
    let step = Step(old: earlier, new: version)
    if let known = entities[step] { return known[entity] }
    func things(_ model: ManagedObjectModel) -> [RenamingMatch.Thing] {
      model.entities.map { RenamingMatch.Thing(name: $0.name, identifier: $0.renamingIdentifier) }
    }
    let match = RenamingMatch(old: things(models[earlier]), new: things(models[version]))
    let found = match.predecessors(count: models[version].entities.count)
    entities[step] = found
    return found[entity]
  }

  /// Returns what an entity becomes in the next version; `nil` if it is removed.
  func successor(ofEntity entity: Int, in version: Int, to next: Int) -> Int? {
    models[next].entities.indices.first { predecessor(ofEntity: $0, in: next, from: version) == entity }
  }

  /// Returns the property of an earlier version that becomes the given one, without regard to the versions in between.
  ///
  /// - Parameters:
  ///   - property: An index into the entity's properties.
  ///   - old: The entity of the earlier version that becomes the entity.
  func predecessor(of property: Int, ofEntity entity: Int, in version: Int, from old: Int, in earlier: Int) -> Int? {
    let step = EntityStep(step: Step(old: earlier, new: version), old: old, new: entity)
    if let known = properties[step] { return known[property] }
    let (olds, news) = (properties(of: old, in: earlier), properties(of: entity, in: version))
    let found =
      zip(olds, news).allSatisfy { $0.isNamesake(of: $1) } && olds.count == news.count
      ? Array(news.indices) : RenamingMatch(old: olds, new: news).predecessors(count: news.count)
    properties[step] = found
    return found[property]
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

extension RenamingMatch {
  /// The old counterpart of each new part.
  fileprivate func predecessors(count: Int) -> [Int?] {
    var olds = [Int?](repeating: nil, count: count)
    for case (let old?, let new?) in pairs { olds[new] = old }
    return olds
  }
}

extension PropertyReference {
  /// True for a property of the same kind with the same name and renaming identifier.
  fileprivate func isNamesake(of other: PropertyReference) -> Bool {
    let isOneKind =
      switch (self, other) {
      case (.attribute, .attribute), (.relationship, .relationship), (.fetched, .fetched): true
      default: false
      }
    return isOneKind && name == other.name && renamingIdentifier == other.renamingIdentifier
  }
}
