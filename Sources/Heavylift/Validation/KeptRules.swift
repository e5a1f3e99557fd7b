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
  /// The rules that validation can skip.
  ///
  /// All of them can be skipped only if statements alone wrote the rows: the object path changes rows after they are
  /// written.
  var rulesKeptToTheEnd: KeptRules {
    guard plan.isStatementsAlone else { return rulesKeptBesideObjects }
    var kept = keptRules
    if !areTargetsThere { kept.forgetLinks() }
    return kept
  }

  /// True if statements have so far linked only to objects that exist.
  private var areTargetsThere: Bool {
    let layout = planner.destination.layout
    return plan.steps.allSatisfy { step in
      guard let owner = step.destinationEntityName.flatMap(layout.entity(named:)) else { return true }
      return (step.links + step.joins).allSatisfy { link in
        let table =
          owner.toOne(named: link.relationship)?.destinationTableName
          ?? owner.toMany(named: link.relationship)?.destinationTableName
        return link.targets.allSatisfy { place in
          let target = steps[place].complete.destinationEntityName.flatMap(layout.entity(named:))
          guard target != nil, target?.tableName == table else { return false }
          return predictedKeys[place].map { $0 == associations.declaredKeys(mapping: place) } ?? true
        }
      }
    }
  }
}
