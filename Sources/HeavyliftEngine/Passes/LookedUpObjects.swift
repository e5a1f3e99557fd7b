import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// The objects of one entity mapping, for SQL functions that look them up.
struct LookedUpObjects {
  /// The keys of the source objects.
  let keys: KeySet
  let rule: KeyRule
  /// `Z_ENT` of the destination objects.
  let entity: Int

  func contains(_ key: Int64) -> Bool { keys.contains(key) }
}

extension MappedStores {
  /// Returns the objects that an entity mapping creates as declared from the source objects with these keys.
  func lookedUp(_ mappingIndex: Int, among keys: KeySet) -> LookedUpObjects {
    let entity = destination.layout.entity(named: mappings[mappingIndex].destinationEntityName)
    return LookedUpObjects(
      keys: keys, rule: self.keys.rules[mappingIndex] ?? KeyRule(offset: 0), entity: entity?.number ?? 0)
  }
}

extension MigrationRun {
  /// Returns the objects that an entity mapping has created as declared so far.
  func lookedUp(_ mappingIndex: Int) -> LookedUpObjects {
    stores.lookedUp(mappingIndex, among: associations.declaredKeys(mapping: mappingIndex))
  }
}

extension Database {
  /// Registers the functions that find the targets of a link. They return NULL if there is none.
  func register(_ functions: LinkFunctions.Target, in targets: [LookedUpObjects]) throws {
    try register(keyLookUp: functions.key, in: targets)
    try register(directFunction: functions.entity, argumentCount: 1, isDeterministic: true) { arguments, result in
      let key = arguments.key(at: 0)
      if let target = targets.first(where: { $0.contains(key) }) { result.set(integer: Int64(target.entity)) }
    }
  }

  /// Registers a function that returns the key of a source object's counterpart, or NULL if there is none.
  func register(keyLookUp name: String, in targets: [LookedUpObjects]) throws {
    if let target = targets.first, targets.count == 1 {
      try register(directFunction: name, argumentCount: 1, isDeterministic: true) { arguments, result in
        let key = arguments.key(at: 0)
        if target.contains(key) { result.set(integer: target.rule.destinationKey(ofSource: key)) }
      }
      return
    }
    try register(directFunction: name, argumentCount: 1, isDeterministic: true) { arguments, result in
      let key = arguments.key(at: 0)
      guard let target = targets.first(where: { $0.contains(key) }) else { return }
      result.set(integer: target.rule.destinationKey(ofSource: key))
    }
  }

  /// Registers a function that returns 1 if the objects at both ends of a link have counterparts, and 0 if not.
  func register(linkTest name: String, from owners: LookedUpObjects, to targets: LookedUpObjects) throws {
    try register(directFunction: name, argumentCount: 2, isDeterministic: true) { arguments, result in
      let exist = owners.contains(arguments.key(at: 0)) && targets.contains(arguments.key(at: 1))
      result.set(integer: exist ? 1 : 0)
    }
  }
}

extension SQLiteArguments {
  /// Returns an argument that is a key; 0, which is not a key, for NULL and for values of other types.
  func key(at index: Int) -> Int64 { type(at: index) == .integer ? integer(at: index) : 0 }
}

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

/// The source objects of an entity mapping.
enum SourceObjects {
  /// None, because the entity mapping adds objects without a source.
  case none
  /// The objects of a fetch request, which are streamed.
  case request(FetchRequest)
  /// The objects that an expression returns all at once.
  case expression(CompiledExpression)

  init(_ mapping: CompleteEntityMapping, _ evaluation: MappingEvaluation) throws {
    guard let expression = mapping.sourceExpression else {
      self = .none
      return
    }
    if mapping.description.sourceExpression == nil, let entity = mapping.sourceEntityName {
      var request = FetchRequest(entityName: entity)
      request.includesSubentities = false
      request.predicate = mapping.filter
      self = .request(request)
      return
    }
    // A fetch in the form that Xcode's compiler writes, so that the objects can be streamed.
    if let fetch = expression.sourceFetch {
      self = .request(try FetchRequestReference(entity: fetch.entity, predicate: fetch.predicate).request)
      return
    }
    self = .expression(try CompiledExpression(expression, in: evaluation.environment))
  }
}
