import HeavyliftModel

extension ManagedObjectContext {
  /// Returns every rule of the model that the objects to be saved violate; saving checks this first.
  public func validate() throws -> [ValidationError] {
    return try validate(changed: newObjects + updatedObjects, deleted: deletedObjects)
  }

  package func validate(changed: [ManagedObject], deleted: [ManagedObject]) throws -> [ValidationError] {
    var errors: [ValidationError] = []
    try willReadLinks?()
    for object in changed { try validate(object, &errors) }
    for object in deleted { errors += try validateDeletion(of: object) }
    return errors
  }

  private func validate(_ object: ManagedObject, _ errors: inout [ValidationError]) throws {
    func report(_ finding: Finding, _ property: String) {
      errors.append(
        ValidationError(
          code: finding.code, objectID: object.objectID, propertyNames: [property], problem: finding.problem,
          remedy: finding.remedy))
    }
    for slot in object.runtime.checkedAttributes where object.externalFiles[slot] == nil {
      let attribute = object.runtime.attributes[slot]
      for finding in attribute.validator.findings(for: object.attributes[slot]) {
        report(finding, attribute.description.name)
      }
    }
    for (slot, toOne) in object.runtime.toOnes.enumerated()
    where !toOne.description.isOptional && object.toOnes[slot] == 0 {
      report(RelationshipDescription.missingTarget, toOne.description.name)
    }
    for (slot, toMany) in object.runtime.toManys.enumerated() {
      if let finding = try countFinding(toMany.description, slot, object) { report(finding, toMany.description.name) }
    }
  }

  private func countFinding(
    _ relationship: RelationshipDescription, _ slot: Int, _ object: ManagedObject
  ) throws -> Finding? {
    let (tooFew, tooMany) = (relationship.tooFewTargets, relationship.tooManyTargets)
    if tooFew == nil, tooMany == nil { return nil }
    let count = try object.targetKeys(at: slot).count
    if let tooFew, count < relationship.minCount, count > 0 || relationship.requiresTarget { return tooFew }
    if let tooMany, count > relationship.maxCount { return tooMany }
    return nil
  }

  private func validateDeletion(of object: ManagedObject) throws -> [ValidationError] {
    var errors: [ValidationError] = []
    func deny(_ relationship: RelationshipDescription, _ count: Int) {
      errors.append(
        ValidationError(
          code: .relationshipDeniedDelete, objectID: object.objectID, propertyNames: [relationship.name],
          problem: "prevents deletion while it refers to \(count.objects)",
          remedy: count == 1
            ? "first delete that object, or remove it from the relationship"
            : "first delete those objects, or remove them from the relationship"))
    }
    for (slot, toOne) in object.runtime.toOnes.enumerated()
    where toOne.description.deleteRule == .deny && object.toOnes[slot] != 0 {
      let target = try self.object(object.toOnes[slot], destination: toOne.destination)
      if !target.isDeleted { deny(toOne.description, 1) }
    }
    for (slot, toMany) in object.runtime.toManys.enumerated() where toMany.description.deleteRule == .deny {
      let left = try object.targetKeys(at: slot)
        .filter { try !self.object($0, destination: toMany.destination).isDeleted }
      if !left.isEmpty { deny(toMany.description, left.count) }
    }
    return errors
  }
}

extension ManagedObject {
  /// Returns every violation, by this object in its current state, of the model's rules for single objects.
  ///
  /// In the first pass of a migration, relationships are not set yet, so mandatory ones are reported as violations.
  public func validate() throws -> [ValidationError] {
    let context = try livingContext()
    try fulfill()
    return try context.validate(changed: [self], deleted: [])
  }
}

extension Int {
  fileprivate var objects: String { counted(as: "object") }
}

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
