import HeavyliftModel
import HeavyliftStore

extension SourceSurvey {
  /// Throws if the source has more links than the destination can hold, because an end that is to-many in the source is
  /// to-one in the destination.
  ///
  /// Skips entity mappings with a policy, which may handle such links. Also skips filters that SQL cannot evaluate; the
  /// reconciliation counts their links.
  func checkSharedTargets() throws {
    let contributions = LinkContributions(stores)
    for (end, own) in contributions.all.sorted(by: { ($0.key.entity, $0.key.name) < ($1.key.entity, $1.key.name) }) {
      for carrier in Set(own.map(\.carrier)).sorted(by: { ($0.entity, $0.name) < ($1.entity, $1.name) }) {
        let parts = own.filter { $0.carrier == carrier }
        let limits = Set(parts.map(\.limitsTargets))
        guard limits.count == 1, let limitsTargets = limits.first ?? nil, mayShare(end, targets: limitsTargets),
          !parts.allSatisfy(\.leavesSharedToLast),
          !parts.contains(where: { contributions.isDecided(carrier, besides: $0.settingEnd) })
        else { continue }
        let mappingIndexes = Set(parts.flatMap { $0.owners.union($0.targets) })
        guard mappingIndexes.allSatisfy({ stores.mappings[$0].policyClassName == nil }),
          let owners = takenKeys(Set(parts.flatMap(\.owners))),
          let targets = takenKeys(Set(parts.flatMap(\.targets)))
        else { continue }
        let shared = try SharedTargets(
          of: end, in: stores.sourceStore, from: stores.originalModels.source, owners: owners, targets: targets,
          isForward: limitsTargets)
        guard shared.count > 0 else { continue }
        throw LinkFinding.narrowed(
          "relationship '\(end.entity).\(end.name)'", "'\(carrier.entity).\(carrier.name)'", shared,
          lost: shared.surplus, isWritten: stores.isWritten)
      }
    }
  }

  /// True if several source objects can lead to the same target through a relationship, or through its inverse.
  private func mayShare(_ end: RelationshipEnd, targets: Bool) -> Bool {
    guard let relationship = stores.originalModels.source.relationship(end.name, of: end.entity) else { return false }
    if !targets { return relationship.isToMany }
    return stores.originalModels.source.inverse(of: relationship)?.isToMany ?? !relationship.isToMany
  }

  /// Returns the keys of the source objects that entity mappings take; nil if they are not known before the first pass.
  private func takenKeys(_ mappingIndexes: Set<Int>) -> KeySet? {
    var keys = KeySet()
    for mappingIndex in mappingIndexes {
      guard let some = knownKeys(mappingIndex) else { return nil }
      keys.formUnion(some)
    }
    return keys
  }
}
