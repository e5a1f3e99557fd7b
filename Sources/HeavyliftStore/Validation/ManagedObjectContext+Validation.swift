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
    func report(_ finding: AttributeValidator.Finding, _ property: String) {
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
      report(
        (.missingMandatoryProperty, "is mandatory but has no target", "set its target"), toOne.description.name)
    }
    for (slot, toMany) in object.runtime.toManys.enumerated() {
      if let finding = try countFinding(toMany.description, slot, object) { report(finding, toMany.description.name) }
    }
  }

  private func countFinding(
    _ relationship: RelationshipDescription, _ slot: Int, _ object: ManagedObject
  ) throws -> AttributeValidator.Finding? {
    let minimum = relationship.minCount
    guard minimum > 0 || relationship.maxCount > 1 else { return nil }
    let count = try object.targetKeys(at: slot).count
    if count < minimum, count > 0 || relationship.requiresTarget {
      return (
        .relationshipLacksMinimumCount, "leads to \(count.objects) and must lead to at least \(minimum)",
        "add objects to it"
      )
    }
    if relationship.maxCount > 1, count > relationship.maxCount {
      return (
        .relationshipExceedsMaximumCount, "leads to \(count.objects) and may lead to at most \(relationship.maxCount)",
        "remove objects from it"
      )
    }
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
