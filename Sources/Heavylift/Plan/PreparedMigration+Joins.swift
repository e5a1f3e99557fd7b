import HeavyliftModel
import HeavyliftStore

extension PreparedMigration {
  /// The rows of a join table that lead to the objects of one entity mapping.
  struct Join {
    let plan: RelationshipPlan
    /// The index of the entity mapping that creates the targets.
    let target: Int
    /// Nil if the relationship has no table of its own.
    let transfer: LinkTransfer?
    /// The function that returns true if the objects at both ends of a link are migrated.
    let test: String
    let ownerOffset: Int64
    let targetOffset: Int64
  }

  /// Returns the rows that statements write to an entity mapping's join tables.
  func joins(of mappingIndex: Int) -> [Join] {
    let mapping = stores.mappings[mappingIndex]
    func transfer(_ join: RelationshipPlan) -> LinkTransfer? {
      guard let old = mapping.sourceEntityName, let new = mapping.destinationEntityName, let source = join.source
      else { return nil }
      return LinkTransfer(
        from: stores.source, entity: old, relationship: source, to: stores.destination, entity: new,
        relationship: join.name)
    }
    func offset(_ mappingIndex: Int) -> Int64 { stores.keys.rules[mappingIndex]?.offset ?? 0 }
    // A target may have several counterparts, so there is one statement for each entity mapping that creates targets.
    let joins = plan.steps[mappingIndex].joins.flatMap { join in join.targets.map { (join, $0) } }
    return joins.enumerated().map { index, join in
      let (join, target) = join
      return Join(
        plan: join, target: target, transfer: transfer(join),
        test: LinkFunctions.join(step: mappingIndex, join: index), ownerOffset: offset(mappingIndex),
        targetOffset: offset(target))
    }
  }
}
