import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// A policy deletes a destination object and calls `rollback()`, because the deletion fails or because it changes its
/// mind. The migration ends as if it had not called `delete`.
@Suite struct RolledBackDeletionTests {
  private final class Undecided: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      guard manager.userInfo["associates"] as? Bool == true else {
        return try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      }
      let shelf = try manager.destinationContext.insert("Shelf")
      shelf["name"] = source["name"]
      try manager.associate(sourceInstance: source, withDestinationInstance: shelf, for: mapping)
    }

    override func end(_ mapping: EntityMapping, manager: MigrationManager) throws {
      let context = try manager.destinationContext
      let deletion = manager.userInfo["deletion"] as? String ?? ""
      let sources = try manager.sourceContext.fetch(FetchRequest(entityName: "Shelf"))
      func counterparts() throws -> [ManagedObject] {
        try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: sources)
      }
      let before = try counterparts().map(\.objectID)
      let shelf = try #require(try context.fetch(FetchRequest(entityName: "Shelf")).first)
      switch deletion {
      case "none": return
      case "succeeds": try context.delete(shelf)
      case "fails":
        // The second book cannot be read, so it cannot be taken from its shelf.
        try context.store.database.execute("UPDATE ZBOOK SET ZTITLE = x'00' WHERE Z_PK = 2")
        #expect(throws: Diagnostic.self) { try context.delete(shelf) }
        try context.store.database.execute("UPDATE ZBOOK SET ZTITLE = 'b' WHERE Z_PK = 2")
      default: Issue.record("unknown deletion '\(deletion)'")
      }
      #expect(try counterparts().map(\.objectID) != before)
      context.rollback()
      #expect(try counterparts().map(\.objectID) == before)
      #expect(!shelf.isDeleted)
    }
  }

  private static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Shelf", attributes: [Models.attribute("name", .string)],
        relationships: [Models.toMany("books", "Book", "shelf")]),
      EntityDescription(
        name: "Book", attributes: [Models.attribute("title", .string)],
        relationships: [Models.toOne("shelf", "Shelf", "books")]),
    ])

  private func migrate(_ deletion: String, associates: Bool) throws -> ([MigrationReport.Rows], [String: [String]]) {
    let test = try MigrationTest(from: Self.model, to: Self.model, policies: PolicyRegistry(Undecided.self)) {
      context in
      let shelf = try context.insert("Shelf")
      shelf["name"] = "first"
      try context.insert("Shelf")["name"] = "second"
      for title in ["a", "b", "c"] {
        let book = try context.insert("Book")
        book["title"] = .string(title)
        book[toOne: "shelf"] = shelf
      }
    }
    test.manager.userInfo = ["deletion": deletion, "associates": associates]
    let report = try test.migrate(
      EntityMappingDescription(source: "Book", destination: "Book"),
      EntityMappingDescription(source: "Shelf", destination: "Shelf", policy: "Undecided"))
    return (report.rows, try test.contents())
  }

  @Test(arguments: ["fails", "succeeds"], [false, true])
  func `a deletion that a policy rolls back has no effect`(deletion: String, associates: Bool) throws {
    let expected = try migrate("none", associates: associates)
    let actual = try migrate(deletion, associates: associates)
    #expect(actual.1 == expected.1)
    #expect(actual.0 == expected.0)
    let first = associates ? 3 : 1
    #expect(
      expected.1["Shelf"] == [
        "Shelf/p\(first) books=[Book/p1 Book/p2 Book/p3] name=first", "Shelf/p\(first + 1) books=[] name=second",
      ])
  }

  private final class Discarding: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      if source["name"] == "second" { for _ in 0..<2 { try manager.destinationContext.rollback() } }
    }
  }

  @Test func `a policy that discards new objects stops the migration`() throws {
    let test = try MigrationTest(from: Self.model, to: Self.model, policies: PolicyRegistry(Discarding.self)) {
      for name in ["first", "second", "third"] { try $0.insert("Shelf")["name"] = .string(name) }
    }
    let error = test.failure {
      try test.migrate(EntityMappingDescription(source: "Shelf", destination: "Shelf", policy: "Discarding"))
    }
    #expect(
      error?.description == """
        error[migration.134170]: entity mapping 'ShelfToShelf', in 'createDestinationInstances', object 'Shelf/p2': \
        'rollback()' discarded 1 new object of a migration
          delete the objects that you do not want instead: 'rollback()' also discards those of other source objects
        """)
  }
}
