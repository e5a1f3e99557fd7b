import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Indexes that are created while policies set relationships.
@Suite struct EarlyIndexTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(name: "Author", relationships: [Models.toMany("books", "Book", "author")]),
    EntityDescription(name: "Book", relationships: [Models.toOne("author", "Author", "books")]),
  ])

  /// Notes whether indexes are being created when it is done.
  private class Noting: EntityMigrationPolicy {
    override func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
      manager.userInfo["isIndexing"] = manager.run?.destination.isIndexing
    }
  }

  private final class Quiet: Noting {}

  private final class Linking: Noting {
    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      if manager.run?.destination.isIndexing == true { manager.userInfo["wasIndexing"] = true }
      try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
      if destination.primaryKey == 2 { try destination.setObject(nil, forKey: "author") }
    }
  }

  private final class Failing: Noting {
    struct Reason: Error {}

    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      manager.userInfo["isIndexing"] = manager.run?.destination.isIndexing
      if destination.primaryKey == 600 { throw Reason() }
    }
  }

  private static func test(_ policy: EntityMigrationPolicy.Type, books: Int = 1_000) throws -> MigrationTest {
    try MigrationTest(from: model, to: model, policies: PolicyRegistry(policy)) { context in
      let author = try context.insert("Author")
      for _ in 0..<books { try context.insert("Book")[toOne: "author"] = author }
    }
  }

  private static func mapping(_ policy: EntityMigrationPolicy.Type) -> EntityMappingDescription {
    EntityMappingDescription(source: "Book", destination: "Book", policy: "\(policy)")
  }

  @Test func `indexes are created once a policy has changed nothing for the first objects`() throws {
    let test = try Self.test(Quiet.self)
    try test.migrate(Self.mapping(Quiet.self))
    #expect(test.manager.userInfo["isIndexing"] as? Bool == true)
    let few = try Self.test(Quiet.self, books: 256)
    try few.migrate(Self.mapping(Quiet.self))
    #expect(few.manager.userInfo["isIndexing"] as? Bool == false)
  }

  @Test func `no index is created while a policy sets relationships`() throws {
    let test = try Self.test(Linking.self)
    try test.migrate(Self.mapping(Linking.self))
    #expect(test.manager.userInfo["isIndexing"] as? Bool == false)
    #expect(test.manager.userInfo["wasIndexing"] == nil)
  }

  @Test func `a policy that fails while indexes are created leaves nothing behind`() throws {
    let test = try Self.test(Failing.self)
    let before = try FileManager.default.contentsOfDirectory(atPath: test.folder.url.path).sorted()
    let error = test.failure { try test.migrate(Self.mapping(Failing.self)) }
    #expect(error?.code == .entityMigrationPolicy)
    #expect(test.manager.userInfo["isIndexing"] as? Bool == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: test.folder.url.path).sorted() == before)
  }
}
