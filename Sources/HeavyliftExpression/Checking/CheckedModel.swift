import HeavyliftModel

/// A model, indexed for looking up keys.
struct CheckedModel: Sendable {
  private let index: ModelIndex

  init(index: ModelIndex) { self.index = index }

  var entityNames: [String] { index.entityNames }

  func hasEntity(_ name: String) -> Bool { index.entity(named: name) != nil }

  /// Returns the entity's own or inherited property.
  func property(_ name: String, of entity: String) -> PropertyReference? {
    index.entity(named: entity).flatMap { index.property(named: name, of: $0)?.property }
  }

  func propertyNames(of entity: String) -> [String] {
    index.entity(named: entity).map { index.propertyNames(of: $0) } ?? []
  }

  func composite(_ name: String) -> CompositeDescription? { index.model.composite(named: name) }

  /// Returns a sub-entity that has the property.
  func subentity(of entity: String, having property: String) -> String? {
    guard let number = index.entity(named: entity) else { return nil }
    return index.entityAndSubentities(of: number).dropFirst().first { index.property(named: property, of: $0) != nil }
      .map { index.model.entities[$0].name }
  }

  /// Returns the nearest common ancestor of two entities, which may be one of them.
  func commonEntity(_ left: String, _ right: String) -> String? {
    let others = Set(lineage(of: right))
    return lineage(of: left).first { others.contains($0) }
  }

  /// Returns true if an object can belong to both entities.
  func areRelated(_ left: String, _ right: String) -> Bool {
    guard let one = index.entity(named: left), let other = index.entity(named: right) else { return true }
    return index.areRelated(one, other)
  }

  /// Returns true if the model has all ancestors of an entity; if one is missing, the model check reports it.
  func isComplete(_ entity: String) -> Bool {
    guard let number = lineage(of: entity).last.flatMap({ index.entity(named: $0) }) else { return false }
    return index.model.entities[number].superentityName == nil
  }

  private func lineage(of entity: String) -> [String] {
    var names: [String] = []
    var seen: Set<String> = []
    var next: String? = entity
    while let name = next, seen.insert(name).inserted, let number = index.entity(named: name) {
      names.append(name)
      next = index.model.entities[number].superentityName
    }
    return names
  }
}
