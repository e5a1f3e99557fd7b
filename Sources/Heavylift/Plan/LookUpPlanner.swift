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
        && !leadsToKeptKeys(link, from: mappingIndex)
    case .joinTable: link.untestedTargets = Set(link.targets.filter { keepsLinks(through: $0, from: mappingIndex) })
    case .fromOtherEnd, .afterRows, .byObject: break
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

  /// True if all targets of a relationship are migrated and keep their keys. A fused hop has no dangling links.
  private func leadsToKeptKeys(_ link: RelationshipPlan, from mappingIndex: Int) -> Bool {
    let model = stores.sourceModel
    guard stores.viewed != nil, let name = link.source,
      let target = stores.mappings[mappingIndex].sourceEntityName.flatMap({ model.relationship(name, of: $0) })?
        .destinationEntityName,
      link.targets.allSatisfy({ stores.keepsKeys($0) && stores.isUnfiltered($0) })
    else { return false }
    let reached = Set(link.targets.compactMap { stores.mappings[$0].sourceEntityName })
    return survey.counts.keys.allSatisfy { name in
      guard let entity = model.entity(named: name) else { return true }
      return reached.contains(name) || !model.entity(entity, isKindOf: target)
    }
  }

  /// True if these two entity mappings migrate the objects at both ends of every link in a join table, so no link needs
  /// a test. Possible only if the source is a fused hop, which has no dangling links.
  private func keepsLinks(through target: Int, from mappingIndex: Int) -> Bool {
    guard stores.viewed != nil else { return false }
    return [mappingIndex, target].allSatisfy { mappingIndex in
      guard stores.isUnfiltered(mappingIndex), let entity = stores.mappings[mappingIndex].sourceEntityName,
        let table = stores.source.layout.entity(named: entity)?.tableName
      else { return false }
      return stores.source.layout.entities.allSatisfy {
        $0.name == entity || $0.tableName != table || survey.counts[$0.name] == nil
      }
    }
  }
}
