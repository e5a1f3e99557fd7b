import Heavylift

/// The new names and places of a store's entities and properties after a migration, for the comparison of the old store
/// with the new one.
struct MigrationRenames {
  /// A property of the new store with the values of an old one.
  private struct Successor: Hashable {
    var entity: String
    var name: String
    /// True if the values are copied, and not computed from the old ones.
    var isCopy: Bool
  }

  /// New names by the store's entity name, where all objects of one entity become objects of one other entity.
  private(set) var entities: [String: String] = [:]
  /// New names by the store's entity and property name, where a property is copied unchanged to another name.
  private(set) var properties: [String: [String: String]] = [:]
  /// The entities that objects of the store's entities become, by name.
  private(set) var destinations: [String: [String]] = [:]
  private var successors: [String: [String: Set<Successor>]] = [:]
  private let leftToCode: [String: Set<String>]

  init(_ plan: IncrementalMigrationPlan) {
    self.init(DataLineage(of: plan), plan.version, plan.destinationModel)
  }

  private init(_ lineage: DataLineage, _ old: ManagedObjectModel, _ new: ManagedObjectModel) {
    leftToCode = lineage.leftToCode
    for (entity, properties) in lineage.values {
      for (name, origins) in properties {
        for origin in origins {
          var isCopy = false
          if case .copied = origin.kind { isCopy = true }
          let successor = Successor(entity: entity, name: name, isCopy: isCopy)
          for property in origin.properties {
            successors[origin.objects.entity, default: [:]][property, default: []].insert(successor)
          }
        }
      }
    }
    var destinations: [String: Set<String>] = [:]
    var sources: [String: Set<String>] = [:]
    for (destination, origins) in lineage.objects {
      for origin in origins {
        destinations[origin.entity, default: []].insert(destination)
        sources[destination, default: []].insert(origin.entity)
      }
    }
    self.destinations = destinations.mapValues { $0.sorted() }
    for (entity, found) in destinations {
      guard found.count == 1, let name = found.first, name != entity, sources[name] == [entity] else { continue }
      entities[entity] = name
    }
    for entity in old.entities {
      let pair = entities[entity.name] ?? entity.name
      guard new.entity(named: pair) != nil else { continue }
      properties[entity.name] = copies(of: entity.name, to: pair) { old.relationship($0, of: entity.name) != nil }
    }
  }

  /// Returns the new names of the properties that are copied as a whole to the entity's counterpart. A split or merged
  /// relationship is not.
  private func copies(
    of entity: String, to pair: String, isRelationship: (String) -> Bool
  ) -> [String: String]? {
    let names = (successors[entity] ?? [:]).mapValues { found in
      found.filter { $0.entity == pair && $0.isCopy }.map(\.name).sorted()
    }
    let sources = Dictionary(names.flatMap { old, new in new.map { ($0, 1) } }, uniquingKeysWith: +)
    let renamed = names.compactMapValues { $0.first }.filter { old, new in
      !(names[old] ?? []).contains(old) && sources[new] == 1 && (names[old]?.count == 1 || !isRelationship(old))
    }
    return renamed.isEmpty ? nil : renamed
  }

  /// The properties that get the values of a property of the store, copied or computed: those of the entity's counterpart
  /// by name, others as `Entity.name`.
  func successors(of property: String, entity: String) -> [String] {
    let pair = entities[entity] ?? entity
    let names = (successors[entity]?[property] ?? []).map {
      $0.entity == pair ? $0.name : "\($0.entity).\($0.name)"
    }
    return Set(names).sorted()
  }

  /// True if a property has no successor by the mappings, but was left to a policy or a function.
  func isLeftToCode(_ property: String, entity: String) -> Bool { leftToCode[entity]?.contains(property) ?? false }
}
