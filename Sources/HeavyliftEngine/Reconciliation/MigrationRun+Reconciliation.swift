import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

extension MigrationRun {
  /// Accounts for all objects and links of the source, and for all objects of the destination.
  ///
  /// Objects are counted from the records that the passes kept; links are counted from indexes where that is enough.
  ///
  /// - Parameter links: The links of the source, read by the `linkReconciliation`.
  func reconcile(
    _ report: inout MigrationReport, _ linkReconciliation: LinkReconciliation, _ links: LinkReconciliation.SourceLinks
  ) throws {
    var created = destinationContext.objectBalance
    for step in steps where step.statementCount > 0 {
      created[step.complete.destinationEntityName ?? "", default: 0] += step.statementCount
    }
    try RowReconciliation.check(report.objects, created: created)
    try stores.refuseDoubledObjects(associations.createdKeys(mapping:))
    report.rows = try rowReconciliation().rows()
    try refuseUntouchedObjects(report)
    try refuseUnsetValues()
    report.links = try linkReconciliation.account(links, in: destination)
    report.changedEntities = Set((sourceContext.updatedObjects + sourceContext.deletedObjects).map(\.entity.name))
      .sorted()
    report.losses = plan.losses.map { loss in
      guard [.leftToPolicy, .leftToFunction].contains(loss.reason), let property = loss.property,
        !isHandled(property, of: loss.entity)
      else { return loss }
      var loss = loss
      loss.reason = .gone
      return loss
    }
  }

  /// Returns the reconciliation of links, after all passes.
  func linkReconciliation() throws -> LinkReconciliation {
    var migrated: [Int: KeySet] = [:]
    for step in steps where step.complete.destinationEntityName != nil {
      var keys = associations.createdKeys(mapping: step.mappingIndex)
      if let number = step.sourceNumber,
        let recorded = try associations.recordedSourceKeys(mapping: step.mappingIndex)[number]
      {
        keys.formUnion(recorded)
      }
      migrated[step.mappingIndex] = keys
    }
    var evaluated: [Int: [String: Int]] = [:]
    for step in steps {
      for relationship in step.relationships {
        evaluated[step.mappingIndex, default: [:]][relationship.relationship.name] = relationship.evaluatedLinkCount
      }
    }
    return LinkReconciliation(
      stores, counts: survey.counts, surveyed: survey.readEntities, keys: migrated,
      code: try codeInfluence(migrated), evaluated: evaluated, known: survey.knownLinks)
  }

  private func rowReconciliation() throws -> RowReconciliation {
    var rows = RowReconciliation(
      counts: survey.counts,
      steps: steps.map { step in
        survey.rowStep(
          step.mappingIndex, migrated: associations.createdKeys(mapping: step.mappingIndex), hasPolicy: step.hasPolicy)
      }, dropsUnmentioned: stores.dropsUnmentioned, wasReset: wasReset)
    let names = Dictionary(source.layout.entities.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    func named(_ keys: [Int: KeySet]) -> [String: KeySet] {
      keys.reduce(into: [:]) { named, entry in
        if let name = names[entry.key] { named[name] = entry.value }
      }
    }
    for (number, keys) in readKeys.enumerated() where keys.count > 0 {
      if let name = names[number] { rows.read[name] = keys }
    }
    for step in steps {
      for (name, keys) in named(try associations.recordedSourceKeys(mapping: step.mappingIndex)) {
        rows.associated[name, default: KeySet()].formUnion(keys)
      }
    }
    for object in sourceContext.deletedObjects {
      rows.deleted[object.entity.name, default: KeySet()].insert(object.primaryKey)
    }
    return rows
  }

  // MARK: Code of the program

  /// - Parameter migrated: The keys of the source objects with counterparts, by the index of the entity mapping.
  private func codeInfluence(_ migrated: [Int: KeySet]) throws -> CodeInfluence {
    var code = CodeInfluence(hasReset: wasReset)
    code.handled = handledLinks
    code.late = try lateObjects()
    for step in steps where step.hasPolicy && step.complete.destinationEntityName != nil {
      let name = CodeInfluence.PolicyName(policy: "\(type(of: step.policy))", mapping: step.name)
      if step.intendsLosses { code.losing.insert(step.mappingIndex) }
      if !step.hasCreatedDeclaredRelationships { code.notConnecting[step.mappingIndex] = name }
    }
    for step in steps where associations.hasRecorded(mapping: step.mappingIndex) {
      code.counterparts[step.mappingIndex] = { [unowned self] key in try counterpartKeys(ofSource: key, in: step) }
    }
    for step in steps where step.hasPolicy && !step.intendsLosses {
      let keys = unassociatedKeys(of: step, migrated)
      guard keys.count > 0, let table = source.layout.entity(named: step.complete.sourceEntityName)?.tableName
      else { continue }
      code.unassociated[table, default: KeySet()].formUnion(keys)
      code.unassociatedPolicies.append(
        CodeInfluence.PolicyName(policy: "\(type(of: step.policy))", mapping: step.name))
    }
    return code
  }

  /// The relationships that code has read or set, each identified by its canonical end.
  private var handledLinks: (source: Set<RelationshipEnd>, destination: Set<RelationshipEnd>) {
    let (old, new) = stores.originalModels
    func ends(_ properties: [(entity: String, property: String)], _ model: ManagedObjectModel) -> Set<RelationshipEnd> {
      Set(properties.compactMap { model.end(of: $0.property, entity: $0.entity).map(model.canonicalEnd(of:)) })
    }
    var read = ends(handled.source.all, old)
    // Deleting a source object removes its links.
    for entity in Set(sourceContext.deletedObjects.map(\.entity.name)).compactMap(old.entity(named:)) {
      read.formUnion(ends(old.allRelationships(of: entity).map { (entity.name, $0.name) }, old))
    }
    var set = ends(handled.destination.all, new)
    // A policy has changed the expression.
    for step in steps {
      let changed = step.relationships.filter { $0.mapping.revision != 0 }.map(\.relationship.name)
      set.formUnion(ends(changed.map { (step.complete.destinationEntityName ?? "", $0) }, new))
    }
    return (read, set)
  }

  /// Returns the keys of all counterparts of a source object, declared and associated ones.
  private func counterpartKeys(ofSource key: Int64, in step: EntityMappingStep) throws -> [Int64] {
    var keys: [Int64] = []
    if let rule = step.keyRule, associations.isDeclared(key, mapping: step.mappingIndex) {
      keys.append(rule.destinationKey(ofSource: key))
    }
    guard let number = step.sourceNumber else { return keys }
    return try keys
      + associations.recordedDestinations(of: .init(entity: number, key: key), mapping: step.mappingIndex).map(\.key)
  }

  /// Returns the keys of the source objects for which a step's policy created objects, but no counterpart.
  private func unassociatedKeys(of step: EntityMappingStep, _ migrated: [Int: KeySet]) -> KeySet {
    var keys = step.keysOfObjectsWithoutSuper
    if step.createsObjectsAtEnd, let number = step.sourceNumber { keys.formUnion(readKeys[number]) }
    guard keys.count > 0 else { return keys }
    for (mappingIndex, others) in migrated
    where stores.mappings[mappingIndex].sourceEntityName == step.complete.sourceEntityName {
      others.forEach { keys.remove($0) }
    }
    return keys
  }
}

extension SourceSurvey {
  /// Returns an entity mapping in the form that row reconciliation needs.
  func rowStep(_ mappingIndex: Int, migrated: KeySet, hasPolicy: Bool) -> RowReconciliation.Step {
    let (mapping, isUnfiltered) = (stores.mappings[mappingIndex], stores.isUnfiltered(mappingIndex))
    // The objects that the mapping removes were already passed to its policy.
    let removed = hasPolicy && !isUnfiltered ? KeySet() : removedKeys[mappingIndex]
    return RowReconciliation.Step(
      name: mapping.name, sourceEntityNames: mapping.takenEntities,
      makesObjects: mapping.destinationEntityName != nil, hasPolicy: hasPolicy, isUnfiltered: isUnfiltered,
      migrated: migrated, removed: removed)
  }
}
