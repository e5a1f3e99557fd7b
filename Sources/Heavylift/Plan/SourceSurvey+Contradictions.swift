import HeavyliftModel
import HeavyliftStore

extension SourceSurvey {
  /// Counts the links of one-to-one relationships whose two ends contradict each other, and returns both ends.
  mutating func findContradictoryLinks() throws -> Set<RelationshipEnd> {
    // The links in a fused hop's views are computed, so their two ends agree.
    guard stores.viewed == nil else { return [] }
    let model = stores.sourceModel
    var found: Set<RelationshipEnd> = []
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
        for end in Set(ends) where LinkContributions.canonical(end, in: model) != end {
          let count = try stores.sourceStore.danglingLinkCount(ofEntity: end.entity, relationship: end.name)
          guard count > 0 else { continue }
          danglingBackLinks.append(DanglingLinks(entity: end.entity, relationship: end.name, count: count))
        }
        let count = try stores.sourceStore.contradictoryLinkCount(entity.name, relationship.name, target, name)
        guard count != 0 else { continue }
        found.formUnion(ends)
        contradictoryLinks.append(
          ContradictoryLinks(entity: entity.name, relationship: relationship.name, count: count ?? 0))
      }
    }
    return found
  }
}
