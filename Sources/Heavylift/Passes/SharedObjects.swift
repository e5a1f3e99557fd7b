import HeavyliftModel
import HeavyliftStore

/// Objects of the destination that several source objects are associated with, because a policy found one that was made
/// before.
///
/// Their relationships must not depend on the order of the entity mappings: a to-many leads to the objects of all sources,
/// a to-one to that of the first source that has any.
final class SharedObjects {
  private unowned let run: MigrationRun
  /// Those whose own mapping has connected them, by `Z_ENT`.
  private var connected: [Int: KeySet] = [:]
  /// By the relationship; the steps live as long as the run.
  private var inverses: [ObjectIdentifier: RelationshipDescription?] = [:]

  init(_ run: MigrationRun) { self.run = run }

  /// The source objects of an object in the order in which they were associated; nil if no other object shares it.
  func sources(of object: ManagedObject, in step: EntityMappingStep) throws -> [ManagedObject]? {
    guard run.associations.hasShared else { return nil }
    let sources = try run.sourceInstances(of: step, destinations: [object])
    if sources.count > 1 { return sources }
    let isElsewhere = try run.steps.contains { other in
      guard other !== step else { return false }
      return try run.isDeclared(object, in: other)
        || !run.associations.recordedSources(
          of: .init(entity: object.entityNumber, key: object.primaryKey), mapping: other.number
        ).isEmpty
    }
    return isElsewhere ? sources : nil
  }

  /// Connects an object with more objects. A to-one that its own mappings have set keeps its object.
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

  /// Takes note that an object is connected as its own sources say.
  func didConnect(_ object: ManagedObject) {
    connected[object.entityNumber, default: KeySet()].insert(object.primaryKey)
  }

  /// The objects that a relationship may lead to without taking them from another object: a shared object keeps the to-one
  /// that its own sources gave it.
  func free(_ objects: [ManagedObject], for step: RelationshipStep, of object: ManagedObject) throws -> [ManagedObject]
  {
    guard !connected.isEmpty, let inverse = inverse(of: step), !inverse.isToMany else { return objects }
    return try objects.filter { other in
      guard isConnected(other), let holder = try other.object(forKey: inverse.name) else { return true }
      return holder === object
    }
  }

  /// True if statements that set the relationships of a mapping might take shared objects from others.
  func mayTake(_ step: EntityMappingStep, _ plans: [ConnectionPlan]) -> Bool {
    guard run.associations.hasShared else { return false }
    return plans.contains { plan in
      guard let relationship = step.relationships.first(where: { $0.relationship.name == plan.relationship }),
        let inverse = inverse(of: relationship), !inverse.isToMany
      else { return false }
      return plan.targets.contains { run.associations.hasRecorded(mapping: $0) }
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
