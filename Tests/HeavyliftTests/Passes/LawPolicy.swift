import Foundation

@testable import Heavylift
@testable import HeavyliftStore

/// Reads everything that a policy can see, keeps objects for all passes, and sets what mappings set, too.
final class LawPolicy: EntityMigrationPolicy {
  /// The policy's observations, hook by hook.
  final class Log {
    var lines: [String] = []
  }

  private var held: [ManagedObject] = []
  private var last: ManagedObject?

  private func way(_ mapping: EntityMapping) -> Int { mapping.userInfo["way"].flatMap { Int($0) } ?? 0 }

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    switch way(mapping) {
    case 1 where last != nil && source.primaryKey.isMultiple(of: 2):
      // Merges several source objects into one.
      if let last { try manager.associate(sourceInstance: source, withDestinationInstance: last, for: mapping) }
      return
    case 2 where source.primaryKey.isMultiple(of: 3):
      // Creates its own object instead of the declared one.
      let object = try manager.destinationContext.insert(mapping.destinationEntityName ?? "")
      try manager.associate(sourceInstance: source, withDestinationInstance: object, for: mapping)
      last = object
    case 3 where source.primaryKey.isMultiple(of: 2):
      // Creates an extra object.
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      let object = try manager.destinationContext.insert(mapping.destinationEntityName ?? "")
      try manager.associate(sourceInstance: source, withDestinationInstance: object, for: mapping)
    default: try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    }
    let made = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
    held += made
    last = made.first ?? last
  }

  override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    if way(mapping) == 4 { try connectHeld(manager) }
    try look("made", mapping, manager)
  }

  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    if destination.primaryKey.isMultiple(of: 4) { return }
    try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
  }

  override func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    try look("connected", mapping, manager)
    if way(mapping) >= 3 { try connectHeld(manager) }
  }

  /// Connects its objects with any others, so that other mappings have links to replace.
  private func connectHeld(_ manager: MigrationManager) throws {
    for (place, object) in held.enumerated() where !place.isMultiple(of: 3) {
      for relationship in object.entity.relationships {
        var request = FetchRequest(entityName: relationship.destinationEntityName ?? "")
        request.includesSubentities = false
        let others = try manager.destinationContext.fetch(request)
        guard !others.isEmpty else { continue }
        let other = others[place % others.count]
        if relationship.isToMany {
          try object.add(other, to: relationship.name)
        } else {
          try object.setObject(other, forKey: relationship.name)
        }
      }
    }
  }

  private func look(_ hook: String, _ mapping: EntityMapping, _ manager: MigrationManager) throws {
    guard let log = manager.userInfo["log"] as? Log else { return }
    for entity in manager.destinationModel.entities {
      var request = FetchRequest(entityName: entity.name)
      request.includesSubentities = false
      let names = manager.destinationModel.allRelationships(of: entity).map { ($0.name, $0.isToMany) }
      for object in try manager.destinationContext.fetch(request) {
        let links = try names.map { name, isToMany in
          let targets = try isToMany ? object.objects(forKey: name) : [object.object(forKey: name)].compactMap(\.self)
          return "\(name)=\(targets)"
        }
        log.lines.append("\(hook) \(mapping.name): \(object) \(links.joined(separator: " "))")
      }
    }
  }
}
