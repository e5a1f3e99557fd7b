import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Decides how each relationship is set: with the rows, by statements when its entity mapping's turn comes in the
/// second pass, or object by object.
///
/// Links that are written with the rows are hidden from policies until that turn. So a policy sees what it would see in
/// an object-by-object migration.
struct RelationshipPlanner {
  private let planner: MigrationPlanner
  private let connections: ConnectionPlanner

  init(_ planner: MigrationPlanner, _ disagreeing: Set<RelationshipEnd>) {
    self.planner = planner
    self.disagreeing = disagreeing
    connections = ConnectionPlanner(planner, disagreeing)
  }

  private let disagreeing: Set<RelationshipEnd>

  /// Adds all relationships to the plan.
  func plan(_ plan: inout MigrationPlan) {
    plan.isObserved = isObserved
    let written = canWriteLinks ? planRowLinks(&plan) : []
    for (place, mapping) in planner.mappings.enumerated() where plan.steps[place].connections != .nothing {
      if let reason = connections.reasonForObjects(place) {
        plan.steps[place].connections = .objects
        plan.steps[place].connectionReasons = [.init(reason)]
        continue
      }
      let (found, reasons) = connections.connections(of: mapping, place, writtenWithRows: written)
      plan.steps[place].connectionPlans = found
      plan.steps[place].connections = reasons.isEmpty ? .sql : .objects
      plan.steps[place].connectionReasons = reasons
      plan.steps[place].connectedBySQL = mapping.relationshipMappings.filter { property in
        property.valueExpression != nil && !reasons.contains { $0.property == property.name }
      }.map(\.name)
    }
  }

  /// False if links cannot be hidden from policies, expressions and triggers that may read them.
  private var canWriteLinks: Bool {
    if !isObserved { return true }
    return !planner.forcesObjects && planner.viewed == nil && planner.destination.layout.triggers.isEmpty
      && Set(planner.stages).count == 1
  }

  /// Calls `body` once for each relationship, with one of its ends and the inverse.
  private func forEachRelationship(_ body: (RelationshipEnd, RelationshipEnd?) throws -> Void) rethrows {
    let model = planner.destinationModel
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

  /// Plans relationships that are written with the rows, and returns their ends.
  private func planRowLinks(_ plan: inout MigrationPlan) -> Set<RelationshipEnd> {
    let rows = RowLinkPlanner(planner)
    var written: Set<RelationshipEnd> = []
    forEachRelationship { end, inverse in
      do {
        try rows.write(end, inverse, disagreeing, &plan)
        written.insert(end)
        if let inverse { written.insert(inverse) }
      } catch {
        // The relationship is set in the second pass instead.
      }
    }
    return written
  }

  /// True if a policy, an expression or a trigger may see the order in which relationships are set.
  private var isObserved: Bool {
    if planner.forcesObjects || !planner.destination.layout.triggers.isEmpty { return true }
    return planner.mappings.contains { mapping in
      let expressions =
        (mapping.attributeMappings + mapping.relationshipMappings).compactMap(\.valueExpression)
        + (mapping.description.sourceExpression.map { [$0] } ?? [])
      return mapping.policyClassName != nil || expressions.contains(where: \.mayReadNewObjects)
    }
  }
}

extension MigrationPlan.Strategy {
  /// True for the strategies whose result is that of an SQL statement.
  var isSQL: Bool { self == .sql || self == .sqlWithFunctions || self == .carried }
}
