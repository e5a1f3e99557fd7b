import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Derived attributes of a store that another program has written: every migration computes them.
@Suite struct DerivedValueTests {
  private static func models() -> [ManagedObjectModel] {
    func derived(_ name: String, _ type: AttributeType, _ derivation: String) -> AttributeDescription {
      AttributeDescription(name: name, type: type, derivationExpression: derivation)
    }
    let first = ManagedObjectModel(
      name: "1",
      entities: [
        EntityDescription(
          name: "Shelf",
          attributes: [
            Models.attribute("title", .string), derived("folded", .string, "canonical:(title)"),
            derived("bookCount", .integer64, "books.@count"), derived("saved", .date, "now()"),
          ],
          relationships: [Models.toMany("books", "Book", "shelf")]),
        EntityDescription(
          name: "Book", attributes: [Models.attribute("title", .string)],
          relationships: [Models.toOne("shelf", "Shelf", "books")]),
      ])
    var second = first
    second.name = "2"
    second.edit("Book") { $0.attributes.append(Models.attribute("pages", .integer16)) }
    return [first, second]
  }

  @Test(arguments: [IncrementalMigrationOptions.Mode.copy, .inPlace], ["'old'", "NULL"])
  func `values that are out of date are computed in every mode`(
    _ mode: IncrementalMigrationOptions.Mode, stale: String
  ) throws {
    let models = Self.models()
    let folder = try TemporaryFolder()
    let url = folder.appending("Shelves.sqlite")
    let store = try PersistentStore.create(at: url, model: models[0])
    let context = ManagedObjectContext(store: store)
    let shelf = try context.insert("Shelf")
    shelf["title"] = "Été"
    for _ in 1...2 { try context.insert("Book")[toOne: "shelf"] = shelf }
    try context.save()
    try store.database.execute(
      "UPDATE ZSHELF SET ZFOLDED = \(stale), ZBOOKCOUNT = \(stale == "NULL" ? "NULL" : "9"), ZSAVED = 5")
    try store.close()

    let manager = IncrementalMigrationManager(models: models, infersMissingMappings: true)
    if mode == .inPlace {
      let plan = try #require(try manager.plan(for: url, options: .init(mode: mode)).inPlace)
      #expect(!plan.isOfSchemaAlone)
      #expect(
        plan.hops[0].map(\.description) == [
          "adds column 'ZPAGES' of table 'ZBOOK'", "derives ZBOOKCOUNT of table 'ZSHELF'",
          "derives ZFOLDED of table 'ZSHELF'",
        ])
    }
    try manager.migrate(url, options: .init(mode: mode))
    let database = try Database(path: url.path, mode: .readOnly)
    defer { try? database.close() }
    #expect(try database.firstValue("SELECT ZFOLDED FROM ZSHELF") == .text("ete"))
    #expect(try database.firstValue("SELECT ZBOOKCOUNT FROM ZSHELF") == .integer(2))
    // When an object was saved cannot be computed again.
    #expect(try database.firstValue("SELECT ZSAVED = 5 FROM ZSHELF") == .integer(1))
  }
}
