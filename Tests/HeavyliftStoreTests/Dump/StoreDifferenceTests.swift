import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftSQLite
@testable import HeavyliftStore
@testable import HeavyliftReports

struct StoreDifferenceTests {
  private func pair(
    _ changes: String, options: StoreDifference.Options = .init()
  ) throws -> StoreDifference {
    let (folder, first) = try DumpStores.filled()
    let (otherFolder, second) = try DumpStores.filled()
    try second.database.execute(changes)
    defer { withExtendedLifetime((folder, otherFolder)) {} }
    return try StoreDifference(from: first, to: second, options: options)
  }

  @Test func `a store does not differ from one with the same content`() throws {
    let difference = try pair("VACUUM")
    #expect(difference.isEmpty)
    #expect(difference.entities.map(\.name) == ["Book", "Person", "Song", "Tag", "Value", "Work"])
    #expect(difference.entities.map(\.same) == [1, 2, 2, 3, 0, 0])
  }

  @Test func `one changed value is found exactly`() throws {
    let difference = try pair("UPDATE ZWORK SET ZTITLE = 'Kosmos' WHERE Z_PK = 1")
    var book = StoreDifference.Entity(name: "Book")
    book.changed = 1
    book.changedProperties = ["title": 1]
    book.changedExamples = [.init(key: 1, properties: [.init(name: "title")])]
    #expect(difference.entities.filter { !$0.isSame } == [book])
    #expect(!difference.isEmpty)
  }

  @Test func `values are shown on request, shortened between characters`() throws {
    var options = StoreDifference.Options()
    options.includesValues = true
    options.valueLimit = 7
    let difference = try pair("UPDATE ZWORK SET ZTITLE = 'äöüäöü', ZPAGES = NULL WHERE Z_PK = 1", options: options)
    #expect(
      difference.entities[0].changedExamples == [
        .init(
          key: 1,
          properties: [
            .init(name: "pages", old: "7", new: "null"), .init(name: "title", old: "\"Cosmos…", new: "\"äöü…"),
          ])
      ])
  }

  @Test func `added and removed objects are counted, with examples of some`() throws {
    var options = StoreDifference.Options()
    options.exampleLimit = 2
    let difference = try pair(
      """
      DELETE FROM ZTAG;
      INSERT INTO ZVALUE (Z_PK, Z_ENT) VALUES (4, 3), (6, 3), (8, 3)
      """, options: options)
    #expect(
      difference.entities.filter { !$0.isSame }.map { "\($0.name) +\($0.added) -\($0.removed) ~\($0.changed)" } == [
        "Person +0 -0 ~1", "Tag +0 -3 ~0", "Value +3 -0 ~0",
      ])
    #expect(difference.entities[3].removedExamples == [1, 2])
    #expect(difference.entities[4].addedExamples == [4, 6])
    #expect(difference.entities[1].changedProperties == ["favourites": 1])
  }

  @Test func `another order of an ordered relationship is a difference`() throws {
    let difference = try pair("UPDATE ZTAG SET Z_FOK_FAN = 4096 WHERE Z_PK = 2")
    #expect(difference.entities.filter { !$0.isSame }.map(\.changedProperties) == [["favourites": 1]])
  }

  @Test func `contents too long to keep are compared to their last byte`() throws {
    let (folder, first) = try DumpStores.make()
    let (otherFolder, second) = try DumpStores.make()
    let bytes = Data(repeating: 7, count: 900_000)
    for store in [first, second] {
      let name = try store.externalData.write(store === first ? bytes : bytes.dropLast() + [8])
      try store.database.run(
        "INSERT INTO ZVALUE (Z_PK, Z_ENT, ZFILE, ZRAW) VALUES (1, 3, ?, ?)", ExternalDataFormat.reference(to: name),
        .blob(bytes))
    }
    let difference = try StoreDifference(from: first, to: second)
    #expect(difference.entities.filter { !$0.isSame }.map(\.changedProperties) == [["file": 1]])
    withExtendedLifetime((folder, otherFolder)) {}
  }

  @Test func `stores of different models are compared in the parts that both have`() throws {
    let (folder, first) = try DumpStores.filled()
    var model = DumpStores.model
    model.entities.removeAll { $0.name == "Value" }
    for index in model.entities.indices where model.entities[index].name == "Book" {
      model.entities[index].attributes = [
        AttributeDescription(name: "pages", type: .integer64), AttributeDescription(name: "isbn", type: .string),
      ]
    }
    model.entities.append(EntityDescription(name: "Zebra", attributes: [AttributeDescription(name: "a", type: .date)]))
    let second = try PersistentStore.create(at: folder.appending("Other.sqlite"), model: model)
    try second.database.execute(
      """
      INSERT INTO ZPERSON SELECT * FROM (SELECT 1, 1, 1, 'Ana') UNION SELECT 2, 1, 1, 'Bo';
      INSERT INTO ZWORK (Z_PK, Z_ENT, ZAUTHOR, ZTITLE, ZPAGES) VALUES (1, 4, 1, 'Cosmos', 7);
      INSERT INTO ZZEBRA (Z_PK, Z_ENT) VALUES (1, 6), (2, 6)
      """)
    let difference = try StoreDifference(from: first, to: second)
    let book = try #require(difference.entities.first { $0.name == "Book" })
    #expect((book.same, book.changed) == (1, 0))
    #expect((book.onlyInFirst, book.onlyInSecond) == ([], ["isbn"]))
    #expect(difference.onlyInFirst == [.init(name: "Value", count: 0)])
    #expect(difference.onlyInSecond == [.init(name: "Zebra", count: 2)])
    #expect(!difference.isEmpty)
    withExtendedLifetime(folder) {}
  }

  @Test func `links without an object are compared too`() throws {
    let difference = try pair("INSERT INTO Z_4TAGS VALUES (55, 66, 1)")
    #expect(difference.danglingLinks == .init(first: 0, second: 1, isSame: false))
    #expect(!difference.isEmpty)
  }
}
