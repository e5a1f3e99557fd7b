import HeavyliftModel

/// The source properties whose values go nowhere, though the mapping does not drop them by name.
struct UnreadProperties {
  private let mapping: MappingIndex
  private let reads: SourceReads
  private let losable: LosableProperties

  init(_ mapping: MappingIndex) {
    self.mapping = mapping
    reads = SourceReads(mapping)
    losable = LosableProperties(mapping)
  }

  /// Of a source entity that is mapped, in order of name; none where code may read them.
  func properties(of entity: Int) -> [PropertyReference] {
    guard !reads.handedOver.contains(entity) else { return [] }
    let dropped = Set(mapping.mappings(from: entity).flatMap { $0.description.droppedProperties.map(\.name) })
    // A property that is read for objects of a related entity is reported as partly lost.
    return losable.properties(of: entity).filter {
      !dropped.contains($0.name) && !reads.isRead($0, of: entity) && !reads.isReadElsewhere($0, of: entity)
    }
  }
}
