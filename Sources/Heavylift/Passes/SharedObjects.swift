import HeavyliftModel
import HeavyliftStore

/// Destination objects that several source objects are associated with, because a policy found an existing object and
/// reused it.
///
/// Their relationships must not depend on the order of the entity mappings. A to-many relationship gets the targets for
/// all source objects, and a to-one relationship gets the target for the first source object that has one.
final class SharedObjects {
  private unowned let run: MigrationRun
  /// The keys of the objects whose relationships their own mappings have set, by `Z_ENT`.
  private var connected: [Int: KeySet] = [:]
  /// Inverses by the identity of the relationship's step; the steps live as long as the run.
  private var inverses: [ObjectIdentifier: RelationshipDescription?] = [:]

  init(_ run: MigrationRun) { self.run = run }

  /// Returns the source objects of a shared object in the order in which they were associated; nil if the object is not
  /// shared.
  func sources(of object: ManagedObject, in step: EntityMappingStep) throws -> [ManagedObject]? {
    guard run.associations.hasShared else { return nil }
    let sources = try run.sourceInstances(of: step, destinations: [object])
    if sources.count > 1 { return sources }
    let isElsewhere = try run.steps.contains { other in
      guard other !== step else { return false }
      return try run.isDeclared(object, in: other)
        || !run.associations.recordedSources(
          of: .init(entity: object.entityNumber, key: object.primaryKey), mapping: other.mappingIndex
        ).isEmpty
    }
    return isElsewhere ? sources : nil
  }

  /// Adds objects to a relationship of a shared object. A to-one relationship that the object's own mappings have set
  /// keeps its target.
  func connect(_ object: ManagedObject, _ step: RelationshipStep, to others: [ManagedObject]) throws {
    let name = step.relationship.name
    let others = try free(others, for: step, of: object)
    guard step.relationship.isToMany else {
      if isConnected(object), try object.object(forKey: name) != nil { return }
      return try step.set(Array(others.prefix(1)), of: object)
    }
    var (all, seen) = ([ManagedObject](), Set<ObjectIdentifier>())
    for other in try others + object.objects(forKey: name) where seen.insert(ObjectIdentifier(other)).inserted {
      all.append(other)
    }
    try step.set(all, of: object)
  }

  /// Records that an object's relationships have been set for all of its own source objects.
  func didConnect(_ object: ManagedObject) {
    connected[object.entityNumber, default: KeySet()].insert(object.primaryKey)
  }

  /// Returns the objects that a relationship may lead to without taking them from another object. If the inverse is
  /// to-one, a shared object keeps the target that its own source objects gave it.
  func free(_ objects: [ManagedObject], for step: RelationshipStep, of object: ManagedObject) throws -> [ManagedObject]
  {
    guard !connected.isEmpty, let inverse = inverse(of: step), !inverse.isToMany else { return objects }
    return try objects.filter { other in
      guard isConnected(other), let holder = try other.object(forKey: inverse.name) else { return true }
      return holder === object
    }
  }

  /// True if statements that set an entity mapping's relationships might take shared objects from other objects.
  func mayTake(_ step: EntityMappingStep, _ plans: [RelationshipPlan]) -> Bool {
    guard run.associations.hasShared else { return false }
    return plans.contains { plan in
      guard let relationship = step.relationships.first(where: { $0.relationship.name == plan.name }),
        let inverse = inverse(of: relationship), !inverse.isToMany
      else { return false }
      return plan.lookedUp.contains { run.associations.hasRecorded(mapping: $0) }
    }
  }

  private func inverse(of step: RelationshipStep) -> RelationshipDescription? {
    if let known = inverses[ObjectIdentifier(step)] { return known }
    let found = run.manager.destinationModel.inverse(of: step.relationship)
    inverses[ObjectIdentifier(step)] = .some(found)
    return found
  }

  private func isConnected(_ object: ManagedObject) -> Bool {
    connected[object.entityNumber]?.contains(object.primaryKey) ?? false
  }
}
