import HeavyliftModel

/// Source properties that are not migrated and not dropped by name.
struct UnreadProperties: Sendable {
  private let reads: SourceReads
  private let losable: LosableProperties
  private let drops: DroppedProperties

  init(_ facts: MappingFacts) { (reads, losable, drops) = (facts.reads, facts.losable, facts.drops) }

  /// Returns the unread properties of a mapped source entity, sorted by name; empty if code may read them.
  func properties(of entity: Int) -> [PropertyReference] {
    guard !reads.handedOver.contains(entity) else { return [] }
    // A property that is read from objects of a related entity is reported as partly lost.
    return losable.properties(of: entity).flatMap { reads.parts(of: $0, entity: entity) }.filter { part in
      !drops.contains(part.name, of: entity) && !reads.isRead(part, of: entity)
        && !reads.isReadElsewhere(part, of: entity)
    }
  }
}
