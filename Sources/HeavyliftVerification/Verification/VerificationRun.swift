import Heavylift
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// One verification, while it runs.
final class VerificationRun {
  private let interpreters: [MappingInterpreter]
  private let manager: RecomputedManager
  private let correspondence: Correspondence
  private let source: PersistentStore
  private let destination: PersistentStore
  /// The keys of the destination's objects.
  private let stored: StoredKeys
  /// The keys of the source's objects, for hierarchies with several entities.
  private let sourceKeys: StoredKeys
  private let examplesPerProperty: Int
  private let stride: Int
  /// True if the values of the current source object are compared: of every entity, the first object and every `stride`th
  /// after it.
  private var isSampled = true
  private let usesRows: Bool
  /// The source entities, including their parents and sub-entities, with objects that policies changed or deleted.
  private let changed: Set<String>
  private var report = VerificationReport()
  /// The number of values and objects that could not be verified by rows alone.
  private(set) var askedOfObjects = 0
  /// The number of differences found so far for each property, by mapping and name.
  private var told: [String: Int] = [:]
  /// The keys of objects that some mapping creates, by `Z_ENT`.
  private var known: [Int: KeySet] = [:]
  /// The mappings that verify a relationship, by the relationship's name.
  private var byRelationship: [String: [(MappingInterpreter, MappingInterpreter.Property<RelationshipDescription>)]] =
    [:]

  init(
    _ interpreters: [MappingInterpreter], changed: Set<String>, manager: RecomputedManager,
    correspondence: Correspondence,
    source: PersistentStore, destination: PersistentStore, examplesPerProperty: Int, stride: Int, usesRows: Bool
  ) throws {
    self.interpreters = interpreters
    self.manager = manager
    self.correspondence = correspondence
    self.source = source
    self.destination = destination
    stored = StoredKeys(destination)
    sourceKeys = StoredKeys(source)
    self.examplesPerProperty = examplesPerProperty
    self.stride = stride
    self.usesRows = usesRows
    let model = source.model
    self.changed = Set(
      model.entities.filter { entity in
        changed.contains { name in
          model.entity(named: name).map { model.entity($0, isKindOf: entity.name) } == true
            || model.entity(entity, isKindOf: name)
        }
      }.map(\.name))
    report.changedEntities = changed.sorted()
    (report.stride, report.examplesPerProperty) = (stride, examplesPerProperty)
    report.mappings = interpreters.map { interpreter in
      var mapping = VerificationReport.Mapping(
        name: interpreter.placed.complete.name, policyClassName: interpreter.placed.complete.policyClassName)
      mapping.unverified = interpreter.unverified
      return mapping
    }
    for interpreter in interpreters {
      for property in interpreter.relationships {
        byRelationship[property.description.name, default: []].append((interpreter, property))
      }
    }
    try expectUnmappedRelationshipsToBeEmpty()
  }

  /// A policy may set relationships that no mapping sets. Otherwise, they are compared only if there are any links.
  private func expectUnmappedRelationshipsToBeEmpty() throws {
    guard interpreters.allSatisfy({ $0.placed.complete.policyClassName == nil }) else { return }
    for interpreter in interpreters {
      let complete = interpreter.placed.complete
      guard let entity = destination.model.entity(named: complete.destinationEntityName) else { continue }
      for relationship in destination.model.allRelationships(of: entity) where !relationship.isTransient {
        guard let mapping = complete.relationshipMappings.first(where: { $0.name == relationship.name }),
          mapping.valueExpression == nil,
          destination.model.inverse(of: relationship).map({ byRelationship[$0.name] == nil }) ?? true,
          try destination.linkCount(ofEntity: entity.name, relationship: relationship.name) ?? 0 > 0
        else { continue }
        interpreter.expectEmpty(mapping, relationship)
      }
    }
  }

  func perform() throws -> VerificationReport {
    let scan = try StructuralScan(destination)
    try judge(scan.damage)
    guard report.hasComparedValues else { return report }
    stored.take(scan)
    let relations = try KeyRelations(interpreters.map(\.placed), correspondence, destinations: stored)
    for entity in source.model.entities.sorted(by: { $0.name < $1.name }) where !entity.isAbstract {
      guard source.layout.entity(named: entity.name) != nil else { continue }
      try verify(entity.name, relations)
    }
    try lookForUnexpected()
    return report
  }

  // MARK: Structure

  private func judge(_ damage: [StructuralDamage]) throws {
    report.damage = damage
    guard !damage.isEmpty else { return }
    // A migration can carry these over with the columns. It refuses foreign rows and invalid keys, and counts keys anew.
    let inheritable: [StructuralDamage.Kind] = [
      .danglingLink, .contradictoryLink, .wrongEntityNumber, .invalidSaveCount, .strayValue, .wrongParent,
    ]
    let old = try StructuralScan(source).damage
    for kind in inheritable {
      func count(_ damage: [StructuralDamage]) -> Int {
        damage.filter { $0.kind == kind }.map(\.count).reduce(0, +)
      }
      let inherited = min(count(damage), count(old))
      if inherited > 0 { report.inheritedDamage[kind] = inherited }
    }
    // Objects with such keys cannot be read.
    report.hasComparedValues = !damage.contains { $0.kind == .invalidKey }
  }

  // MARK: Source objects

  private func verify(_ entityName: String, _ relations: KeyRelations) throws {
    let mappings = try interpreters.filter { $0.sourceEntityName == entityName }.map { interpreter in
      (
        interpreter,
        try usesRows
          ? RowComparison(
            interpreter, relations, source: source, destination: destination, sourceKeys: sourceKeys) : nil
      )
    }
    var conservation = VerificationReport.Conservation(entityName: entityName)
    var request = FetchRequest(entityName: entityName)
    request.includesSubentities = false
    try manager.sourceContext.enumerate(request) { source in
      isSampled = conservation.objects.isMultiple(of: stride)
      conservation.objects += 1
      var isMigrated = false
      var isRemoved = false
      // The row must be taken before the object is read completely.
      let row = source.row
      for (interpreter, comparison) in mappings {
        defer { interpreter.forgetObjects() }
        guard try interpreter.takes(source) else { continue }
        if interpreter.placed.complete.destinationEntityName == nil {
          isRemoved = true
        } else {
          isMigrated = true
          report.mappings[interpreter.placed.place].objects += 1
          if let comparison, let key = comparison.relation.destinationKey(ofSource: source.primaryKey) {
            try verify(source, row, key, interpreter, comparison)
          } else {
            try verify(source, interpreter)
          }
        }
      }
      if isMigrated {
        conservation.migrated += 1
      } else if isRemoved {
        conservation.removed += 1
      } else if mappings.isEmpty {
        conservation.unmentioned += 1
      } else {
        conservation.filtered += 1
      }
    }
    report.conservation.append(conservation)
  }

  /// Compares rows, and objects only if rows are not enough.
  private func verify(
    _ source: ManagedObject, _ row: CurrentRow?, _ key: Int64, _ interpreter: MappingInterpreter,
    _ comparison: RowComparison
  ) throws {
    let number = comparison.relation.destinationNumber
    // The counterpart was created from this source object, so it is not unexpected, even if the mapping does not
    // declare it.
    known[number, default: KeySet()].insert(key)
    guard isSampled else { return }
    guard try comparison.stand(on: key, row: row) else { return try verify(source, interpreter) }
    var read: ManagedObject?
    func object() throws -> ManagedObject {
      if let read { return read }
      guard let object = try manager.destinationContext.existingObject(numbered: number, key: key) else {
        throw Diagnostic(
          .error, code: "verify.changed", problem: "the migrated store was changed while it was being verified",
          remedy: "verify it again when no process is writing to it")
      }
      read = object
      return object
    }
    report.mappings[interpreter.placed.place].values += interpreter.attributes.count + interpreter.relationships.count
    for (place, property) in interpreter.attributes.enumerated() where !comparison.isCopied(place) {
      let expected: Value
      do {
        expected = try interpreter.value(of: property, source: source, destination: object)
      } catch {
        record(interpreter, .failed("\(error)"), property.mapping, source: source, destination: try object())
        continue
      }
      if comparison.holds(expected, place) { continue }
      askedOfObjects += 1
      try verify(property, interpreter, source, object(), holds: expected)
    }
    for (place, property) in interpreter.relationships.enumerated() {
      if try comparison.leadsAsDeclared(place, source: source.primaryKey, destination: key) { continue }
      askedOfObjects += 1
      try verify(property, interpreter, source, object())
    }
  }

  private func verify(
    _ property: MappingInterpreter.Property<AttributeDescription>, _ interpreter: MappingInterpreter,
    _ source: ManagedObject, _ object: ManagedObject, holds expected: Value
  ) throws {
    do {
      // Without an old value, it is the time of the migration.
      if expected.isNull, property.description.isTimeOfSave { return }
      let found: Value = try object.value(forKey: property.description.name)
      guard !expected.withoutNilElements.isIdentical(to: found.withoutNilElements) else { return }
      record(
        interpreter, .value(expected: expected, found: found), property.mapping, source: source, destination: object)
    } catch {
      record(interpreter, .failed("\(error)"), property.mapping, source: source, destination: object)
    }
  }

  private func verify(_ source: ManagedObject, _ interpreter: MappingInterpreter) throws {
    askedOfObjects += 1
    let placed = interpreter.placed
    let places = try correspondence.destinations(
      of: source, mapping: placed.place, destinationEntity: placed.destinationNumber)
    let objects = try places.compactMap { entity, key in
      try manager.destinationContext.existingObject(numbered: entity, key: key)
    }
    // The counterparts were created from this source object, so they are not unexpected, even if the mapping does not
    // declare them.
    for object in objects { known[object.entityNumber, default: KeySet()].insert(object.primaryKey) }
    guard let object = objects.first, objects.count == 1 else {
      return record(
        interpreter, objects.isEmpty ? .missing : .several(objects.count), source: source, destination: objects.first)
    }
    guard object.entityNumber == placed.destinationNumber else {
      return record(interpreter, .missing, source: source, destination: object)
    }
    guard isSampled else { return }
    for property in interpreter.attributes {
      report.mappings[placed.place].values += 1
      do {
        let expected = try interpreter.value(of: property, source: source) { object }
        try verify(property, interpreter, source, object, holds: expected)
      } catch {
        record(interpreter, .failed("\(error)"), property.mapping, source: source, destination: object)
      }
    }
    for property in interpreter.relationships {
      report.mappings[placed.place].values += 1
      try verify(property, interpreter, source, object)
    }
  }

  // MARK: Relationships

  private func verify(
    _ property: MappingInterpreter.Property<RelationshipDescription>, _ interpreter: MappingInterpreter,
    _ source: ManagedObject, _ object: ManagedObject
  ) throws {
    let relationship = property.description
    let expected: [ManagedObject]
    do {
      expected = try interpreter.targets(of: property, source: source, destination: object)
    } catch {
      return record(interpreter, .failed("\(error)"), property.mapping, source: source, destination: object)
    }
    let found = try targets(of: object, relationship)
    if expected == found { return }
    let (wanted, there) = (Set(expected), Set(found))
    // A deviation counts only if the mapping of the inverse does not account for it: the inverse may have been set
    // later than this side.
    let odd = try expected.filter { !there.contains($0) }.filter {
      try otherSide(of: relationship, $0, object) != false && !isTaken($0, from: object, by: property, interpreter)
    }
    let extra = try found.filter { !wanted.contains($0) }.filter {
      try otherSide(of: relationship, $0, object) != true && !isInsertedByPolicy($0)
    }
    let isDisordered = relationship.isOrdered && expected.filter(there.contains) != found.filter(wanted.contains)
    guard !odd.isEmpty || !extra.isEmpty || isDisordered else { return }
    func identifiers(_ objects: [ManagedObject]) -> [ManagedObjectID] {
      let all = objects.map(\.objectID)
      return relationship.isOrdered ? all : all.sorted { $0.key < $1.key }
    }
    record(
      interpreter, .targets(expected: identifiers(expected), found: identifiers(found)), property.mapping,
      source: source, destination: object)
  }

  private func targets(
    of object: ManagedObject, _ relationship: RelationshipDescription
  ) throws -> [ManagedObject] {
    if relationship.isToMany { return try object.objects(forKey: relationship.name) }
    return try object.object(forKey: relationship.name).map { [$0] } ?? []
  }

  /// Returns true if the mapping that creates the target links it back to the object; `nil` if no mapping sets the
  /// inverse.
  private func otherSide(
    of relationship: RelationshipDescription, _ target: ManagedObject, _ object: ManagedObject
  ) throws -> Bool? {
    guard let inverse = destination.model.inverse(of: relationship)?.name else { return nil }
    for (interpreter, property) in byRelationship[inverse] ?? []
    where interpreter.placed.destinationNumber == target.entityNumber {
      for origin in try correspondence.sources(of: target) where origin.mapping == interpreter.placed.place {
        guard let number = origin.entity ?? interpreter.placed.sourceNumber,
          let source = try manager.sourceContext.existingObject(numbered: number, key: origin.key),
          try interpreter.takes(source)
        else { continue }
        return try interpreter.targets(of: property, source: source, destination: target).contains(object)
      }
    }
    return nil
  }

  /// True for a target that a later object has taken, as the mapping says with `shared="last"`.
  private func isTaken(
    _ target: ManagedObject, from object: ManagedObject,
    by property: MappingInterpreter.Property<RelationshipDescription>, _ interpreter: MappingInterpreter
  ) throws -> Bool {
    guard property.mapping.leavesSharedToLast,
      let owner = try owner(of: target, by: property.description, like: object), owner.primaryKey > object.primaryKey
    else { return false }
    return try correspondence.sources(of: owner).contains { origin in
      guard origin.mapping == interpreter.placed.place, let number = origin.entity ?? interpreter.placed.sourceNumber,
        let source = try manager.sourceContext.existingObject(numbered: number, key: origin.key)
      else { return false }
      return try interpreter.targets(of: property, source: source, destination: owner).contains(target)
    }
  }

  /// Returns the object that has the target. Without an inverse, only the target's row shows it.
  private func owner(
    of target: ManagedObject, by relationship: RelationshipDescription, like object: ManagedObject
  ) throws -> ManagedObject? {
    if let inverse = destination.model.inverse(of: relationship)?.name { return try target.object(forKey: inverse) }
    let entity = object.objectID.entityName
    guard
      let key = try destination.ownerKey(ofTarget: target.primaryKey, entity: entity, relationship: relationship.name),
      let name = try destination.entityName(ofKey: key, in: entity),
      let number = destination.layout.entity(named: name)?.number
    else { return nil }
    return try manager.destinationContext.existingObject(numbered: number, key: key)
  }

  /// True for an object that is not the counterpart of any source object, in a hop with policies.
  private func isInsertedByPolicy(_ object: ManagedObject) throws -> Bool {
    guard interpreters.contains(where: { $0.placed.complete.policyClassName != nil }) else { return false }
    for origin in try correspondence.sources(of: object) {
      guard let interpreter = interpreters.first(where: { $0.placed.place == origin.mapping }),
        interpreter.placed.destinationNumber == object.entityNumber || origin.entity != nil,
        let number = origin.entity ?? interpreter.placed.sourceNumber,
        try manager.sourceContext.existingObject(numbered: number, key: origin.key) != nil
      else { continue }
      return false
    }
    return true
  }

  // MARK: Objects without a mapping

  private func lookForUnexpected() throws {
    for entity in destination.model.entities.sorted(by: { $0.name < $1.name }) where !entity.isAbstract {
      guard let number = destination.layout.entity(named: entity.name)?.number,
        stored.keys(ofEntity: number).count > known[number]?.count ?? 0
      else { continue }
      var request = FetchRequest(entityName: entity.name)
      request.includesSubentities = false
      try manager.destinationContext.enumerate(request) { object in
        guard known[number]?.contains(object.primaryKey) != true else { return }
        report.unexpected[entity.name, default: 0] += 1
        guard isTold("\(entity.name) unexpected") else { return }
        report.examples.append(VerificationDifference(kind: .unexpected, destination: object.objectID))
      }
    }
  }

  // MARK: Reporting

  /// True if a value comes from objects that policies have changed: the entity mapping's own ones, or those that an
  /// expression reads through a relationship.
  private func isChangedByPolicy(_ mapping: CompleteEntityMapping, _ property: CompletePropertyMapping?) -> Bool {
    guard !changed.isEmpty, let name = mapping.sourceEntityName else { return false }
    if changed.contains(name) { return true }
    return property?.valueExpression?.sourceKeys.contains { key in
      source.model.relationship(key, of: name)?.destinationEntityName.map(changed.contains) ?? false
    } ?? false
  }

  private func isTold(_ place: String) -> Bool {
    told[place, default: 0] += 1
    return told[place, default: 0] <= examplesPerProperty
  }

  private func record(
    _ interpreter: MappingInterpreter, _ kind: VerificationDifference.Kind, _ property: CompletePropertyMapping? = nil,
    source: ManagedObject, destination: ManagedObject?
  ) {
    let complete = interpreter.placed.complete
    report.mappings[interpreter.placed.place].differences += 1
    if isChangedByPolicy(complete, property) { report.mappings[interpreter.placed.place].fromChangedObjects += 1 }
    guard isTold("\(interpreter.placed.place) \(property?.name ?? "")") else { return }
    report.examples.append(
      VerificationDifference(
        kind: kind, entityMappingName: complete.name, propertyName: property?.name, source: source.objectID,
        destination: destination?.objectID,
        location: property?.markup?.location ?? complete.description.markup.location))
  }
}
