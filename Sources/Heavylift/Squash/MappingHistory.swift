import HeavyliftMapping
import HeavyliftModel

/// The versions in which the lines of a squashed mapping have their origin, as comments for its reviewers.
struct MappingHistory {
  private let parts: [MigrationHop]
  private let lineages: VersionLineages
  private let versions: ClosedRange<Int>
  private var first: Int { versions.lowerBound }
  private var last: Int { versions.upperBound }

  init(_ composed: HopComposition.Composed) {
    (parts, lineages, versions) = (composed.hop.parts, composed.lineages, composed.versions)
  }

  func comment(on mapping: inout MappingModel) {
    mapping.markup.comments = lines.map { " \($0) " }
    for place in mapping.entityMappings.indices { comment(on: &mapping.entityMappings[place]) }
  }

  private func title(_ version: Int) -> String { "'\(lineages.models[version].title)'" }

  private func renamed(in versions: [Int]) -> [String] {
    versions.isEmpty ? [] : [" renamed in \(versions.map(title).joined(separator: ", ")) "]
  }

  /// The hops that the mapping replaces.
  private var lines: [String] {
    let written = parts.filter { $0.origin != .inferred }.map { "\($0.title), \($0.reason)" }
    return [
      "\(title(first)) → \(title(last)) in one hop instead of \(parts.count), written by 'heavylift squash'"
        + (written.isEmpty ? "" : ". Includes:")
    ] + written.map { "  \($0)" }
  }

  private func comment(on mapping: inout EntityMappingDescription) {
    let old = lineages.index(first).entity(named: mapping.sourceEntityName)
    guard let new = lineages.index(last).entity(named: mapping.destinationEntityName) else {
      if let old, let end = end(ofEntity: old) { mapping.markup.comments = [" removed in \(title(end)) "] }
      return
    }
    guard let old else { return }
    mapping.markup.comments += renamed(in: renamings(ofEntity: new))
    for place in mapping.propertyMappings.indices {
      guard let own = lineages.place(mapping.propertyMappings[place].name, of: new, in: last) else { continue }
      mapping.propertyMappings[place].markup.comments += comments(on: own)
    }
    for place in mapping.droppedProperties.indices {
      guard let own = lineages.place(mapping.droppedProperties[place].name, of: old, in: first), let end = end(of: own)
      else { continue }
      mapping.droppedProperties[place].markup.comments = [" removed in \(title(end)) "]
    }
  }

  // MARK: Properties

  private func comments(on property: VersionLineages.Place) -> [String] {
    var (place, renamings) = (property, [Int]())
    while place.version > first, let older = lineages.predecessor(of: place) {
      if lineages.reference(older).name != lineages.reference(place).name { renamings.insert(place.version, at: 0) }
      place = older
    }
    if let value = lineages.computed(place.entity, in: place.version)[lineages.reference(place).name],
      place.version > first
    {
      return value.markup.comments + [" computed in \(title(place.version)) "]
    }
    if place.version > first {
      let entities = lineages.lineage(ofEntity: property.entity, versions).compactMap(\.self)
      let isStated =
        entities.count == versions.count
        && lineages.otherFallback(ofProperty: property.property, entities, versions) != nil
      return isStated ? [" the default in \(title(place.version)) "] : []
    }
    return renamed(in: renamings)
  }

  /// The version that no longer has a property of the first one.
  private func end(of property: VersionLineages.Place) -> Int? {
    var place = property
    while place.version < last {
      guard let next = lineages.successor(of: place) else { return place.version + 1 }
      place = next
    }
    return nil
  }

  // MARK: Entities

  private func renamings(ofEntity entity: Int) -> [Int] {
    let line = zip(versions, lineages.lineage(ofEntity: entity, versions)).map { version, entity in
      entity.map { lineages.models[version].entities[$0].name }
    }
    return zip(versions.dropFirst(), zip(line, line.dropFirst())).filter { $0.1.0 != nil && $0.1.0 != $0.1.1 }.map(\.0)
  }

  private func end(ofEntity entity: Int) -> Int? {
    var owner = entity
    for version in versions.dropLast() {
      guard let next = lineages.successor(ofEntity: owner, in: version, to: version + 1) else { return version + 1 }
      owner = next
    }
    return nil
  }
}
