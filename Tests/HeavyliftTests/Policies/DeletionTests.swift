import Foundation
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Policies that delete destination objects.
@Suite struct DeletionTests {
  private typealias Script = ScriptedPolicy.Script

  private static func secondShelf(_ manager: MigrationManager) throws -> ManagedObject {
    try #require(
      manager.destinationContext.fetch(FetchRequest(entityName: "Shelf", where: "name == '1'")).first)
  }

  // MARK: Created again

  @Test(arguments: [["Shelf", "Book"], ["Book", "Shelf"]], [false, true])
  func `an object that is deleted and created again keeps its links`(order: [String], isFlushed: Bool) throws {
    var migration = ShelfMigration(order: order)
    migration.shelf.create = { source, mapping, manager, callSuper in
      try callSuper()
      let context = try manager.destinationContext
      try context.delete(try #require(try manager.made(source, mapping)))
      if isFlushed { _ = try context.fetch(FetchRequest(entityName: "Book")) }
      try callSuper()
    }
    #expect(try migration.lines() == ShelfMigration.unchanged)
  }

  @Test func `a link to an object that was created again is written`() throws {
    var migration = ShelfMigration()
    migration.shelf.create = { source, mapping, manager, callSuper in
      try callSuper()
      try manager.destinationContext.delete(try #require(try manager.made(source, mapping)))
      try callSuper()
      if source.primaryKey == 2 {
        try manager.destinationContext.insert("Book")[toOne: "shelf"] = manager.made(source, mapping)
      }
    }
    // `super` would set the shelf's books to those of the old store.
    migration.shelf.connect = { _, _, _, _ in }
    #expect(try migration.lines().last == "Book/p7 shelf=Shelf/p2")
  }

  @Test(arguments: [["Shelf", "Book"], ["Book", "Shelf"]], [false, true])
  func `an object that is created again in the second pass does not get its former links`(
    order: [String], forcesObjects: Bool
  ) throws {
    var migration = ShelfMigration(order: order, forcesObjects: forcesObjects)
    migration.shelf.endRelationships = { mapping, manager in
      let shelf = try Self.secondShelf(manager)
      let source = try manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [shelf])[0]
      try manager.destinationContext.delete(shelf)
      try EntityMigrationPolicy().createDestinationInstances(forSource: source, in: mapping, manager: manager)
    }
    let test = try migration.test()
    // If the books' turn is still to come, their own mapping links them.
    guard order == ["Shelf", "Book"] else {
      let failure = test.failure { _ = try migration.migrate(test) }
      #expect(
        failure?.problem == """
          2 links of relationship 'Book.shelf' would be lost: 1 × Shelf were created after entity mapping 'ShelfToShelf' \
          had set its relationships, so it did not set theirs
          """)
      return
    }
    let report = try migration.migrate(test)
    #expect(
      try test.lines("Shelf", "books") == [
        "Shelf/p1 books=[Book/p1 Book/p2]", "Shelf/p2 books=[Book/p3 Book/p4]", "Shelf/p3 books=[Book/p5 Book/p6]",
      ])
    #expect(
      report.notes.map(\.description).filter { $0.contains("late-objects") } == [
        """
        warning[migration.late-objects]: 1 × Shelf were created after entity mapping 'ShelfToShelf' had set its \
        relationships, so it did not set theirs
          create them in the first pass, or call 'super.createRelationships(forDestination:in:manager:)' for them
        """
      ])
  }

  @Test(arguments: [false, true]) func `relationships that are set early do not lead to objects that are created later`(
    forcesObjects: Bool
  ) throws {
    var migration = ShelfMigration(forcesObjects: forcesObjects)
    var seen: [ManagedObject] = []
    migration.shelf.create = { source, mapping, manager, callSuper in
      try callSuper()
      let shelf = try #require(try manager.made(source, mapping))
      try EntityMigrationPolicy().createRelationships(forDestination: shelf, in: mapping, manager: manager)
      seen += shelf[toMany: "books"]
    }
    #expect(try migration.lines() == ShelfMigration.unchanged)
    #expect(seen == [])
  }

  // MARK: Delete rules

  @Test(arguments: [["Shelf", "Book"], ["Book", "Shelf"]], [false, true])
  func `delete rules apply to links that are shown`(order: [String], forcesObjects: Bool) throws {
    for (rule, hook) in [(DeleteRule.cascade, "connect"), (.cascade, "end"), (.nullify, "connect"), (.nullify, "end")] {
      var migration = ShelfMigration(order: order, deleteRule: rule, forcesObjects: forcesObjects)
      var seen: [String] = []
      func delete(_ manager: MigrationManager) throws {
        let shelf = try Self.secondShelf(manager)
        let books = shelf[toMany: "books"]
        try manager.destinationContext.delete(shelf)
        seen = books.map { "\($0) \($0.isDeleted) \($0[toOne: "shelf"]?.description ?? "-")" }
      }
      if hook == "connect" {
        migration.shelf.connect = { object, _, manager, callSuper in
          try callSuper()
          if object.primaryKey == 2 { try delete(manager) }
        }
      } else {
        migration.shelf.endRelationships = { try delete($1) }
      }
      let lines = try migration.lines()
      #expect(seen == ["Book/p3 \(rule == .cascade) -", "Book/p4 \(rule == .cascade) -"], "\(rule) \(hook)")
      let others = ShelfMigration.unchanged.filter { !$0.contains("Shelf/p2") }
      let books = rule == .cascade ? [] : ["Book/p3 shelf=nil", "Book/p4 shelf=nil"]
      #expect(lines == Array(others[..<4]) + books + Array(others[4...]), "\(rule) \(hook)")
    }
  }

  @Test(arguments: [false, true])
  func `the rule "Deny" prevents a deletion, unless the targets go, too`(isFlushed: Bool) throws {
    var migration = ShelfMigration(deleteRule: .deny)
    migration.shelf.end = { _, manager in
      let context = try manager.destinationContext
      let shelf = try Self.secondShelf(manager)
      let books = shelf[toMany: "books"]
      try context.delete(shelf)
      if isFlushed { try context.save() }
      // The first book is deleted, and the second one gets another shelf.
      try context.delete(books[0])
      books[1][toOne: "shelf"] = try context.fetch(FetchRequest(entityName: "Shelf"))[0]
    }
    #expect(
      try migration.lines() == [
        "Shelf/p1 books=[Book/p1 Book/p2 Book/p4]", "Shelf/p3 books=[Book/p5 Book/p6]", "Book/p1 shelf=Shelf/p1",
        "Book/p2 shelf=Shelf/p1", "Book/p4 shelf=Shelf/p1", "Book/p5 shelf=Shelf/p3", "Book/p6 shelf=Shelf/p3",
      ])
    migration.shelf.end = { _, manager in
      let context = try manager.destinationContext
      let shelf = try context.insert("Shelf")
      try shelf.add(try context.insert("Reader"), to: "readers")
      if isFlushed { try context.save() }
      try context.delete(shelf)
    }
    #expect(
      try migration.failure() == """
        error[migration.1600]: the migrated store breaks a rule of its model in 1 place:
        error[1600]: 1 × Shelf: 'readers' prevents the deletion of an object while it refers to others (Shelf/p4)
          first delete the objects that it refers to, or remove them from the relationship
        """)
  }

  @Test(arguments: [["Shelf", "Book"], ["Book", "Shelf"]], [DeleteRule.noAction, .deny])
  func `links that a deletion does not remove are reported, even if they were written early`(
    order: [String], rule: DeleteRule
  ) throws {
    for hook in ["connect", "endRelationships"] {
      var failures: [String?] = []
      for forcesObjects in [true, false] {
        var migration = ShelfMigration(order: order, deleteRule: rule, forcesObjects: forcesObjects)
        let delete: Script.End = { try $1.destinationContext.delete(try Self.secondShelf($1)) }
        // When all links are set.
        switch (hook, order[0]) {
        case ("connect", "Book"):
          migration.shelf.connect = { object, mapping, manager, callSuper in
            try callSuper()
            if object.primaryKey == 2 { try delete(mapping, manager) }
          }
        case (_, "Book"): migration.shelf.endRelationships = delete
        default: migration.book.endRelationships = delete
        }
        failures.append(try migration.failure())
      }
      let denied = """

        error[1600]: 1 × Shelf: 'books' prevents the deletion of an object while it refers to others (Shelf/p2)
          first delete the objects that it refers to, or remove them from the relationship
        """
      #expect(
        failures[0] == """
          error[migration.1560]: the migrated store breaks \(rule == .deny ? "2 rules" : "a rule") of its model \
          in \(rule == .deny ? 3 : 2) places:
          error[133000]: 2 × Book: 'shelf' refers to an object that does not exist (Book/p3, Book/p4)
            do not link to objects that a policy deletes\(rule == .deny ? denied : "")
          """)
      #expect(failures[1] == failures[0], "\(hook)")
    }
  }

  @Test(arguments: [false, true]) func `a link without an inverse to a deleted object is reported`(
    forcesObjects: Bool
  ) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "Book", relationships: [Models.toOne("sequel", "Sequel")]),
      EntityDescription(name: "Sequel"),
    ])
    let test = try MigrationTest(from: model, to: model, policies: PolicyRegistry(ScriptedPolicy.self)) { context in
      try context.insert("Book")[toOne: "sequel"] = context.insert("Sequel")
    }
    test.manager.userInfo["BookToBook"] = Script(endRelationships: { _, manager in
      let context = try manager.destinationContext
      try context.delete(context.fetch(FetchRequest(entityName: "Sequel"))[0])
    })
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    let failure = test.failure {
      try test.migrate(
        MappingModel(
          entityMappings: ["Book", "Sequel"].map {
            EntityMappingDescription(source: $0, destination: $0, policy: "ScriptedPolicy")
          }), options: options)
    }
    #expect(
      failure?.description == """
        error[migration.133000]: the migrated store breaks a rule of its model in 1 place:
        error[133000]: 1 × Book: 'sequel' refers to an object that does not exist (Book/p1)
          do not link to objects that a policy deletes
        """)
  }

  @Test func `a deletion that is rolled back is not denied`() throws {
    var migration = ShelfMigration(deleteRule: .deny)
    migration.shelf.end = { _, manager in
      try manager.destinationContext.delete(try Self.secondShelf(manager))
      try manager.destinationContext.rollback()
    }
    #expect(try migration.lines() == ShelfMigration.unchanged)
  }

  // MARK: Links to deleted objects

  @Test(arguments: [false, true]) func `an object is not linked to a deleted one`(isFlushed: Bool) throws {
    var migration = ShelfMigration()
    migration.shelf.create = { source, mapping, manager, callSuper in
      try callSuper()
      let (context, shelf) = try (manager.destinationContext, manager.made(source, mapping))
      let reader = try context.insert("Reader")
      if isFlushed { try context.save() }
      try context.delete(reader)
      try shelf?.add(reader, to: "readers")
    }
    #expect(
      try migration.failure() == """
        error[migration.134170]: entity mapping 'ShelfToShelf', in 'createDestinationInstances', object 'Shelf/p1': \
        relationship 'readers' of entity 'Shelf' cannot lead to Reader/p1, which was deleted
          set an object that was not deleted, or none
        """)
  }

  @Test func `a context that a policy keeps refuses deletions after the migration`() throws {
    var kept: ManagedObject?
    var migration = ShelfMigration()
    migration.shelf.end = { _, manager in kept = try Self.secondShelf(manager) }
    var context: ManagedObjectContext?
    migration.book.end = { _, manager in context = try manager.destinationContext }
    _ = try migration.lines()
    let object = try #require(kept)
    #expect(throws: Diagnostic.self) { try context?.delete(object) }
  }
}
