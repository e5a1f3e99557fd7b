import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// The one description of an entity's rules.
@Suite struct RuleSetTests {
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

  @Test func `cells have the rules that they alone decide`() throws {
    try withStore { store in
      let book = try #require(store.runtime.byName["Book"])
      let cells = book.rules.cells.map { cell in
        let name =
          switch cell.property {
          case .attribute(let slot): book.attributes[slot].description.name
          case .toOne(let slot): book.toOnes[slot].description.name
          }
        let bounds = cell.rule.bounds.map { " in \($0.lowerBound)...\($0.upperBound)" } ?? ""
        return "\(name)\(cell.rule.isMandatory ? " mandatory" : "")\(bounds)"
      }
      #expect(
        cells == [
          "pages mandatory in 1...5000", "title mandatory", "year in -2147483648...2147483647", "shelf mandatory",
        ])
      #expect(book.rules.links == [PropertyRule(.link, "shelf"), PropertyRule(.link, "tags")])
      let tag = try #require(store.runtime.byName["Tag"])
      #expect(tag.rules.cells.isEmpty)
      #expect(tag.rules.links == [PropertyRule(.link, "books")])
    }
  }

  @Test(arguments: [
    (
      "Book",
      [
        "1570 pages presence", "1570 title presence", "133000 shelf link", "1570 shelf presence", "133000 tags link",
      ]
    ),
    ("Shelf", ["1580 books", "1590 books"]), ("Note", ["133000 Shelf.notes link"]), ("Tag", ["133000 books link"]),
    ("Nothing", []),
  ]) func `SQL has a condition for each rule that it can check`(entity: String, expected: [String]) throws {
    try withStore { store in
      let rules = store.ruleConditions(ofEntity: entity).map { rule in
        "\(rule.code) \(rule.property)" + (rule.kind.map { " \($0)" } ?? "")
      }
      #expect(rules == expected)
    }
  }
}
