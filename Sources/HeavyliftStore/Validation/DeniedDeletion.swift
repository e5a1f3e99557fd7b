import HeavyliftModel

/// The deletion of an object of a store under construction while a relationship with the delete rule "Deny" had targets.
struct DeniedDeletion {
  let owner: ObjectKey
  let entity: EntityRuntime
  let relationship: RelationshipDescription
  let destination: Int
  let inverse: EntityRuntime.Slot?
  /// The keys of the targets that did not remove the object from their to-many relationship afterward.
  var targets: [Int64]
}

extension ManagedObjectContext {
  /// Records the targets that may forbid the deletion of an object. A policy may still delete them, too.
  func noteDeniedTargets(of object: ManagedObject) throws {
    func note(
      _ relationship: RelationshipDescription, _ destination: Int, _ inverse: EntityRuntime.Slot?,
      _ targets: () throws -> [Int64]
    ) throws {
      guard relationship.deleteRule == .deny, case let targets = try targets().filter({ $0 != 0 }), !targets.isEmpty
      else { return }
      deniedDeletions.append(
        DeniedDeletion(
          owner: object.objectKey, entity: object.runtime, relationship: relationship, destination: destination,
          inverse: inverse, targets: targets))
    }
    for (slot, toOne) in object.runtime.toOnes.enumerated() {
      try note(toOne.description, toOne.destination, toOne.inverse) { [try object.targetKey(at: slot)] }
    }
    for (slot, toMany) in object.runtime.toManys.enumerated() {
      try note(toMany.description, toMany.destination, toMany.inverse) { try object.targetKeys(at: slot) }
    }
  }

  /// Takes note that an object's to-many relationship no longer leads to some deleted owners.
  ///
  /// The links themselves are deleted along with the owner's row.
  func releaseDeniedOwners(from target: ManagedObject, slot: Int, where isReleased: (Int64) -> Bool) {
    guard !deniedDeletions.isEmpty else { return }
    for place in deniedDeletions.indices where isReleased(deniedDeletions[place].owner.key) {
      let deletion = deniedDeletions[place]
      guard case .toMany(slot)? = deletion.inverse,
        store.runtime.entities[deletion.destination].rootNumber == target.runtime.rootNumber,
        store.runtime.entities[target.runtime.toManys[slot].destination].rootNumber == deletion.owner.root
      else { continue }
      deniedDeletions[place].targets.removeAll { $0 == target.key }
    }
  }

  /// Returns the keys of the objects that were deleted although the delete rule "Deny" forbids it, by entity and
  /// relationship, in order. All changes must be flushed.
  package func deletionsAgainstRules() throws -> [(entityName: String, relationshipName: String, keys: [Int64])] {
    var found: [(entityName: String, relationshipName: String, keys: [Int64])] = []
    for deletion in deniedDeletions where try isForbidden(deletion) {
      let (entity, relationship) = (deletion.entity.name, deletion.relationship.name)
      if let place = found.firstIndex(where: { $0.entityName == entity && $0.relationshipName == relationship }) {
        found[place].keys.append(deletion.owner.key)
      } else {
        found.append((entity, relationship, [deletion.owner.key]))
      }
    }
    return found.map { ($0.entityName, $0.relationshipName, $0.keys.sorted()) }
      .sorted { ($0.entityName, $0.relationshipName) < ($1.entityName, $1.relationshipName) }
  }

  private func isForbidden(_ deletion: DeniedDeletion) throws -> Bool {
    // The object may have been created again.
    if try readObject(deletion.owner.key, deletion.entity.index)?.isDeleted == false { return false }
    return try deletion.targets.contains { key in
      guard let target = try readObject(key, deletion.destination), !target.isDeleted else { return false }
      // The policy may have given the target another owner afterward. To-many ends are removed from `targets`.
      guard case .toOne(let slot)? = deletion.inverse else { return true }
      return try target.targetKey(at: slot) == deletion.owner.key
    }
  }
}
