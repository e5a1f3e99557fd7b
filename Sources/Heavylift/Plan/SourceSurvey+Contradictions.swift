import HeavyliftModel
import HeavyliftStore

extension SourceSurvey {
  /// Counts the links of one-to-one relationships whose two ends contradict each other.
  mutating func findContradictoryLinks() throws {
    let model = stores.sourceModel
    // Unlike `canonicalEnds`, counts the links once if a sub-entity declares the relationship again.
    var seen: Set<RelationshipEnd> = []
    for entity in model.entities {
      for relationship in entity.relationships where !relationship.isToMany {
        guard let target = relationship.destinationEntityName, let name = relationship.inverseName,
          let other = model.relationship(name, of: target), !other.isToMany
        else { continue }
        let ends = [
          RelationshipEnd(entity: entity.name, name: relationship.name), model.end(of: name, entity: target),
        ].compactMap(\.self)
        guard seen.isDisjoint(with: ends) else { continue }
        seen.formUnion(ends)
        // Links are counted at the canonical end only, so dangling links at the other end need a count of their own.
        for end in Set(ends) where model.canonicalEnd(of: end) != end {
          let count = try stores.sourceStore.danglingLinkCount(ofEntity: end.entity, relationship: end.name)
          guard count > 0 else { continue }
          danglingBackLinks.append(DanglingLinks(entity: end.entity, relationship: end.name, count: count))
        }
        let count = try stores.sourceStore.contradictoryLinkCount(entity.name, relationship.name, target, name)
        guard count != 0 else { continue }
        contradictoryEnds.formUnion(ends)
        contradictoryLinks.append(
          ContradictoryLinks(entity: entity.name, relationship: relationship.name, count: count ?? 0))
      }
    }
  }
}

extension PreparedMigration {
  /// True if all links of one-to-one relationships whose ends contradict each other are written with the rows, so that
  /// each end keeps its own.
  var keepsContradictoryLinks: Bool {
    let (model, steps) = (stores.sourceModel, plan.steps)
    return survey.contradictoryEnds.allSatisfy { end in
      let writers = steps.filter { step in
        step.relationshipPlans.contains { $0.source == end.name && $0.way == .withRow }
      }.compactMap(\.sourceEntityName)
      return steps.compactMap(\.sourceEntityName).compactMap(model.entity(named:)).allSatisfy { entity in
        !model.entity(entity, isKindOf: end.entity) || writers.contains(entity.name)
      }
    }
  }
}
