import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// A hop that has been checked and planned, over a store or over the views of a fused hop.
struct PreparedHop {
  let hop: MigrationHop
  let manager: MigrationManager
  let prepared: PreparedMigration
  var plan: MigrationPlan { prepared.plan }
  var survey: SourceSurvey { prepared.survey }
  var stores: MappedStores { prepared.stores }

  init(
    _ hop: MigrationHop, _ manager: MigrationManager, over store: PersistentStore, _ detector: ChangeDetector,
    _ options: MigrationOptions, viewed: ViewedStore?
  ) throws {
    self.hop = hop
    self.manager = manager
    let completes = hop.completedMappings
    try manager.check(completes)
    prepared = try manager.prepare(store, detector, completes, options, viewed: viewed)
  }

  /// The reason the hop cannot read views; `nil` if it can.
  var needsRows: String? {
    let entities = stores.destination.layout.entities.compactMap { manager.destinationModel.entity(named: $0.name) }
    if let deriving = entities.first(where: {
      manager.destinationModel.allAttributes(of: $0).contains { $0.isDerived && !$0.isTransient }
    }) {
      return "entity '\(deriving.name)' has derived attributes"
    }
    guard let viewed = stores.viewed else { return nil }
    if viewed.readsOtherRows, let step = plan.steps.first(where: { $0.rows == .objects }) {
      // SQLite would abort a query with sub-selects that is running when a view's rows are stored.
      return
        "entity mapping '\(step.name)' runs object by object, and an earlier hop computes values from other objects"
    }
    for (mappingIndex, step) in plan.steps.enumerated() where step.rows == .objects && step.sourceEntityName != nil {
      // A filter that reads other objects would search views for each object.
      if (try? stores.rowsAlone(of: mappingIndex))?.readsRowAlone == false {
        return "entity mapping '\(step.name)' reads other objects"
      }
    }
    for (mappingIndex, step) in plan.steps.enumerated() where step.rows.isSQL {
      guard let statement = try? prepared.statement(of: mappingIndex) else {
        return "there is no statement for entity mapping '\(step.name)'"
      }
      if !statement.readsRowAlone { return "entity mapping '\(step.name)' reads other objects" }
    }
    return nil
  }

  /// The reason the hop's store must be written; `nil` if views can replace it.
  var needsTables: String? {
    if let reason = needsRows { return reason }
    if let links = survey.contradictoryLinks.first(where: { $0.count > 0 }) {
      return "the two ends of relationship '\(links.relationship)' of entity '\(links.entity)' contradict each other"
    }
    for step in plan.steps where step.rows == .objects || step.relationships == .objects {
      let reason = (step.rowReasons + step.relationshipReasons).first.map { ": \($0)" } ?? ""
      return "entity mapping '\(step.name)' runs object by object\(reason)"
    }
    if let step = plan.steps.first(where: { !$0.statementRelationships.isEmpty }) {
      return "entity mapping '\(step.name)' sets relationships in the second pass"
    }
    for entity in stores.destination.layout.entities {
      if let ordered = (entity.toOnes + entity.ownerColumns).first(where: { $0.orderColumn != nil }) {
        return "the inverse of relationship '\(ordered.name)' of entity '\(entity.name)' is ordered"
      }
    }
    if stores.destination.layout.joinTables.contains(where: { $0.columns.count > 2 }) {
      return "a many-to-many relationship is ordered"
    }
    for entity in manager.destinationModel.entities {
      for relationship in entity.relationships where relationship.isToMany {
        if relationship.minCount > 0 || relationship.maxCount > 1 {
          return "relationship '\(relationship.name)' of entity '\(entity.name)' has a minimum or a maximum count"
        }
      }
    }
    return nil
  }
}
