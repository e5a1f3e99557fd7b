import HeavyliftExpression
import HeavyliftModel

extension EntityMappingDescription {
  /// Returns the source entities whose objects the mapping takes.
  ///
  /// A mapping takes objects of its source entity, and those of a related entity if its source expression returns them.
  /// It does not take objects that the expression only reads on the way to others, and cannot take objects of an entity
  /// that its source entity is not related to.
  func takenEntities(in source: ModelIndex) -> Set<Int> {
    guard let own = source.entity(named: sourceEntityName) else { return [] }
    guard let expression = sourceExpression else { return [own] }
    let selected = ObjectReads(ofSourceExpression: expression, own, source).selected
    let others = selected.map { [$0] } ?? expression.fetchedEntities.compactMap { source.entity(named: $0) }
    return Set([own] + others.filter { source.areRelated($0, own) })
  }
}
