import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Policies that discard changes, and values that a migration keeps between its passes.
@Suite struct DiscardedChangeTests {
  @Test(arguments: ["rollback", "reset"])
  func `a policy that discards changes of written objects stops the migration`(method: String) throws {
    var migration = ShelfMigration()
    migration.shelf.connect = { object, _, manager, callSuper in
      try callSuper()
      object["name"] = "set"
      guard object.primaryKey == 3 else { return }
      if method == "reset" { try manager.destinationContext.reset() } else { try manager.destinationContext.rollback() }
    }
    #expect(
      try migration.failure() == """
        error[migration.134170]: entity mapping 'ShelfToShelf', in 'createRelationships', object 'Shelf/p3': \
        '\(method)()' discarded 3 changed objects of a migration
          set the old values again instead: '\(method)()' also discards changes that were made for other source objects
        """)
  }

  @Test func `a new object whose deletion is rolled back stops the migration`() throws {
    var migration = ShelfMigration()
    migration.shelf.create = { source, mapping, manager, callSuper in
      try callSuper()
      guard source.primaryKey == 1 else { return }
      try manager.destinationContext.delete(try #require(try manager.made(source, mapping)))
      try manager.destinationContext.rollback()
    }
    #expect(
      try migration.failure() == """
        error[migration.134170]: entity mapping 'ShelfToShelf', in 'createDestinationInstances', object 'Shelf/p1': \
        'rollback()' discarded 1 new object of a migration
          delete the objects that you do not want instead: 'rollback()' also discards those of other source objects
        """)
  }

  @Test func `an object that was deleted before the last save is not rolled back`() throws {
    var migration = ShelfMigration()
    migration.shelf.end = { _, manager in
      let context = try manager.destinationContext
      try context.delete(try context.insert("Shelf"))
      try context.save()
      context.rollback()
    }
    #expect(try migration.lines() == ShelfMigration.unchanged)
  }

  @Test(arguments: [false, true]) func `refreshing a new object changes nothing`(isFlushed: Bool) throws {
    var migration = ShelfMigration()
    var states: [String] = []
    migration.shelf.create = { source, mapping, manager, callSuper in
      try callSuper()
      let shelf = try #require(try manager.made(source, mapping))
      if isFlushed { _ = try manager.destinationContext.fetch(FetchRequest(entityName: "Shelf")) }
      shelf["name"] = "set"
      try manager.destinationContext.refresh(shelf)
      states = [
        "\(shelf.hasChanges) \(shelf.isUpdated) \(shelf.changedAttributeNames)",
        "\(try shelf.committedValue(forKey: "name"))",
      ]
    }
    let test = try migration.test()
    _ = try migration.migrate(test)
    #expect(try test.lines("Shelf", "name") == (1...3).map { "Shelf/p\($0) name=set" })
    #expect(states == ["true false [\"name\"]", "string(\"set\")"])
  }

  @Test func `transient values last from one pass to the next`() throws {
    var migration = ShelfMigration()
    migration.book.create = { source, mapping, manager, callSuper in
      try callSuper()
      guard source.primaryKey != 6 else { return }
      let book = try #require(try manager.made(source, mapping))
      book["draft"] = .string("\(source.primaryKey)")
      // Changed once it is written.
      if source.primaryKey == 4 {
        try manager.destinationContext.save()
        book["draft"] = "changed"
      }
    }
    migration.book.connect = { object, _, _, callSuper in
      try callSuper()
      object["title"] = object["draft"]
    }
    let test = try migration.test()
    _ = try migration.migrate(test)
    #expect(
      try test.lines("Book", "title") == [
        "Book/p1 title=1", "Book/p2 title=2", "Book/p3 title=3", "Book/p4 title=changed", "Book/p5 title=5",
        "Book/p6 title=none",
      ])
  }

  @Test(arguments: [false, true], [["Shelf", "Book"], ["Book", "Shelf"]])
  func `an object that is created in the second pass gets its relationships`(
    forcesObjects: Bool, order: [String]
  ) throws {
    var migration = ShelfMigration(order: order, forcesObjects: forcesObjects)
    migration.shelf.create = { source, _, _, callSuper in
      if source.primaryKey != 3 { try callSuper() }
    }
    migration.shelf.connect = { object, mapping, manager, callSuper in
      try callSuper()
      guard object.primaryKey == 1 else { return }
      let source = try manager.sourceContext.fetch(FetchRequest(entityName: "Shelf"))[2]
      try EntityMigrationPolicy().createDestinationInstances(forSource: source, in: mapping, manager: manager)
    }
    let test = try migration.test()
    let report = try migration.migrate(test)
    #expect(try test.lines("Shelf", "books") + test.lines("Book", "shelf") == ShelfMigration.unchanged)
    #expect(!report.notes.contains { $0.code == "migration.late-objects" })
  }

  @Test func `a source object that is deleted before its turn is not migrated`() throws {
    var migration = ShelfMigration()
    migration.shelf.create = { source, _, manager, callSuper in
      if source.primaryKey == 1 {
        try manager.sourceContext.delete(manager.sourceContext.fetch(FetchRequest(entityName: "Shelf"))[1])
      }
      try callSuper()
    }
    let test = try migration.test()
    let report = try migration.migrate(test)
    #expect(
      try test.lines("Shelf", "books") == ["Shelf/p1 books=[Book/p1 Book/p2]", "Shelf/p3 books=[Book/p5 Book/p6]"])
    #expect(report.rows.first { $0.entityName == "Shelf" }?.unused == 1)
  }
}
