@testable import Heavylift
@testable import HeavyliftStore

/// Leaves relationships to super, and reads them at various times or never.
final class LeavingPolicy: EntityMigrationPolicy {
  private func way(_ mapping: EntityMapping) -> Int { mapping.userInfo["way"].flatMap { Int($0) } ?? 0 }

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    if way(mapping) == 6, source.primaryKey.isMultiple(of: 3) { return }
    guard way(mapping) == 1 else {
      return try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    }
    // Creates its own object instead of the one from super.
    let object = try manager.destinationContext.insert(mapping.destinationEntityName ?? "")
    try manager.associate(sourceInstance: source, withDestinationInstance: object, for: mapping)
    log(manager, "made \(object) \(source)")
  }

  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let isChosen = destination.primaryKey.isMultiple(of: 3)
    if way(mapping) == 2, isChosen { try look(at: destination, "before", manager) }
    if way(mapping) == 3, isChosen { return }
    try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
    if way(mapping) == 4, isChosen { try look(at: destination, "after", manager) }
  }

  override func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    guard way(mapping) == 5 else { return }
    for entity in manager.destinationModel.entities where !entity.isAbstract {
      var request = FetchRequest(entityName: entity.name)
      request.includesSubentities = false
      for object in try manager.destinationContext.fetch(request) { try look(at: object, "at the end", manager) }
    }
  }

  private func look(at object: ManagedObject, _ when: String, _ manager: MigrationManager) throws {
    let links = try manager.destinationModel.allRelationships(of: object.entity).map { relationship in
      let targets =
        try relationship.isToMany
        ? object.objects(forKey: relationship.name) : [object.object(forKey: relationship.name)].compactMap(\.self)
      return "\(relationship.name)=\(targets)"
    }
    log(manager, "\(when) \(object) \(links.joined(separator: " "))")
  }

  private func log(_ manager: MigrationManager, _ line: String) {
    (manager.userInfo["log"] as? LawPolicy.Log)?.lines.append(line)
  }
}
