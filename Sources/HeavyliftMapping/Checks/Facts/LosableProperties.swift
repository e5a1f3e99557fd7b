import HeavyliftModel

/// Properties of source entities whose values are lost if no mapping reads them.
struct LosableProperties: Sendable {
  let source: ModelIndex
  let coverage: EntityCoverage

  /// The stored properties of an entity, sorted by name, without relationships to objects that are not migrated.
  func properties(of entity: Int) -> [PropertyReference] { source.properties(of: entity).filter(contains) }

  func contains(_ property: PropertyReference) -> Bool {
    switch property {
    case .fetched: return false
    case .attribute(let attribute): return !attribute.isTransient && !attribute.isRecomputed
    case .relationship(let relationship):
      if relationship.isTransient { return false }
      // The relationship is lost together with its objects, and their loss is reported separately.
      let other = source.entity(named: relationship.destinationEntityName)
      return other.map { !coverage.isRemovedOrDropped($0) } ?? true
    }
  }
}
