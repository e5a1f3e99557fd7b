import HeavyliftModel

/// The source properties whose values go nowhere, though the mapping does not drop them by name.
struct UnreadProperties {
  private let mapping: MappingIndex
  private let reads: SourceReads
  private let coverage: EntityCoverage

  init(_ mapping: MappingIndex) {
    self.mapping = mapping
    reads = SourceReads(mapping)
    coverage = EntityCoverage(mapping)
  }

  /// Of a source entity that is mapped, in order of name; none where code may read them.
  func properties(of entity: Int) -> [PropertyReference] {
    guard !reads.handedOver.contains(entity) else { return [] }
    let dropped = Set(mapping.mappings(from: entity).flatMap { $0.description.droppedProperties.map(\.name) })
    return mapping.source.properties(of: entity).filter { property in
      switch property {
      case .fetched: return false
      case .attribute(let attribute): if attribute.isTransient || attribute.isDerived { return false }
      case .relationship(let relationship):
        if relationship.isTransient { return false }
        // It goes with its objects, and that is told.
        if let other = mapping.source.entity(named: relationship.destinationEntityName),
          coverage.isRemovedOrDropped(other)
        {
          return false
        }
      }
      return !dropped.contains(property.name) && !reads.isRead(property, of: entity)
    }
  }
}
