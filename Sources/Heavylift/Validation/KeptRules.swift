import HeavyliftModel
import HeavyliftStore

/// Rules of the destination's model that are known to hold for all rows of an entity, because they were checked while
/// the rows were written.
struct KeptRules {
  private var byEntity: [String: Set<PropertyRule>] = [:]

  /// Records the rules that hold for the rows of one entity mapping. Only those that hold for all entity mappings remain.
  mutating func limit(to rules: Set<PropertyRule>, ofEntity name: String) {
    byEntity[name] = byEntity[name].map { $0.intersection(rules) } ?? rules
  }

  func contains(_ kind: PropertyRule.Kind, _ property: String, ofEntity name: String) -> Bool {
    byEntity[name]?.contains(PropertyRule(kind, property)) ?? false
  }

  /// Discards all rules recorded for an entity.
  mutating func forget(_ name: String) { byEntity[name] = nil }

  /// Discards all rules recorded for relationships.
  mutating func forgetRelationships(of model: ManagedObjectModel) {
    for entity in model.entities {
      let names = Set(model.allRelationships(of: entity).map(\.name))
      byEntity[entity.name] = byEntity[entity.name]?.filter { !names.contains($0.property) }
    }
  }

  /// Discards the rules that require links to point to existing rows.
  mutating func forgetLinks() {
    byEntity = byEntity.mapValues { $0.filter { $0.kind != .link } }
  }
}

extension MigrationRun {
  /// The rules that validation can skip: those that were checked while the rows were written, unless something has
  /// changed the rows since.
  var rulesKeptToTheEnd: KeptRules {
    var kept = keptRules
    for (name, rules) in destinationContext.rulesKeptByNewRows { kept.limit(to: rules, ofEntity: name) }
    for name in destinationContext.namesOfUncheckedEntities { kept.forget(name) }
    // Links that were written later than their rows have not been checked along with the rows.
    if rowLinks?.areAllWritten != true || plan.setsLinksAfterRows || destinationContext.hasLinked {
      kept.forgetRelationships(of: manager.destinationModel)
    } else if destinationContext.hasDeleted || !areTargetsThere {
      kept.forgetLinks()
    }
    return kept
  }

  /// True if all links that were written with rows lead to rows of the expected table that exist.
  private var areTargetsThere: Bool {
    let layout = stores.destination.layout
    return plan.steps.allSatisfy { step in
      guard let owner = layout.entity(named: step.destinationEntityName) else { return true }
      return (step.rowRelationships + step.joins).allSatisfy { link in
        let table =
          owner.toOne(named: link.name)?.destinationTableName ?? owner.toMany(named: link.name)?.destinationTableName
        return link.targets.allSatisfy { mappingIndex in
          let target = layout.entity(named: steps[mappingIndex].complete.destinationEntityName)
          guard target != nil, target?.tableName == table else { return false }
          return !plan.steps[mappingIndex].rows.isSQL
            || survey.knownKeys(mappingIndex) == associations.declaredKeys(mapping: mappingIndex)
        }
      }
    }
  }
}
