/// How a relationship of an entity mapping's objects is set.
struct RelationshipPlan: Hashable, Sendable {
  enum Way: Hashable, Sendable {
    /// It is a column of the objects' rows, and is written with them.
    case withRow
    /// A statement fills its join table after all rows were written.
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

  /// The indexes of the entity mappings in which counterparts are looked up, in that order.
  var lookedUp: [Int] { if case .afterRows(let lookedUp, _) = way { lookedUp } else { targets } }
}

/// The relationships of an entity mapping by the way in which they are set.
struct RelationshipsByWay {
  /// The to-one relationships that are written with the rows.
  private(set) var withRows: [RelationshipPlan] = []
  /// The to-many relationships whose join tables are filled by statements.
  private(set) var joins: [RelationshipPlan] = []
  /// The relationships that statements set in the second pass.
  private(set) var afterRows: [RelationshipPlan] = []
  /// The reasons others are set object by object.
  private(set) var reasonsForObjects: [MigrationPlan.Reason] = []
  /// The names of the relationships that the entity mapping sets without objects.
  private(set) var bySQL: [String] = []

  init(_ plans: [RelationshipPlan]) {
    for plan in plans {
      switch plan.way {
      // Without targets, there are no links.
      case .withRow: if !plan.targets.isEmpty { withRows.append(plan) }
      case .joinTable: if !plan.targets.isEmpty { joins.append(plan) }
      case .fromOtherEnd: break
      case .afterRows: afterRows.append(plan)
      case .byObject(let reason):
        reasonsForObjects.append(.init(reason, property: plan.name))
        continue
      }
      if plan.isDeclared { bySQL.append(plan.name) }
    }
  }
}

extension MigrationPlan.Step {
  /// The strategy for setting the entity mapping's relationships in the second pass.
  public var relationships: MigrationPlan.Strategy {
    if !relationshipReasons.isEmpty { return .objects }
    return relationshipPlans.contains(where: \.isDeclared) ? .sql : .nothing
  }

  /// The reasons relationships are set object by object; empty if they are not.
  public var relationshipReasons: [MigrationPlan.Reason] {
    reasonToSetAllByObject.map { [.init($0)] } ?? relationshipsByWay.reasonsForObjects
  }

  /// The relationships that SQL statements set, even if others are set object by object.
  public var relationshipsBySQL: [String] { reasonToSetAllByObject == nil ? relationshipsByWay.bySQL : [] }

  var relationshipsByWay: RelationshipsByWay { RelationshipsByWay(relationshipPlans) }

  /// The to-one relationships that are written with the rows.
  var rowRelationships: [RelationshipPlan] { relationshipsByWay.withRows }

  /// The to-many relationships whose join tables are filled by statements.
  var joins: [RelationshipPlan] { relationshipsByWay.joins }

  /// The relationships that statements set in the second pass.
  var statementRelationships: [RelationshipPlan] { relationshipsByWay.afterRows }
}
