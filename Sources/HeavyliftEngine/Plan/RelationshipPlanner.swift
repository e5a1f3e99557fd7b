import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Decides how each relationship is set: by statements, with the rows or when it is due, or object by object.
///
/// If a policy or an expression may look, no link is written with its row. So a policy sees what it would see in an
/// object-by-object migration.
struct RelationshipPlanner {
  private let stores: MappedStores
  private let forcesObjects: Bool
  private var mappings: [CompleteEntityMapping] { stores.mappings }

  init(_ stores: MappedStores, forcesObjects: Bool) { (self.stores, self.forcesObjects) = (stores, forcesObjects) }

  /// Adds all relationships to the plan.
  func plan(_ plan: inout MigrationPlan) {
    plan.isObserved = forcesObjects || stores.isObserved
    let refusals = planRowLinks(&plan)
    for (mappingIndex, mapping) in mappings.enumerated() where setsRelationships(mapping) {
      plan.steps[mappingIndex].reasonToSetAllByObject = reasonToSetAllByObject(mappingIndex)
      if plan.steps[mappingIndex].reasonToSetAllByObject == nil {
        plan.steps[mappingIndex].relationshipPlans += mapping.relationshipMappings.compactMap { property in
          guard property.valueExpression != nil,
            let end = stores.destinationModel.end(of: property.name, entity: mapping.destinationEntityName ?? ""),
            let reason = refusals[end]
          else { return nil }
          return RelationshipPlan(name: property.name, targets: [], way: .byObject(reason: reason))
        }
      }
      plan.steps[mappingIndex].sortRelationships(like: mapping)
    }
  }

  /// The reason all relationships are set object by object; nil if statements may set some.
  private var reasonAgainstStatements: String? {
    if forcesObjects { return "object-by-object migration was requested" }
    if stores.destination.layout.triggers.isEmpty { return nil }
    return "derived attributes are computed while the store is created"
  }

  /// The reason all relationships of an entity mapping are set object by object; nil if statements may set them.
  private func reasonToSetAllByObject(_ mappingIndex: Int) -> String? {
    let mapping = mappings[mappingIndex]
    if let reason = reasonAgainstStatements { return reason }
    if let policy = mapping.policyClassName { return "policy '\(policy)' works with objects" }
    if mapping.relationshipMappings.contains(where: { $0.valueExpression?.mayReadNewObjects == true }) {
      return "an expression may read relationships that are already set"
    }
    if mapping.sourceEntityName == nil || !stores.hasKeyRule(mappingIndex) {
      return "its objects' keys cannot be computed from the source objects' keys"
    }
    if mapping.description.sourceExpression != nil, mapping.sourceExpression?.sourceFetch?.entity == nil {
      return "its source expression is more than a simple fetch request"
    }
    return nil
  }

  /// True if an entity mapping, or its policy, may set relationships.
  private func setsRelationships(_ mapping: CompleteEntityMapping) -> Bool {
    guard mapping.destinationEntityName != nil else { return false }
    return mapping.policyClassName != nil || mapping.relationshipMappings.contains { $0.valueExpression != nil }
  }

  /// Calls `body` once for each relationship, with one of its ends and the inverse.
  ///
  /// Unlike `canonicalEnds`, this also visits a relationship that a sub-entity declares again: its inverse leads to the
  /// first declaration.
  private func forEachRelationship(_ body: (RelationshipEnd, RelationshipEnd?) -> Void) {
    let model = stores.destinationModel
    var seen: Set<RelationshipEnd> = []
    for entity in model.entities {
      for relationship in entity.relationships {
        let end = RelationshipEnd(entity: entity.name, name: relationship.name)
        guard seen.insert(end).inserted else { continue }
        let inverse = model.inverse(of: end)
        if let inverse { seen.insert(inverse) }
        body(end, inverse)
      }
    }
  }

  /// Plans the relationships whose links can be written together, and returns the reasons why others cannot, by their
  /// ends.
  private func planRowLinks(_ plan: inout MigrationPlan) -> [RelationshipEnd: String] {
    let rows = RowLinkPlanner(stores)
    var refusals: [RelationshipEnd: String?] = [:]
    forEachRelationship { end, inverse in
      var reason = reasonAgainstStatements
      do throws(RelationshipRefusal) {
        if reason == nil { try rows.write(end, inverse, &plan) }
      } catch {
        reason = error.text
      }
      // The inverse of a relationship that a sub-entity declares again may already be planned.
      for end in [end, inverse].compactMap(\.self) where reason == nil || refusals[end] == nil {
        refusals.updateValue(reason, forKey: end)
      }
    }
    return refusals.compactMapValues(\.self)
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
    /// Statements fill its join table after all rows were written, or when it is due.
    case joinTable
    /// Its links are written from the other end.
    case fromOtherEnd
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
  /// True if the relationship, or its inverse, is ordered and has the order of the source; false if links are sorted by the
  /// keys of their objects.
  var keepsOrder = false
  var keepsInverseOrder = false

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
}
