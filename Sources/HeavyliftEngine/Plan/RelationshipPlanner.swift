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

/// How a relationship of an entity mapping's objects is set.
struct RelationshipPlan: Hashable, Sendable {
  enum Way: Hashable, Sendable {
    /// It is a column of the objects' rows, and is written with them, or when it is due.
    case withRow
    /// A statement fills its join table after all rows were written, or when it is due.
    case joinTable
    /// Its links are written from the other end.
    case fromOtherEnd
    /// Statements set it when the entity mapping's turn comes in the second pass.
    ///
    /// - Parameters:
    ///   - lookedUp: All entity mappings that the expression refers to, by their indexes, in the order in which
    ///     counterparts are looked up. In those that are not in `targets`, only a policy's associations are found.
    ///   - leadsToOneAtMost: True if each object has at most one target, not counting objects that policies associated.
    case afterRows(lookedUp: [Int], leadsToOneAtMost: Bool)
    /// It is set object by object.
    case byObject(reason: String)
  }

  /// The relationship in the destination.
  var name: String
  /// The relationship in the source; nil if the target is the counterpart of the source object itself.
  var source: String?
  /// The indexes of the entity mappings that can take the source relationship's objects, and create the targets.
  var targets: [Int]
  var way: Way
  /// False if only the inverse is mapped, so that the links come from the entity mappings of the other objects.
  var isDeclared = true
  /// False if a statement that writes the relationship with the rows can copy its keys.
  var needsLookUp = true

  /// The indexes of the entity mappings in which counterparts are looked up, in that order.
  var lookedUp: [Int] { if case .afterRows(let lookedUp, _) = way { lookedUp } else { targets } }

  /// The reason why the relationship is set object by object; nil if it is not.
  var reasonForObjects: String? { if case .byObject(let reason) = way { reason } else { nil } }
}

extension MigrationPlan.Step {
  /// The strategy for setting the entity mapping's relationships in the second pass.
  public var relationships: MigrationPlan.Strategy {
    if !relationshipReasons.isEmpty { return .objects }
    return relationshipPlans.contains(where: \.isDeclared) ? .sql : .nothing
  }

  /// The reasons relationships are set object by object; empty if they are not.
  public var relationshipReasons: [MigrationPlan.Reason] {
    if let reasonToSetAllByObject { return [.init(reasonToSetAllByObject)] }
    return relationshipPlans.compactMap { plan in plan.reasonForObjects.map { .init($0, property: plan.name) } }
  }

  /// The relationships that SQL statements set, even if others are set object by object.
  public var relationshipsBySQL: [String] {
    if reasonToSetAllByObject != nil { return [] }
    return relationshipPlans.filter { $0.isDeclared && $0.reasonForObjects == nil }.map(\.name)
  }

  /// The to-one relationships that are written with the rows, or when they are due. Without targets, there are no links.
  var rowRelationships: [RelationshipPlan] {
    relationshipPlans.filter { $0.way == .withRow && !$0.targets.isEmpty }
  }

  /// The to-many relationships whose join tables are filled by statements.
  var joins: [RelationshipPlan] { relationshipPlans.filter { $0.way == .joinTable && !$0.targets.isEmpty } }

  /// The relationships that statements set in the second pass.
  var statementRelationships: [RelationshipPlan] {
    relationshipPlans.filter { if case .afterRows = $0.way { true } else { false } }
  }
}
