import HeavyliftExpression
import HeavyliftModel
import Testing

@testable import HeavyliftStore

/// Objects and their IDs as arguments for `%@`.
@Suite struct ObjectArgumentTests {
  private static let cosmos = "Cosmos"

  private func library() throws -> TestStore {
    let store = try TestStore(Models.library)
    let kafka = try store.insert("Author", ["name": "Kafka"])
    let sagan = try store.insert("Author", ["name": "Sagan"])
    let tag = try store.insert("Tag", ["label": "old"])
    for (title, author) in [("The Trial", kafka), ("Amerika", kafka), ("Cosmos", sagan)] {
      let book = try store.insert("Book", ["title": .string(title)])
      book[toOne: "author"] = author
      if author == sagan { try book.add(tag, to: "tags") }
    }
    _ = try store.insert("Comic", ["title": "Maus"])
    try store.context.save()
    return store
  }

  private func titles(_ store: TestStore, _ format: String, _ arguments: any FormatArgumentConvertible...) throws
    -> [String]
  {
    var request = FetchRequest(entityName: "Book")
    request.predicate = try MappingPredicate(format: format, arguments: arguments.map(\.formatArgument))
    let objects = try store.context.fetch(request)
    #expect(try store.context.count(for: request) == objects.count)
    var streamed: [ManagedObject] = []
    try store.context.enumerate(request) { streamed.append($0) }
    if !store.context.hasChanges { #expect(streamed == objects) }
    return objects.map { $0["title"].string ?? "-" }
  }

  @Test(arguments: [false, true])
  func `an object and its ID are equivalent`(hasChanges: Bool) throws {
    let store = try library()
    let authors = try store.fetch("Author")
    let tag = try store.fetch("Tag")[0]
    let books = try store.fetch("Book")
    if hasChanges { _ = try store.insert("Tag", ["label": "new"]) }
    #expect(try titles(store, "author == %@", authors[0]) == ["The Trial", "Amerika"])
    #expect(try titles(store, "author == %@", authors[0].objectID) == ["The Trial", "Amerika"])
    #expect(try titles(store, "%K != %@ AND author != nil", "author", authors[0]) == ["Cosmos"])
    #expect(try titles(store, "SELF == %@", books[1]) == ["Amerika"])
    #expect(try titles(store, "SELF == %@", books[1].objectID) == ["Amerika"])
    #expect(try titles(store, "SELF IN %@", [books[0], books[3]]) == ["The Trial", "Maus"])
    #expect(
      try titles(store, "NOT (SELF IN %@)", Set([books[0].objectID, books[3].objectID])) == ["Amerika", "Cosmos"])
    #expect(try titles(store, "author IN %@", authors) == ["The Trial", "Amerika", "Cosmos"])
    #expect(try titles(store, "%@ IN tags", tag) == ["Cosmos"])
    #expect(try titles(store, "ANY tags == %@", tag) == ["Cosmos"])
    #expect(
      try titles(store, "SUBQUERY(author.books, $b, $b == %@).@count == 1", books[0]) == ["The Trial", "Amerika"])
    #expect(try titles(store, "author == %@", Optional<ManagedObject>.none) == ["Maus"])
  }

  @Test func `unsaved objects and those of other stores are distinguished`() throws {
    let store = try library()
    let author = try store.insert("Author", ["name": "Lem"])
    let book = try store.insert("Book", ["title": "Solaris"])
    book[toOne: "author"] = author
    #expect(try titles(store, "author == %@", author) == ["Solaris"])
    #expect(try titles(store, "author == %@", author.objectID) == ["Solaris"])
    let other = try library()
    // One object of each store has the same key.
    #expect(try titles(store, "author == %@", other.fetch("Author")[0]) == [])
  }

  @Test func `requests take objects`() throws {
    let store = try library()
    let author = try store.fetch("Author")[1]
    let request = try FetchRequest(entityName: "Book", where: "author == %@ AND title == %@", author, Self.cosmos)
    #expect(try store.context.fetch(request).map { $0["title"] } == ["Cosmos"])
  }

  @Test func `a predicate's description names the object`() throws {
    let store = try library()
    let author = try store.fetch("Author")[1]
    let predicate = try MappingPredicate(format: "author == %@", author)
    #expect("\(predicate)" == "author == $\(author.objectID.uriRepresentation)")
    #expect(try predicate == MappingPredicate(format: "author == %@", author.objectID))
  }
}
