import HeavyliftModel
import HeavyliftStore

/// Counts the links that a migration in place removes, as a migration with a copy would report them.
///
/// Only relationships that lose links are read: those that are removed, and those of objects that are removed.
struct InPlaceLinkLosses {
  private let stores: MappedStores
  private let removed: [String]

  /// - Parameter removed: The source entities whose objects are removed.
  init(_ stores: MappedStores, removed: some Sequence<String>) {
    (self.stores, self.removed) = (stores, Array(removed))
  }

  /// One entry for each relationship that loses links.
  func links() throws -> [MigrationReport.Links] {
    let ends = LinkReconciliation(stores, keys: [:]).endsLosing(objectsOf: removed)
    guard !ends.isEmpty else { return [] }
    let model = stores.originalModels.source
    let entities = Set(
      ends.flatMap { end in
        [end.entity, model.relationship(end.name, of: end.entity)?.destinationEntityName].compactMap(\.self)
      })
    var keys: [Int: KeySet] = [:]
    for (place, mapping) in stores.mappings.enumerated() where mapping.destinationEntityName != nil {
      guard let entity = model.entity(named: mapping.sourceEntityName),
        entities.contains(where: { model.entity(entity, isKindOf: $0) })
      else { continue }
      keys[place] = try stores.sourceKeys(of: place)
    }
    return try LinkReconciliation(stores, keys: keys).links(of: ends).filter { $0.dropped > 0 }
  }
}

extension MappedStores {
  /// Returns the keys of all objects of an entity mapping's source entity.
  func sourceKeys(of mappingIndex: Int) throws -> KeySet {
    var keys = KeySet()
    guard let entity = mappings[mappingIndex].sourceEntityName else { return keys }
    try sourceStore.forEachKey(ofEntity: entity) { keys.insert($0) }
    return keys
  }
}
