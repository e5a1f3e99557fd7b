import HeavyliftModel
import HeavyliftStore

/// Counts the links that a migration in place removes, as a migration with a copy would report them.
///
/// Only relationships that lose links are read: those that are removed, and those of objects that are removed.
struct InPlaceLinkLosses {
  private let planner: MigrationPlanner
  private let store: PersistentStore
  private let removed: [String]

  /// - Parameter removed: The source entities whose objects are removed.
  init(_ planner: MigrationPlanner, removed: some Sequence<String>) {
    (self.planner, self.removed) = (planner, Array(removed))
    store = planner.sourceStore
  }

  /// One entry for each relationship that loses links.
  func links() throws -> [MigrationReport.Links] {
    let ends = LinkReconciliation(planner, keys: [:], isDeclarative: true).endsLosing(objectsOf: removed)
    guard !ends.isEmpty else { return [] }
    let model = planner.models.source
    let entities = Set(
      ends.flatMap { end in
        [end.entity, model.relationship(end.name, of: end.entity)?.destinationEntityName].compactMap(\.self)
      })
    var keys: [Int: KeySet] = [:]
    for (place, mapping) in planner.mappings.enumerated() where mapping.destinationEntityName != nil {
      guard let name = mapping.sourceEntityName, let entity = model.entity(named: name),
        entities.contains(where: { model.entity(entity, isKindOf: $0) })
      else { continue }
      var own = KeySet()
      try store.forEachKey(ofEntity: name) { own.insert($0) }
      keys[place] = own
    }
    return try LinkReconciliation(planner, keys: keys, isDeclarative: true).links(of: ends).filter { $0.dropped > 0 }
  }
}
