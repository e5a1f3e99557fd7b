import Heavylift

/// The names that a store's entities and properties have after the last hop of a migration.
///
/// Only complete moves count as renames: those of an entity whose objects all become objects of one other entity, and
/// of a property that is copied unchanged. A split, merged or computed property is new.
struct MigrationRenames {
  /// New names by the store's entity name; only entities whose names differ.
  private(set) var entities: [String: String] = [:]
  /// New names by the store's entity and property name; only properties whose names differ.
  private(set) var properties: [String: [String: String]] = [:]

  init(_ plan: IncrementalMigrationPlan) {
    var names: [String: String] = [:]
    var inner: [String: [String: String]] = [:]
    for entity in plan.version.entities {
      names[entity.name] = entity.name
      let all =
        plan.version.allAttributes(of: entity).map(\.name) + plan.version.allRelationships(of: entity).map(\.name)
      inner[entity.name] = Dictionary(uniqueKeysWithValues: all.map { ($0, $0) })
    }
    for hop in plan.hops {
      let steps = Self.steps(hop)
      for (entity, name) in names {
        guard let step = steps[name] else {
          names[entity] = hop.destinationModel.entity(named: name).map(\.name)
          continue
        }
        names[entity] = step.name
        inner[entity] = inner[entity]?.compactMapValues { step.properties[$0] ?? ($0) }
      }
    }
    entities = names.filter { $0.key != $0.value }
    properties = inner.compactMapValues { properties in
      let renamed = properties.filter { $0.key != $0.value }
      return renamed.isEmpty ? nil : renamed
    }
  }

  private struct Step {
    var name: String
    var properties: [String: String]
  }

  /// The destinations of the entities that map one to one in a hop, by the old names of the entities.
  private static func steps(_ hop: MigrationHop) -> [String: Step] {
    let mappings = hop.mappings.complete(from: hop.sourceModel, to: hop.destinationModel)
      .flatMap { $0.explanation().entityMappings }
    let sources = Dictionary(grouping: mappings.compactMap(\.sourceEntity)) { $0 }
    let destinations = Dictionary(grouping: mappings.filter { $0.sourceEntity != nil }.compactMap(\.destinationEntity))
    {
      $0
    }
    var steps: [String: Step] = [:]
    for mapping in mappings {
      guard let source = mapping.sourceEntity, let destination = mapping.destinationEntity,
        sources[source]?.count == 1, destinations[destination]?.count == 1
      else { continue }
      var properties: [String: String] = [:]
      for property in mapping.properties {
        guard let text = property.relatedObjects?.objects ?? property.expression,
          let name = text.wholeMatch(of: /\$source\.(\w+)/).map({ String($0.output.1) }),
          // If a property is copied to several properties, the one with the same name counts.
          properties[name] == nil || property.name == name
        else { continue }
        properties[name] = property.name
      }
      steps[source] = Step(name: destination, properties: properties)
    }
    return steps
  }
}
