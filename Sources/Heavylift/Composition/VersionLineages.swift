import HeavyliftMapping
import HeavyliftModel

/// How the entities and properties of consecutive versions succeed each other.
package final class VersionLineages {
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

  package init(_ models: [ManagedObjectModel]) {
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

extension VersionLineages {
  /// A property of an entity of a version. The property is an index into the entity's properties.
  struct Place: Hashable {
    var version: Int
    var entity: Int
    var property: Int
  }

  func place(_ name: String, of entity: Int, in version: Int) -> Place? {
    properties(of: entity, in: version).firstIndex { $0.name == name }.map {
      Place(version: version, entity: entity, property: $0)
    }
  }

  func reference(_ place: Place) -> PropertyReference {
    properties(of: place.entity, in: place.version)[place.property]
  }

  func attribute(_ place: Place) -> AttributeDescription? {
    if case .attribute(let attribute) = reference(place) { attribute } else { nil }
  }

  /// The property in words.
  func shown(_ place: Place) -> String {
    let reference = reference(place)
    let entity = models[place.version].entities[place.entity].name
    return "\(reference.kind) \(reference.name.quotedName) of entity \(entity.quotedName)"
  }

  /// Returns what the property was in the version before; `nil` if it is new, or computed.
  func predecessor(of place: Place) -> Place? {
    guard place.version > 0,
      let entity = predecessor(ofEntity: place.entity, in: place.version, from: place.version - 1),
      let property = predecessor(
        of: place.property, ofEntity: place.entity, in: place.version, from: entity, in: place.version - 1)
    else { return nil }
    return Place(version: place.version - 1, entity: entity, property: property)
  }

  /// Returns what becomes of the property in the next version; `nil` if it is removed, alone or with its entity.
  func successor(of place: Place) -> Place? {
    guard place.version + 1 < models.count,
      let entity = successor(ofEntity: place.entity, in: place.version, to: place.version + 1)
    else { return nil }
    let news = properties(of: entity, in: place.version + 1).indices
    return news.lazy.map { Place(version: place.version + 1, entity: entity, property: $0) }
      .first { predecessor(of: $0) == place }
  }

  /// Returns the entity of a version that an entity of a later version was; `nil` if it is new.
  func origin(ofEntity entity: Int, in version: Int, _ first: Int) -> Int? {
    lineage(ofEntity: entity, first...version)[0]
  }

  /// Returns the first place, in a version or later, of the property.
  func origin(of place: Place, _ first: Int) -> Place {
    var place = place
    while place.version > first, let older = predecessor(of: place) { place = older }
    return place
  }

  /// Returns the names that an entity and a property have in an earlier version; `nil` if one of them is new since then.
  func names(
    of property: String?, _ entity: String, in version: Int, _ first: Int
  ) -> (entity: String, property: String?)? {
    guard let number = index(version).entity(named: entity), let old = origin(ofEntity: number, in: version, first)
    else { return nil }
    let name = models[first].entities[old].name
    guard let property else { return (name, nil) }
    // The path of an element starts with the name of its composite.
    let keys = property.split(separator: ".", maxSplits: 1)
    guard let place = place(String(keys[0]), of: number, in: version) else { return nil }
    let origin = origin(of: place, first)
    guard origin.version == first else { return nil }
    return (name, ([reference(origin).name] + keys.dropFirst().map(String.init)).joined(separator: "."))
  }

  /// True if the objects of an entity are not removed by a later version.
  func survives(_ entity: String, from version: Int, to last: Int) -> Bool {
    var place = index(version).entity(named: entity)
    for version in version..<last { place = place.flatMap { successor(ofEntity: $0, in: version, to: version + 1) } }
    return place != nil
  }
}

extension VersionLineages {
  /// A value that an attribute gets where it has none, and the version whose default that is.
  struct Fallback {
    var value: Value
    var version: Int?
  }

  /// Returns what the entities and properties of the last version were in the first one.
  func succession(_ versions: ClosedRange<Int>) -> Succession {
    let last = versions.upperBound
    var succession = Succession(entities: [], properties: [], fallbacks: [:])
    for entity in models[last].entities.indices {
      let line = lineage(ofEntity: entity, versions)
      let members = line.compactMap(\.self)
      succession.entities.append(line[0])
      succession.properties.append([])
      guard members.count == versions.count else { continue }
      for (property, reference) in properties(of: entity, in: last).enumerated() {
        succession.properties[entity].append(lineage(ofProperty: property, members, versions)[0])
        if let fallback = otherFallback(ofProperty: property, members, versions)?.fallback {
          succession.fallbacks[entity, default: [:]][reference.name] = fallback.value
        }
      }
    }
    return succession
  }

  /// Returns what a stored attribute gets where it has no value, if the versions in between make it something else than
  /// the first and the last version alone would (`direct`); nil otherwise.
  ///
  /// - Parameters:
  ///   - property: An index into the properties of the last entity.
  ///   - entities: The entity in each version.
  func otherFallback(ofProperty property: Int, _ entities: [Int], _ versions: ClosedRange<Int>) -> (
    fallback: Fallback, direct: Value
  )? {
    let line = lineage(ofProperty: property, entities, versions)
    if let start = line.firstIndex(where: { $0 != nil }), start > 0, let added = line[start] {
      // The hop that adds the attribute computes its value.
      let version = versions.lowerBound + start
      let name = properties(of: entities[start], in: version)[added].name
      if computed(entities[start], in: version)[name] != nil { return nil }
    }
    let values = attributes(line, entities, versions)
    guard let target = values[values.count - 1], !target.isTransient, !target.isDerived else { return nil }
    var fallback = Self.fallback(values)
    let direct = Self.fallback([values[0], target]).value
    guard fallback.value != direct else { return nil }
    fallback.version = fallback.version.map { versions.lowerBound + $0 }
    return (fallback, direct)
  }

  /// The attribute in each version; nil before the version that adds it, and for other properties.
  private func attributes(
    _ line: [Int?], _ entities: [Int], _ versions: ClosedRange<Int>
  ) -> [AttributeDescription?] {
    line.enumerated().map { place, property in
      guard let property,
        case .attribute(let attribute) = properties(of: entities[place], in: versions.lowerBound + place)[property]
      else { return nil }
      return attribute
    }
  }

  /// Returns the value that an object ends up with if it starts without one.
  private static func fallback(_ values: [AttributeDescription?]) -> Fallback {
    var fallback = Fallback(value: .null)
    for place in values.indices.dropFirst() {
      guard let attribute = values[place], fallback.value.isNull else { continue }
      // A new attribute starts with its default; an existing one gets it only when it becomes mandatory.
      let before = values[place - 1]
      if before == nil || before?.isOptional == true && !attribute.isOptional {
        fallback = Fallback(value: attribute.defaultValue, version: place)
      }
    }
    if fallback.value.isNull { fallback.version = nil }
    return fallback
  }
}
