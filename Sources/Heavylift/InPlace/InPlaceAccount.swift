import HeavyliftEngine
import HeavyliftModel
import HeavyliftStore

/// Accounts for the objects and links that a migration in place moves, changes or removes.
///
/// Only what the change touches is read. Nothing else can be lost.
struct InPlaceAccount {
  /// The links that the change removes, as a migration with a copy would report them: one entry for each relationship.
  let lostLinks: [MigrationReport.Links]
  private let reconciliation: LinkReconciliation
  private let links: LinkReconciliation.SourceLinks
  private let keepsObjects: Bool
  /// The keys that the new version should have, in the tables that rows leave or come to.
  private let expected: [String: [Int64: KeySet]]

  /// Reads the store before the change.
  init(_ stores: MappedStores, _ sourceKeys: SourceKeys, _ change: InPlaceChange) throws {
    let tables = Set(change.statements.filter(\.effect.movesObjects).map(\.table))
    var expected: [String: [Int64: KeySet]] = [:]
    for (mappingIndex, mapping) in stores.mappings.enumerated() {
      guard let entity = stores.destination.layout.entity(named: mapping.destinationEntityName),
        mapping.sourceEntityName != nil, tables.contains(entity.tableName)
      else { continue }
      let keys = try sourceKeys.taken(by: mappingIndex)
      expected[entity.tableName, default: [:]][Int64(entity.number)] = keys.count > 0 ? keys : nil
    }
    self.expected = expected
    let removed = change.removedObjects.filter { $0.value > 0 }.keys
    keepsObjects = removed.isEmpty
    let mapped = LinkReconciliation(stores, keys: [:])
    let losing = mapped.endsLosing(objectsOf: Array(removed))
    let ends =
      losing + mapped.ends { change.changesLinks($0, in: stores) }.filter { !losing.contains($0) }
    let model = stores.originalModels.source
    let entities = Set(
      ends.flatMap { end in
        [end.entity, model.relationship(end.name, of: end.entity)?.destinationEntityName].compactMap(\.self)
      })
    var keys: [Int: KeySet] = [:]
    for (mappingIndex, mapping) in stores.mappings.enumerated() where mapping.destinationEntityName != nil {
      guard let entity = model.entity(named: mapping.sourceEntityName),
        entities.contains(where: { model.entity(entity, isKindOf: $0) })
      else { continue }
      keys[mappingIndex] = try sourceKeys.taken(by: mappingIndex)
    }
    reconciliation = LinkReconciliation(stores, keys: keys)
    links = try reconciliation.read(ends)
    lostLinks = try reconciliation.links(of: losing, links).filter { $0.dropped > 0 }
  }

  /// Throws `HopError` if objects or links are missing after the change, or if there are too many.
  func check(_ new: PersistentStore) throws {
    for (table, wanted) in expected.sorted(by: { $0.key < $1.key }) {
      let held = try new.keysByNumber(inTable: table)
      guard held != wanted else { continue }
      func count(_ keys: [Int64: KeySet]) -> Int { keys.values.reduce(0) { $0 + $1.count } }
      throw HopError(
        .migration,
        problem: "table \(table.quotedName) should have the same \(count(wanted).counted(as: "object")) as before the "
          + "change, but it has \(count(held).grouped), or others",
        remedy: LinkReconciliation.remedyInPlace)
    }
    try reconciliation.check(links, in: new, keepsObjects: keepsObjects)
  }
}

extension InPlaceEffect {
  /// True if rows may become objects of another entity, or disappear.
  fileprivate var movesObjects: Bool { [.movesRows, .removesRows, .renumbersRows].contains(self) }
}

extension InPlaceChange {
  /// True if the change may write or remove links of a relationship of the new version.
  fileprivate func changesLinks(_ end: RelationshipEnd, in stores: MappedStores) -> Bool {
    let model = stores.destinationModel
    return stores.mappings.compactMap { model.entity(named: $0.destinationEntityName) }.contains { entity in
      model.entity(entity, isKindOf: end.entity) && untouched[entity.name]?.contains(end.name) != true
    }
  }
}
