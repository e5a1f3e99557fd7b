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
    try stores.refuseDoubledObjects(associations.declaredKeys(mapping:))
    report.rows = try rowReconciliation().rows()
    report.links = try linkReconciliation.account(links, in: destination)
    report.losses = plan.losses
  }

  /// Returns the reconciliation of links, after all passes.
  func linkReconciliation() throws -> LinkReconciliation {
    var (migrated, hasRecorded): ([Int: KeySet], Bool) = ([:], false)
    for step in steps where step.complete.destinationEntityName != nil {
      var keys = associations.declaredKeys(mapping: step.mappingIndex)
      if let number = step.sourceNumber,
        let recorded = try associations.recordedSourceKeys(mapping: step.mappingIndex)[number]
      {
        keys.formUnion(recorded)
        hasRecorded = true
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
      stores, counts: survey.counts, surveyed: survey.readEntities, keys: migrated, followsMappings: followsMappings,
      hasRecorded: hasRecorded, evaluated: evaluated)
  }

  private func rowReconciliation() throws -> RowReconciliation {
    var rows = RowReconciliation(
      counts: survey.counts,
      steps: steps.map { step in
        survey.rowStep(
          step.mappingIndex, migrated: associations.declaredKeys(mapping: step.mappingIndex), hasPolicy: step.hasPolicy)
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

  /// True if the mappings alone decide which objects are linked.
  private var followsMappings: Bool {
    guard !isSourceChanged, !steps.contains(where: \.hasPolicy) else { return false }
    return stores.mappings.allSatisfy { mapping in
      (mapping.attributeMappings + mapping.relationshipMappings).allSatisfy {
        $0.valueExpression?.handsOverNewObjects != true
      }
    }
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
