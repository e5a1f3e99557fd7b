import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

struct FetchTests {
  let test: TestStore

  /// Books a to f, of which b and e are comics; a and b by Kafka, c by Bernhard, d and e by an author without a name.
  init() throws {
    test = try TestStore(Models.library)
    let authors = try ["Kafka", "Bernhard", nil].map { name in
      try test.insert("Author", ["name": name.map { .string($0) } ?? .null])
    }
    let rows: [(String, String, Int64?, String?, ManagedObject?)] = [
      ("Book", "a", 3, "0.5", authors[0]), ("Comic", "b", nil, "12345678901234567890.25", authors[0]),
      ("Book", "c", 1, nil, authors[1]), ("Book", "d", 2, "-1", authors[2]), ("Comic", "e", 1, "3", authors[2]),
      ("Book", "f", nil, "0.25", nil),
    ]
    for (entity, title, pages, price, author) in rows {
      let book = try test.insert(
        entity,
        [
          "title": .string(title), "pages": pages.map(Value.integer) ?? .null,
          "price": price.map(ValueTests.decimal) ?? .null,
        ])
      book[toOne: "author"] = author
    }
    try test.context.save()
    try test.reopen()
  }

  func titles(_ entity: String = "Book", _ change: (inout FetchRequest) -> Void = { _ in }) throws -> String {
    try test.fetch(entity, change).map { $0["title"].string ?? "?" }.joined()
  }

  struct Case: Sendable {
    var keys: [FetchRequest.SortKey]
    var titles: String
  }

  static let sorts: [Case] = [
    Case(keys: [], titles: "abcdef"),
    Case(keys: [.init(keyPath: "title", isAscending: false)], titles: "fedcba"),
    Case(keys: [.init(keyPath: "pages")], titles: "bfceda"),
    Case(keys: [.init(keyPath: "pages", isAscending: false)], titles: "adcebf"),
    Case(keys: [.init(keyPath: "pages"), .init(keyPath: "title", isAscending: false)], titles: "fbecda"),
    Case(keys: [.init(keyPath: "price")], titles: "cdfaeb"),
    Case(keys: [.init(keyPath: "price", isAscending: false)], titles: "beafdc"),
    Case(keys: [.init(keyPath: "author.name"), .init(keyPath: "title")], titles: "defcab"),
    Case(keys: [.init(keyPath: "author.name", isAscending: false), .init(keyPath: "pages")], titles: "bacfed"),
  ]

  @Test(arguments: sorts) func `objects are fetched in the requested order, with and without changes`(sort: Case) throws
  {
    #expect(try titles { $0.sortKeys = sort.keys } == sort.titles)
    #expect(try titles { ($0.sortKeys, $0.fetchBatchSize) = (sort.keys, 2) } == sort.titles)
    #expect(
      try titles { ($0.sortKeys, $0.fetchLimit, $0.fetchOffset) = (sort.keys, 2, 1) }
        == String(sort.titles.dropFirst().prefix(2)))
    // An unrelated change makes the context sort the objects instead of SQLite.
    let tag = try test.insert("Tag")
    #expect(try titles { $0.sortKeys = sort.keys } == sort.titles)
    #expect(
      try titles { ($0.sortKeys, $0.fetchLimit, $0.fetchOffset, $0.fetchBatchSize) = (sort.keys, 3, 2, 2) }
        == String(sort.titles.dropFirst(2).prefix(3)))
    try test.context.delete(tag)
  }

  @Test func `sub-entities are included by default`() throws {
    #expect(try titles("Book") == "abcdef")
    #expect(try titles("Book") { $0.includesSubentities = false } == "acdf")
    #expect(try titles("Comic") == "be")
    #expect(try test.fetch("Book").map(\.entity.name).filter { $0 == "Comic" }.count == 2)
    #expect(try test.context.count(for: FetchRequest(entityName: "Book")) == 6)
    var request = FetchRequest(entityName: "Book")
    request.includesSubentities = false
    #expect(try test.context.count(for: request) == 4)
  }

  @Test func `limit and offset`() throws {
    #expect(try titles { $0.fetchLimit = 2 } == "ab")
    #expect(try titles { $0.fetchOffset = 4 } == "ef")
    #expect(try titles { ($0.fetchLimit, $0.fetchOffset) = (10, 5) } == "f")
    #expect(try titles { $0.fetchOffset = 99 } == "")
    #expect(try titles { ($0.fetchLimit, $0.fetchOffset) = (-1, -1) } == "abcdef")
    var request = FetchRequest(entityName: "Book")
    (request.fetchLimit, request.fetchOffset) = (4, 3)
    #expect(try test.context.count(for: request) == 3)
    request.filter = { $0["pages"] != nil }
    #expect(try test.context.fetch(request).map { $0["title"] } == ["e"])
    #expect(try test.context.count(for: request) == 1)
  }

  @Test func `unsaved changes are included`() throws {
    let books = try test.fetch("Book")
    books[0]["title"] = "z"
    try test.context.delete(books[1])
    _ = try test.insert("Comic", ["title": "n"])
    #expect(try titles { $0.sortKeys = [.init(keyPath: "title")] } == "cdefnz")
    #expect(try titles() == "zcdefn")
    #expect(try titles("Comic") == "en")
    #expect(try titles { ($0.fetchLimit, $0.fetchOffset) = (2, 4) } == "fn")
    #expect(try titles { $0.includesPendingChanges = false } == "zbcdef")
    var request = FetchRequest(entityName: "Book")
    #expect(try test.context.count(for: request) == 6)
    request.includesPendingChanges = false
    #expect(try test.context.count(for: request) == 6)
    request = FetchRequest(entityName: "Comic")
    #expect(try test.context.count(for: request) == 2)
    try test.fetch("Author") { $0.filter = { $0["name"] == "Bernhard" } }[0]["name"] = "Zweig"
    #expect(try titles { $0.sortKeys = [.init(keyPath: "author.name"), .init(keyPath: "title")] } == "defnzc")
  }

  @Test func `enumerating gives the same objects and retains none`() throws {
    var request = FetchRequest(entityName: "Book")
    request.sortKeys = [.init(keyPath: "title", isAscending: false)]
    var titles = ""
    try test.context.enumerate(request) { titles += $0["title"].string ?? "" }
    #expect(titles == "fedcba")
    #expect(test.context.registeredObjects == [])
    (request.fetchLimit, request.fetchOffset) = (2, 1)
    request.filter = { $0["pages"] != nil }
    titles = ""
    try test.context.enumerate(request) { titles += $0["title"].string ?? "" }
    #expect(titles == "dc")
    struct Stop: Error {}
    var count = 0
    #expect(throws: Stop.self) {
      try test.context.enumerate(FetchRequest(entityName: "Book")) { _ in
        count += 1
        if count == 3 { throw Stop() }
      }
    }
    #expect(count == 3)
  }

  @Test func `an object may be changed while all objects are enumerated`() throws {
    try test.context.enumerate(FetchRequest(entityName: "Book")) { $0["pages"] = 7 }
    #expect(test.context.updatedObjects.count == 6)
    try test.context.save()
    #expect(try test.rows("SELECT DISTINCT ZPAGES FROM ZBOOK") == ["7"])
  }

  @Test func `unsupported sort keys are refused`() throws {
    func refusal(_ keyPath: String) -> String? {
      message { _ = try test.fetch("Book") { $0.sortKeys = [.init(keyPath: keyPath)] } }
    }
    #expect(
      refusal("titel") == """
        error[object.unknown-property]: entity 'Book' has no attribute 'titel'
          did you mean 'title'?
        """)
    #expect(
      refusal("author.nam") == """
        error[object.unknown-property]: entity 'Author' has no attribute 'nam'
          did you mean 'name'?
        """)
    #expect(
      refusal("auhtor.name") == """
        error[object.unknown-property]: entity 'Book' has no to-one relationship 'auhtor'
          did you mean 'author'?
        """)
    for keyPath in ["tags", "author", "tags.label", "title.length", "author.books"] {
      #expect(
        refusal(keyPath)?.hasPrefix(
          "error[object.unsortable]: objects of entity 'Book' cannot be sorted by '\(keyPath)'")
          == true || refusal(keyPath)?.hasPrefix("error[object.un") == true)
    }
    #expect(refusal("") != nil)
    #expect(message { _ = try test.fetch("Bok") }?.hasPrefix("error[object.unknown-entity]") == true)
  }
}
