@testable import Heavylift
@testable import HeavyliftStore

/// Uses source objects in every way that policies do, and logs what it sees.
final class CuriousPolicy: EntityMigrationPolicy {
  private struct Refusal: Error {}

  private var held: [ManagedObject] = []

  private func way(_ mapping: EntityMapping) -> Int { mapping.userInfo["way"].flatMap { Int($0) } ?? 0 }

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try before(source, mapping, manager)
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let made = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
    for object in made { log(manager, "made \(object) \(try values(of: object))") }
    try after(source, made, mapping, manager)
  }

  private func before(_ source: ManagedObject, _ mapping: EntityMapping, _ manager: MigrationManager) throws {
    let key = source.primaryKey
    switch way(mapping) {
    case 1: log(manager, "read \(source) \(try values(of: source))")
    case 2 where key.isMultiple(of: 3): log(manager, "followed \(source) \(try links(of: source))")
    case 3:
      // Includes the next row, which has already been read.
      let others = try manager.sourceContext.fetch(FetchRequest(entityName: source.entity.name))
      log(manager, "fetched \(try others.prefix(5).map { "\($0) \(try values(of: $0))" })")
      if key.isMultiple(of: 2) { held += others }
    case 4 where key.isMultiple(of: 3):
      for attribute in source.entity.attributes where attribute.type == .string { source[attribute.name] = "changed" }
    case 5 where key.isMultiple(of: 4):
      for property in mapping.attributeMappings where property.name == "text" {
        property.valueExpression = try MappingExpression(parsing: "'set'")
      }
    case 6 where key.isMultiple(of: 3):
      // Creates its own object before the one from super.
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    case 7 where key == 6: throw Refusal()
    case 8 where key.isMultiple(of: 2): try manager.sourceContext.delete(source)
    case 10: try search(source, manager)
    default: break
    }
  }

  private func after(
    _ source: ManagedObject, _ made: [ManagedObject], _ mapping: EntityMapping, _ manager: MigrationManager
  ) throws {
    switch way(mapping) {
    case 0 where source.primaryKey.isMultiple(of: 3), 4: held.append(source)
    case 5 where source.primaryKey.isMultiple(of: 5):
      mapping.attributeMapping(named: "text")?.valueExpression = try MappingExpression(parsing: "$source.text")
    case 9:
      for object in made {
        for attribute in object.entity.attributes where attribute.type == .string {
          object[attribute.name] =
            source.entity.attributes.contains { $0.name == attribute.name } && source.primaryKey.isMultiple(of: 2)
            ? source[attribute.name] : "own"
        }
        // A value that the writing thread checks.
        for attribute in object.entity.attributes where attribute.type == .integer16 {
          if source.primaryKey.isMultiple(of: 3) { object[attribute.name] = .null }
        }
        log(manager, "changed \(object) \(try values(of: object))")
      }
    default: break
    }
  }

  override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    for object in held { log(manager, "held \(object) \(try values(of: object)) \(try links(of: object))") }
    held = []
  }

  /// Searches objects by their attributes, by their relationships and by those of other objects, and sorts them.
  private func search(_ source: ManagedObject, _ manager: MigrationManager) throws {
    for relationship in source.entity.relationships {
      guard let other = relationship.destinationEntityName, let name = relationship.inverseName,
        let entity = manager.sourceModel.entity(named: other),
        let inverse = manager.sourceModel.allRelationships(of: entity).first(where: { $0.name == name })
      else { continue }
      let request = try FetchRequest(
        entityName: other, where: "\(inverse.isToMany ? "ANY " : "")\(name) == %@", source)
      log(manager, "\(source) is \(name) of \(try manager.sourceContext.fetch(request))")
    }
    var request = FetchRequest(entityName: source.entity.name)
    request.sortKeys = source.entity.attributes.filter { $0.type == .string }.map { .init(keyPath: $0.name) }
    request.fetchLimit = 3
    if source.entity.relationships.contains(where: { $0.name == "album" }) {
      request.sortKeys = [.init(keyPath: "album.name", isAscending: false)] + request.sortKeys
      request.predicate = try MappingPredicate(parsing: "album.year != 1999 AND tags.@count < 3 OR text == 'a'")
    }
    log(manager, "first \(try manager.sourceContext.fetch(request))")
    let next = try manager.sourceContext.existingObject(numbered: source.entityNumber, key: source.primaryKey + 1)
    log(manager, "next \(try next.map { try values(of: $0) } ?? [])")
  }

  private func values(of object: ManagedObject) throws -> [String] {
    try object.entity.attributes.map { "\($0.name)=\(try object.value(forKey: $0.name) as Value)" }
  }

  private func links(of object: ManagedObject) throws -> [String] {
    try object.entity.relationships.map { relationship in
      let targets =
        try relationship.isToMany
        ? object.objects(forKey: relationship.name) : [object.object(forKey: relationship.name)].compactMap(\.self)
      return "\(relationship.name)=\(targets)"
    }
  }

  private func log(_ manager: MigrationManager, _ line: String) {
    (manager.userInfo["log"] as? LawPolicy.Log)?.lines.append(line)
  }
}
