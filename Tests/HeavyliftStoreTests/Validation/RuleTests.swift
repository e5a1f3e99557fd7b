import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// The rules of an entity that SQL can check.
@Suite struct RuleTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Shelf",
      relationships: [
        RelationshipDescription(
          name: "books", destinationEntityName: "Book", inverseName: "shelf", inverseEntityName: "Book", minCount: 2,
          maxCount: 5),
        RelationshipDescription(name: "notes", destinationEntityName: "Note"),
      ]),
    EntityDescription(
      name: "Book",
      attributes: [
        AttributeDescription(name: "isbn", type: .string),
        AttributeDescription(
          name: "pages", type: .integer16, isOptional: false,
          validation: AttributeValidation(minimum: .integer(1), maximum: .integer(5_000))),
        AttributeDescription(name: "title", type: .string, isOptional: false),
        AttributeDescription(name: "year", type: .integer32),
      ],
      relationships: [
        RelationshipDescription(
          name: "shelf", destinationEntityName: "Shelf", inverseName: "books", inverseEntityName: "Shelf",
          isOptional: false, maxCount: 1),
        RelationshipDescription(
          name: "tags", destinationEntityName: "Tag", inverseName: "books", inverseEntityName: "Tag"),
      ]),
    EntityDescription(name: "Note"),
    EntityDescription(
      name: "Tag",
      relationships: [
        RelationshipDescription(
          name: "books", destinationEntityName: "Book", inverseName: "tags", inverseEntityName: "Book")
      ]),
  ])

  private func withStore(_ body: (PersistentStore) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let store = try PersistentStore.create(at: folder.appending("store.sqlite"), model: Self.model)
    defer { try? store.close() }
    try body(store)
  }

  @Test(arguments: [
    ("Book", ["1570 pages", "values pages", "1570 title", "values year", "133000 shelf", "1570 shelf", "133000 tags"]),
    ("Shelf", ["1580 books", "1590 books"]), ("Note", ["133000 Shelf.notes"]), ("Tag", ["133000 books"]),
    ("Nothing", []),
  ]) func `SQL has a condition for each rule that it can check`(entity: String, expected: [String]) throws {
    try withStore { store in
      let rules = store.rules(ofEntity: entity).map { rule in
        "\(rule.finding.map { "\($0.code.rawValue)" } ?? "values") \(rule.property)"
      }
      #expect(rules == expected)
    }
  }
}
