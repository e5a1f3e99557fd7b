import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

extension MigrationRun {
  /// Accounts for all objects and links of the source, and for all objects of the destination.
  ///
  /// Everything is counted from what the passes noted, the links from indexes.
  func reconcile(_ report: inout MigrationReport) throws {
    var made = destinationContext.objectBalance
    for step in steps where step.statementCount > 0 {
      made[step.complete.destinationEntityName ?? "", default: 0] += step.statementCount
    }
    try RowReconciliation.check(report.objects, made: made)
    report.rows = try rowReconciliation().rows()
    // The source of a fused hop is views, and to count their links is to compute them.
    guard planner.viewed == nil else { return }
    report.links = try LinkReconciliation(
      source: source, destination: destination, old: manager.sourceModel, new: manager.destinationModel,
      mappings: planner.mappings, rows: report.rows, isDeclarative: isDeclarative
    ).links()
  }

  private func rowReconciliation() throws -> RowReconciliation {
    var rows = RowReconciliation(
      counts: planner.sourceCounts,
      steps: steps.map { step in
        .init(
          sourceEntityName: step.complete.sourceEntityName, makesObjects: step.complete.destinationEntityName != nil,
          hasPolicy: !step.isDeclarative, isUnfiltered: planner.isUnfiltered(step.number),
          made: associations.declaredKeys(mapping: step.number))
      })
    rows.read = named(readKeys)
    for step in steps {
      for (name, keys) in named(try associations.recordedSourceKeys(mapping: step.number)) {
        rows.associated[name, default: KeySet()].formUnion(keys)
      }
    }
    for object in sourceContext.deletedObjects {
      rows.deleted[object.entity.name, default: KeySet()].insert(object.primaryKey)
    }
    return rows
  }

  private func named(_ keys: [Int: KeySet]) -> [String: KeySet] {
    let names = Dictionary(source.layout.entities.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    return keys.reduce(into: [:]) { named, entry in
      if let name = names[entry.key] { named[name] = entry.value }
    }
  }

  /// True if only the mappings decide where relationships lead.
  private var isDeclarative: Bool {
    guard !isSourceChanged, steps.allSatisfy(\.isDeclarative) else { return false }
    return planner.mappings.allSatisfy { mapping in
      (mapping.attributeMappings + mapping.relationshipMappings).allSatisfy { $0.valueExpression?.mayWatch != true }
    }
  }
}
