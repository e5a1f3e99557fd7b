@testable import Heavylift
@testable import HeavyliftStore

/// A policy whose methods a test writes as closures. Methods without a closure call `super`.
final class ScriptedPolicy: EntityMigrationPolicy {
  struct Script {
    typealias End = (EntityMapping, MigrationManager) throws -> Void

    var create: ((ManagedObject, EntityMapping, MigrationManager, _ callSuper: () throws -> Void) throws -> Void)?
    var endInstances: End?
    var connect: ((ManagedObject, EntityMapping, MigrationManager, _ callSuper: () throws -> Void) throws -> Void)?
    var endRelationships: End?
    var end: End?
  }

  private func script(_ mapping: EntityMapping, _ manager: MigrationManager) -> Script {
    manager.userInfo[mapping.name] as? Script ?? Script()
  }

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let callSuper = { try super.createDestinationInstances(forSource: source, in: mapping, manager: manager) }
    guard let create = script(mapping, manager).create else { return try callSuper() }
    try create(source, mapping, manager, callSuper)
  }

  override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    try script(mapping, manager).endInstances?(mapping, manager)
  }

  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let callSuper = { try super.createRelationships(forDestination: destination, in: mapping, manager: manager) }
    guard let connect = script(mapping, manager).connect else { return try callSuper() }
    try connect(destination, mapping, manager, callSuper)
  }

  override func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    try script(mapping, manager).endRelationships?(mapping, manager)
  }

  override func end(_ mapping: EntityMapping, manager: MigrationManager) throws {
    try script(mapping, manager).end?(mapping, manager)
  }
}

extension MigrationManager {
  /// The first object that an entity mapping created from a source object.
  func made(_ source: ManagedObject, _ mapping: EntityMapping) throws -> ManagedObject? {
    try destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source]).first
  }
}

/// Shelves with two books each, migrated with `ScriptedPolicy`.
struct ShelfMigration {
  typealias Script = ScriptedPolicy.Script

  var shelf = Script()
  var book = Script()
  /// The entities in the order of their mappings.
  var order = ["Shelf", "Book"]
  var deleteRule = DeleteRule.nullify
  var forcesObjects = false
  var shelves = 3

  static func model(_ deleteRule: DeleteRule) -> ManagedObjectModel {
    var books = Models.toMany("books", "Book", "shelf")
    var readers = Models.toMany("readers", "Reader", "shelves")
    (books.deleteRule, readers.deleteRule) = (deleteRule, deleteRule)
    return ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Shelf", attributes: [Models.attribute("name", .string)], relationships: [books, readers]),
        EntityDescription(
          name: "Book",
          attributes: [
            Models.attribute("title", .string),
            AttributeDescription(name: "draft", type: .string, isTransient: true, defaultValue: "none"),
          ],
          relationships: [Models.toOne("shelf", "Shelf", "books"), Models.toOne("sequel", "Book")]),
        EntityDescription(name: "Reader", relationships: [Models.toMany("shelves", "Shelf", "readers")]),
      ])
  }

  func test() throws -> MigrationTest {
    let test = try MigrationTest(
      from: Self.model(.nullify), to: Self.model(deleteRule), policies: PolicyRegistry(ScriptedPolicy.self)
    ) { context in
      for index in 0..<shelves {
        let shelf = try context.insert("Shelf")
        shelf["name"] = .string("\(index)")
        for _ in 0..<2 {
          let book = try context.insert("Book")
          book["title"] = "old"
          book[toOne: "shelf"] = shelf
        }
      }
    }
    test.manager.userInfo = ["ShelfToShelf": shelf, "BookToBook": book]
    return test
  }

  func migrate(_ test: MigrationTest) throws -> MigrationReport {
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    return try test.migrate(
      MappingModel(
        entityMappings: order.map { EntityMappingDescription(source: $0, destination: $0, policy: "ScriptedPolicy") }),
      options: options)
  }

  /// The shelves and books of the new store.
  func lines() throws -> [String] {
    let test = try test()
    _ = try migrate(test)
    return try test.lines("Shelf", "books") + test.lines("Book", "shelf")
  }

  func failure() throws -> String? {
    let test = try test()
    return test.failure { _ = try migrate(test) }?.description
  }

  /// The lines of a migration without a script.
  static let unchanged = [
    "Shelf/p1 books=[Book/p1 Book/p2]", "Shelf/p2 books=[Book/p3 Book/p4]", "Shelf/p3 books=[Book/p5 Book/p6]",
    "Book/p1 shelf=Shelf/p1", "Book/p2 shelf=Shelf/p1", "Book/p3 shelf=Shelf/p2", "Book/p4 shelf=Shelf/p2",
    "Book/p5 shelf=Shelf/p3", "Book/p6 shelf=Shelf/p3",
  ]
}
