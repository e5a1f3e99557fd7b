import HeavyliftMapping
import HeavyliftModel

/// The versions in which the lines of a composed mapping have their origin, as comments for its reviewers.
struct MappingHistory {
  private let lineage: HopLineage
  private let values: ComputedValues

  init(_ lineage: HopLineage, _ values: ComputedValues) { (self.lineage, self.values) = (lineage, values) }

  func comment(on mapping: inout MappingModel) {
    mapping.markup.comments = lines.map { " \($0) " }
    for place in mapping.entityMappings.indices { comment(on: &mapping.entityMappings[place]) }
  }

  private func title(_ version: Int) -> String { "'\(lineage.indexes[version].model.title)'" }

  /// The hops that the mapping replaces.
  private var lines: [String] {
    let written = lineage.steps.filter { $0.hop.origin != .inferred }.map { "\($0.hop.title), \($0.hop.reason)" }
    let count = lineage.steps.count
    return [
      "\(title(0)) → \(title(lineage.last)) in one hop instead of \(count), written by 'heavylift squash'"
        + (written.isEmpty ? "" : ". Includes:")
    ] + written.map { "  \($0)" }
  }

  private func comment(on mapping: inout EntityMappingDescription) {
    let old = lineage.indexes[0].entity(named: mapping.sourceEntityName)
    guard let new = lineage.indexes[lineage.last].entity(named: mapping.destinationEntityName) else {
      if let old, let end = end(ofEntity: old) { mapping.markup.comments = [" removed in \(title(end)) "] }
      return
    }
    guard let old else { return }
    let names = renamings(ofEntity: new)
    if !names.isEmpty { mapping.markup.comments = [" renamed in \(names.map(title).joined(separator: ", ")) "] }
    for place in mapping.propertyMappings.indices {
      let property = mapping.propertyMappings[place]
      if let comment = comment(on: property, of: new) {
        mapping.propertyMappings[place].markup.comments = comment
      }
    }
    for place in mapping.droppedProperties.indices {
      guard let end = end(of: mapping.droppedProperties[place].name, of: old) else { continue }
      mapping.droppedProperties[place].markup.comments = [" removed in \(title(end)) "]
    }
  }

  // MARK: Properties

  private func comment(on property: PropertyMappingDescription, of entity: Int) -> [String]? {
    guard let number = lineage.number(property.name, of: entity, in: lineage.last) else { return nil }
    if lineage.computed[number] != nil {
      let origin = values.origin(of: property.name, of: entity)
      let step = lineage.steps[origin - 1]
      guard let (name, owner) = place(property.name, entity, in: origin) else { return nil }
      guard step.computed[owner]?.contains(name) == true else { return [" the default in \(title(origin)) "] }
      let author = step.mappings[owner]?.description.propertyMapping(named: name)?.markup.comments ?? []
      return author + [" computed in \(title(origin)) "]
    }
    var (name, owner, version) = (property.name, entity, lineage.last)
    var renamings: [Int] = []
    while let before = lineage.predecessor(of: name, ofEntity: owner, in: version),
      let previous = lineage.predecessor(of: owner, in: version)
    {
      if before != name { renamings.insert(version, at: 0) }
      (name, owner, version) = (before, previous, version - 1)
    }
    return renamings.isEmpty ? nil : [" renamed in \(renamings.map(title).joined(separator: ", ")) "]
  }

  /// The name and the entity that a property of the last version has in an earlier one.
  private func place(_ name: String, _ entity: Int, in version: Int) -> (name: String, entity: Int)? {
    var (name, owner) = (name, entity)
    for current in stride(from: lineage.last, to: version, by: -1) {
      guard let before = lineage.predecessor(of: name, ofEntity: owner, in: current),
        let previous = lineage.predecessor(of: owner, in: current)
      else { return nil }
      (name, owner) = (before, previous)
    }
    return (name, owner)
  }

  /// The version that no longer has a property of the first one.
  private func end(of name: String, of entity: Int) -> Int? {
    var (name, owner) = (name, entity)
    for (version, step) in lineage.steps.enumerated() {
      guard let next = step.predecessors.firstIndex(of: owner) else { return version + 1 }
      guard let later = step.properties[next]?.first(where: { $0.value == name })?.key else { return version + 1 }
      (name, owner) = (later, next)
    }
    return nil
  }

  // MARK: Entities

  private func renamings(ofEntity entity: Int) -> [Int] {
    var (owner, version) = (entity, lineage.last)
    var versions: [Int] = []
    while let previous = lineage.predecessor(of: owner, in: version) {
      let names = (
        lineage.indexes[version - 1].model.entities[previous].name, lineage.indexes[version].model.entities[owner].name
      )
      if names.0 != names.1 { versions.insert(version, at: 0) }
      (owner, version) = (previous, version - 1)
    }
    return versions
  }

  private func end(ofEntity entity: Int) -> Int? {
    var owner = entity
    for (version, step) in lineage.steps.enumerated() {
      guard let next = step.predecessors.firstIndex(of: owner) else { return version + 1 }
      owner = next
    }
    return nil
  }
}
