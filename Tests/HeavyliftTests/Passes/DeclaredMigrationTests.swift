import Foundation
import Heavylift
import Testing

@Suite struct DeclaredMigrationTests {
  private static let library1 = ManagedObjectModel(
    name: "Library 1",
    entities: [
      EntityDescription(
        name: "Author", attributes: [Models.attribute("name", .string)],
        relationships: [Models.toMany("books", "Book", "author", isOrdered: true)]),
      EntityDescription(
        name: "Book",
        attributes: [Models.attribute("title", .string), Models.attribute("seconds", .integer32)],
        relationships: [Models.toOne("author", "Author", "books"), Models.toMany("tags", "Tag", "books")]),
      EntityDescription(name: "Comic", superentityName: "Book", attributes: [Models.attribute("colors", .integer16)]),
      EntityDescription(
        name: "Tag", attributes: [Models.attribute("label", .string)],
        relationships: [
          Models.toMany("books", "Book", "tags"), Models.toMany("related", "Tag", "related"),
        ]),
    ])

  private static let library2: ManagedObjectModel = {
    var model = library1
    model.name = "Library 2"
    model.entities[1].attributes = [
      Models.attribute("title", .string), Models.attribute("duration", .double, isOptional: false),
      Models.attribute("rating", .integer16, default: 3),
    ]
    return model
  }()

  private func fill(_ context: ManagedObjectContext) throws {
    let kafka = try context.insert("Author")
    kafka["name"] = "Kafka"
    var books: [ManagedObject] = []
    for (index, title) in ["Trial", "Castle", "America"].enumerated() {
      let book = try context.insert(index == 1 ? "Comic" : "Book")
      book["title"] = .string(title)
      book["seconds"] = .integer(Int64(index + 1))
      books.append(book)
    }
    books[1]["colors"] = 4
    try kafka.setObjects([books[2], books[0], books[1]], forKey: "books")
    let (law, bugs) = (try context.insert("Tag"), try context.insert("Tag"))
    law["label"] = "law"
    bugs["label"] = "bugs"
    try law.setObjects([books[0], books[1]], forKey: "books")
    try law.setObjects([bugs, law], forKey: "related")
  }

  @Test func `declared objects are created and connected, with keys and order kept`() throws {
    let test = try MigrationTest(from: Self.library1, to: Self.library2, fill: fill)
    let duration = try PropertyMappingDescription.attribute(
      "duration", MappingExpression(parsing: "$source.seconds * 1.5"))
    let report = try test.migrate(
      EntityMappingDescription(source: "Author", destination: "Author"),
      EntityMappingDescription(source: "Book", destination: "Book", properties: [duration]),
      EntityMappingDescription(source: "Comic", destination: "Comic", properties: [duration]),
      EntityMappingDescription(source: "Tag", destination: "Tag"))
    #expect(try test.lines("Author", "name", "books") == ["Author/p1 name=Kafka books=[Book/p3 Book/p1 Comic/p2]"])
    #expect(
      try test.lines("Book", "title", "duration", "rating", "author", "tags") == [
        "Book/p1 title=Trial duration=1.5 rating=3 author=Author/p1 tags=[Tag/p1]",
        "Book/p3 title=America duration=4.5 rating=3 author=Author/p1 tags=[]",
      ])
    #expect(try test.lines("Comic", "colors", "tags") == ["Comic/p2 colors=4 tags=[Tag/p1]"])
    #expect(
      try test.lines("Tag", "label", "books", "related") == [
        "Tag/p1 label=law books=[Book/p1 Comic/p2] related=[Tag/p1 Tag/p2]",
        "Tag/p2 label=bugs books=[] related=[Tag/p1]",
      ])
    #expect(report.objects == ["Author": 1, "Book": 2, "Comic": 1, "Tag": 2])
    #expect(try test.files() == ["new.sqlite", "old.sqlite"])
  }
}
