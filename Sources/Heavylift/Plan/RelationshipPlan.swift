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
