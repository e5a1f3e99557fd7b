import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Decides how each relationship is set: with the rows, by statements when its entity mapping's turn comes in the
/// second pass, or object by object.
///
/// If a policy or an expression may look, no link is written with its row. So a policy sees what it would see in an
/// object-by-object migration.
struct RelationshipPlanner {
  private let stores: MappedStores
  private let forcesObjects: Bool
  private let statements: LinkStatementPlanner

  /// - Parameter contradictoryEnds: One-to-one relationships of the source whose ends contradict each other.
  init(_ stores: MappedStores, _ contradictoryEnds: Set<RelationshipEnd>, forcesObjects: Bool) {
    (self.stores, self.forcesObjects) = (stores, forcesObjects)
    statements = LinkStatementPlanner(stores, contradictoryEnds, forcesObjects: forcesObjects)
  }

  /// Adds all relationships to the plan.
  func plan(_ plan: inout MigrationPlan) {
    plan.isObserved = forcesObjects || stores.isObserved
    let written = canWriteLinksTogether(plan) ? planRowLinks(&plan) : []
    for (mappingIndex, mapping) in stores.mappings.enumerated() where setsRelationships(mapping) {
      plan.steps[mappingIndex].reasonToSetAllByObject = statements.reasonToSetAllByObject(mappingIndex)
      if plan.steps[mappingIndex].reasonToSetAllByObject == nil {
        plan.steps[mappingIndex].relationshipPlans += statements.plans(mappingIndex, besides: written)
      }
      plan.steps[mappingIndex].sortRelationships(like: mapping)
    }
  }

  /// True if an entity mapping, or its policy, may set relationships.
  private func setsRelationships(_ mapping: CompleteEntityMapping) -> Bool {
    guard mapping.destinationEntityName != nil else { return false }
    return mapping.policyClassName != nil || mapping.relationshipMappings.contains { $0.valueExpression != nil }
  }

  /// False if links must be set one by one, because triggers or the objects of several mapping models may see each.
  private func canWriteLinksTogether(_ plan: MigrationPlan) -> Bool {
    if !plan.isObserved { return true }
    return !forcesObjects && stores.destination.layout.triggers.isEmpty && Set(stores.modelIndexes).count == 1
  }

  /// Calls `body` once for each relationship, with one of its ends and the inverse.
  ///
  /// Unlike `canonicalEnds`, this also visits a relationship that a sub-entity declares again: its inverse leads to the
  /// first declaration.
  private func forEachRelationship(_ body: (RelationshipEnd, RelationshipEnd?) throws -> Void) rethrows {
    let model = stores.destinationModel
    var seen: Set<RelationshipEnd> = []
    for entity in model.entities {
      for relationship in entity.relationships {
        let end = RelationshipEnd(entity: entity.name, name: relationship.name)
        guard seen.insert(end).inserted else { continue }
        let inverse = model.inverse(of: end)
        if let inverse { seen.insert(inverse) }
        try body(end, inverse)
      }
    }
  }

  /// Plans relationships whose links can be written together, and returns their ends.
  private func planRowLinks(_ plan: inout MigrationPlan) -> Set<RelationshipEnd> {
    let rows = RowLinkPlanner(stores)
    var written: Set<RelationshipEnd> = []
    forEachRelationship { end, inverse in
      do {
        guard try rows.write(end, inverse, &plan) else { return }
        written.insert(end)
        if let inverse { written.insert(inverse) }
      } catch {
        // The relationship is set in the second pass instead.
      }
    }
    return written
  }
}

extension MappedStores {
  /// True if a policy, an expression or a trigger may see the order in which rows are created and relationships set.
  var isObserved: Bool {
    if !destination.layout.triggers.isEmpty { return true }
    return mappings.contains { mapping in
      let expressions =
        (mapping.attributeMappings + mapping.relationshipMappings).compactMap(\.valueExpression)
        + (mapping.description.sourceExpression.map { [$0] } ?? [])
      return mapping.policyClassName != nil || expressions.contains(where: \.mayReadNewObjects)
    }
  }
}

extension MigrationPlan.Step {
  /// The plan lists relationships in the order in which objects would set them.
  fileprivate mutating func sortRelationships(like mapping: CompleteEntityMapping) {
    let order = Dictionary(
      mapping.relationshipMappings.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    func place(_ plan: RelationshipPlan) -> Int { plan.isDeclared ? order[plan.name] ?? .max : .max }
    relationshipPlans.sort { (place($0), $0.name) < (place($1), $1.name) }
  }
}
