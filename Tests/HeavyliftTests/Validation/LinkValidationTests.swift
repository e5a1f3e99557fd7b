import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore
@testable import HeavyliftEngine

/// Dangling links in a store, found with indexes, and rules that need no check.
@Suite struct LinkValidationTests {
  private static let model = ManagedObjectModel(
    name: "1",
    entities: [
      EntityDescription(
        name: "Item", attributes: [Models.attribute("size", .integer16, isOptional: false)],
        relationships: [
          Models.toOne("box", "Box", "items", isOptional: false), Models.toMany("tags", "Tag", "items"),
        ]),
      EntityDescription(name: "Box", relationships: [Models.toMany("items", "Item", "box")]),
      EntityDescription(name: "Tag", relationships: [Models.toMany("items", "Item", "tags")]),
    ])

  /// Returns the violations of a store of three items, a box and two tags after SQL has changed it.
  private func violations(_ sql: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let store = try PersistentStore.create(at: folder.appending("new.sqlite"), model: Self.model)
    defer { try? store.close() }
    let context = ManagedObjectContext(store: store)
    let (box, tags) = (try context.insert("Box"), try (0..<2).map { _ in try context.insert("Tag") })
    for number in 0..<3 as Range<Int64> {
      let item = try context.insert("Item")
      item["size"] = .integer(number)
      item[toOne: "box"] = box
      try item.setObjects(tags, forKey: "tags")
    }
    try context.save()
    try store.database.execute(sql)
    do {
      try StoreValidation(store).perform()
      return []
    } catch let error as HopError {
      return (error.underlying as? MigrationViolations)?.violations.map {
        String("\($0)".split(separator: "\n")[0])
      } ?? []
    }
  }

  @Test(
    arguments: [
      ("", []),
      (
        "DELETE FROM ZBOX",
        ["error[133000]: 3 × Item: 'box' refers to an object that does not exist (Item/p1, Item/p2, Item/p3)"]
      ),
      (
        "UPDATE ZITEM SET ZBOX = 7 WHERE Z_PK = 2",
        ["error[133000]: 1 × Item: 'box' refers to an object that does not exist (Item/p2)"]
      ),
      (
        "UPDATE ZITEM SET ZBOX = NULL WHERE Z_PK = 3",
        ["error[1570]: 1 × Item: 'box' is mandatory but has no target (Item/p3)"]
      ),
      (
        "DELETE FROM ZTAG WHERE Z_PK = 2",
        ["error[133000]: 3 × Item: 'tags' refers to an object that does not exist (Item/p1, Item/p2, Item/p3)"]
      ),
      (
        "DELETE FROM ZITEM WHERE Z_PK = 1",
        ["error[133000]: 2 × Tag: 'items' refers to an object that does not exist (Tag/p1, Tag/p2)"]
      ),
      (
        "UPDATE ZITEM SET ZSIZE = 40000 WHERE Z_PK = 1",
        ["error[1610]: 1 × Item: 'size' is larger than 32767, the maximum of Integer 16 (Item/p1)"]
      ),
      (
        "UPDATE ZITEM SET ZSIZE = NULL WHERE Z_PK = 1",
        ["error[1570]: 1 × Item: 'size' is mandatory and has no value (Item/p1)"]
      ),
    ] as [(String, [String])])
  func `broken rules are detected`(sql: String, expected: [String]) throws {
    #expect(try violations(sql) == expected)
  }

  @Test func `each broken rule is reported`() throws {
    let found = try violations(
      """
      UPDATE ZITEM SET ZSIZE = 40000 WHERE Z_PK = 1; UPDATE ZITEM SET ZSIZE = NULL WHERE Z_PK = 2;
      UPDATE ZITEM SET ZBOX = 7 WHERE Z_PK = 2; UPDATE ZITEM SET ZBOX = NULL WHERE Z_PK = 3
      """)
    #expect(found.count == 4)
    for line in ["1570]: 1 × Item: 'size'", "133000]: 1 × Item", "1570]: 1 × Item: 'box'", "1610]: 1 × Item"] {
      #expect(found.contains { $0.contains(line) }, "\(line)")
    }
  }
}
