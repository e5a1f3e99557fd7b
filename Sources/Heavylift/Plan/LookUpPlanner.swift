import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Decides which links statements can write without looking up whether their objects are migrated.
struct LookUpPlanner {
  private let survey: SourceSurvey
  private let steps: [MigrationPlan.Step]
  private var stores: MappedStores { survey.stores }

  /// Returns nil if something may see links while statements write them, so that links may be taken back.
  ///
  /// - Parameter plan: The plan, with all decisions about rows.
  init?(_ survey: SourceSurvey, _ plan: MigrationPlan) {
    guard plan.isStatementsAlone, !plan.isObserved else { return nil }
    (self.survey, steps) = (survey, plan.steps)
  }

  func plan(_ plan: inout MigrationPlan) {
    // No statement writes the rows of a carried table.
    for mappingIndex in steps.indices where steps[mappingIndex].rows != .carried {
      plan.steps[mappingIndex].relationshipPlans = steps[mappingIndex].relationshipPlans.map {
        planned($0, from: mappingIndex)
      }
    }
  }

  private func planned(_ link: RelationshipPlan, from mappingIndex: Int) -> RelationshipPlan {
    var link = link
    switch link.way {
    case .withRow:
      link.needsLookUp =
        !leadsToSameRows(link, from: mappingIndex) && !leadsToMigratedRows(link, from: mappingIndex)
    case .joinTable, .fromOtherEnd, .afterRows, .byObject: break
    }
    return link
  }

  /// True if a link leads to the counterpart of the same source object, created by another entity mapping that takes
  /// exactly the same source objects and keeps their keys. An example is a track and its artwork, both created from one
  /// object. No policy can have changed or deleted the counterpart.
  private func leadsToSameRows(_ link: RelationshipPlan, from mappingIndex: Int) -> Bool {
    guard link.source == nil, link.targets.count == 1, let target = link.targets.first else { return false }
    return survey.isSameRows(mappingIndex, target) && stores.keepsKeys(target) && steps[target].rows.isSQL
  }

  /// True if a survey has found that all targets of a relationship are migrated, and statements keep their keys.
  private func leadsToMigratedRows(_ link: RelationshipPlan, from mappingIndex: Int) -> Bool {
    guard let name = link.source,
      let entity = stores.source.layout.entity(named: stores.mappings[mappingIndex].sourceEntityName),
      let column = entity.toOne(named: name)?.column,
      let linked = survey.rows[mappingIndex]?.columns?.keys(inColumn: column)
    else { return false }
    var migrated = KeySet()
    for target in link.targets {
      guard steps[target].rows.isSQL, stores.keepsKeys(target), let keys = survey.knownKeys(target) else {
        return false
      }
      migrated.formUnion(keys)
    }
    return linked.isSubset(of: migrated)
  }
}
