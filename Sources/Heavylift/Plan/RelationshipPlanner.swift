import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Decides how each relationship comes about: along with the rows, by statements at its mapping's place in the second
/// pass, or object by object.
///
/// As long as nobody looks on, what both ends agree on can be written early. Everything else has its effect where an object
/// would have it: a policy sees what it would see if all of it were done by objects.
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
    let written = isWatched ? [] : planRowLinks(&plan)
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

  /// The ends that are written along with the rows.
  private func planRowLinks(_ plan: inout MigrationPlan) -> Set<RelationshipEnd> {
    let model = planner.destinationModel
    let rows = RowLinkPlanner(planner)
    var (seen, written): (Set<RelationshipEnd>, Set<RelationshipEnd>) = ([], [])
    for end in model.entities.flatMap({ entity in
      entity.relationships.map { RelationshipEnd(entity: entity.name, name: $0.name) }
    }) where seen.insert(end).inserted {
      let inverse = model.inverse(of: end)
      if let inverse { seen.insert(inverse) }
      do {
        try rows.write(end, inverse, disagreeing, &plan)
        written.insert(end)
        if let inverse { written.insert(inverse) }
      } catch {
        // They are connected afterwards.
      }
    }
    return written
  }

  /// Whether somebody could see in which order relationships come about.
  private var isWatched: Bool {
    if planner.forcesObjects || !planner.destination.layout.triggers.isEmpty { return true }
    return planner.mappings.contains { mapping in
      let expressions =
        (mapping.attributeMappings + mapping.relationshipMappings).compactMap(\.valueExpression)
        + (mapping.description.sourceExpression.map { [$0] } ?? [])
      return mapping.policyClassName != nil || expressions.contains(where: \.mayWatch)
    }
  }
}

extension MigrationPlan.Strategy {
  /// Whether a statement does it.
  var isSQL: Bool { self == .sql || self == .sqlWithFunctions }
}
