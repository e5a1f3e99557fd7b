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
    let isWatched = isWatched
    let written = isWatched ? [] : planRowLinks(&plan)
    for (place, mapping) in planner.mappings.enumerated() where plan.steps[place].connections != .nothing {
      if let reason = connections.reasonForObjects(place) {
        plan.steps[place].connections = .objects
        plan.steps[place].connectionReasons = [.init(reason)]
        if mapping.policyClassName != nil, connections.reasonForObjects(place, ignoresPolicy: true) == nil {
          let (found, reasons) = connections.connections(of: mapping, place, writtenWithRows: written)
          if reasons.isEmpty { plan.steps[place].deferrablePlans = found }
        }
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
    if isWatched { planFinalLinks(&plan) }
  }

  /// What is written at once if the policies leave all relationships to super, and nobody looks.
  private func planFinalLinks(_ plan: inout MigrationPlan) {
    guard mayBeLeftToTheEnd else { return }
    var final = plan
    let rows = RowLinkPlanner(planner, isAfterwards: true)
    do {
      try forEachRelationship { end, inverse in try rows.write(end, inverse, disagreeing, &final) }
    } catch {
      return
    }
    for (place, step) in final.steps.enumerated() {
      (plan.steps[place].finalLinks, plan.steps[place].finalJoins) = (step.links, step.joins)
    }
    plan.hasFinalLinks = true
  }

  /// Whether policies are all that could look on.
  private var mayBeLeftToTheEnd: Bool {
    guard !planner.forcesObjects, planner.viewed == nil, planner.destination.layout.triggers.isEmpty,
      Set(planner.stages).count == 1
    else { return false }
    return planner.mappings.allSatisfy { mapping in
      mapping.relationshipMappings.allSatisfy { $0.valueExpression?.mayWatch != true }
    }
  }

  /// Calls `body` with each relationship once, from one of its ends.
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

  /// The ends that are written along with the rows.
  private func planRowLinks(_ plan: inout MigrationPlan) -> Set<RelationshipEnd> {
    let rows = RowLinkPlanner(planner)
    var written: Set<RelationshipEnd> = []
    forEachRelationship { end, inverse in
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
