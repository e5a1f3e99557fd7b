import HeavyliftModel

/// The `<drop>` elements of all entity mappings.
struct DroppedProperties: Sendable {
  private let source: ModelIndex
  /// By source entity.
  private let elements: [Int: [DroppedProperty]]

  init(_ mappings: [EntityMappingFact], _ source: ModelIndex) {
    self.source = source
    var elements: [Int: [DroppedProperty]] = [:]
    for mapping in mappings {
      if let entity = mapping.source { elements[entity, default: []] += mapping.description.droppedProperties }
    }
    self.elements = elements
  }

  /// Returns true if an entity mapping of the entity itself drops the property.
  func contains(_ name: String, of entity: Int) -> Bool { elements[entity]?.contains { $0.covers(name) } ?? false }

  /// Returns true if the property is dropped for the entity or for one of its ancestors.
  func contains(_ name: String, ofEntityOrAncestor entity: Int) -> Bool {
    contains(name, of: entity)
      || !elements.isEmpty && source.ancestors(of: entity).contains { contains(name, of: $0) }
  }
}

extension ModelIndex {
  /// The ancestors of an entity, nearest first.
  func ancestors(of entity: Int) -> [Int] {
    let entities = model.entities
    return sequence(first: entity) { self.entity(named: entities[$0].superentityName) }.dropFirst().prefix(100).map(
      \.self)
  }
}
