import HeavyliftExpression
import HeavyliftModel
import Testing

@testable import HeavyliftStore

/// Values of any kind by their keys, as generic policies set and read them.
@Suite struct KeyedValueTests {
  private func library() throws -> (store: TestStore, author: ManagedObject, books: [ManagedObject]) {
    let store = try TestStore(Models.library)
    let author = try store.insert("Author", ["name": "Kafka"])
    let books = [
      try store.insert("Comic", ["title": "The Trial", "pages": 250, "colors": 4]),
      try store.insert("Book", ["title": "Amerika", "pages": 300]),
    ]
    return (store, author, books)
  }

  @Test func `attributes and relationships are set to an expression's result`() throws {
    let (store, author, books) = try library()
    defer { withExtendedLifetime(store) {} }
    try books[0].setValue(.string("The Castle") as ExpressionValue, forKey: "title")
    try books[0].setValue(.object(author), forKey: "author")
    #expect(books[0]["title"] == "The Castle")
    #expect(author[toMany: "books"] == [books[0]])
    try author.setValue(.array([.object(books[1]), .null]), forKey: "books")
    #expect(author[toMany: "books"] == [books[1]])
    #expect(books[0][toOne: "author"] == nil)
    try author.setValue(.object(books[0]), forKey: "books")
    #expect(author[toMany: "books"] == [books[0]])
    try books[1].setValue(.set(DistinctValues([.object(author)])), forKey: "author")
    #expect(books[1][toOne: "author"] == author)
    try books[1].setValue(ExpressionValue.null, forKey: "author")
    #expect(author[toMany: "books"] == [books[0]])
    try author.setValue(ExpressionValue.null, forKey: "books")
    #expect(author[toMany: "books"].isEmpty)
    try author.setValue(nil, forKey: "name")
    #expect(author["name"] == .null)
  }

  @Test func `values that a property cannot hold are reported`() throws {
    let (store, author, books) = try library()
    defer { withExtendedLifetime(store) {} }
    func message(_ key: String, of object: ManagedObject, _ value: ExpressionValue) -> String? {
      HeavyliftStoreTests.message { try object.setValue(value, forKey: key) }
    }
    #expect(
      message("title", of: books[0], .object(author)) == """
        error[object.wrong-type]: attribute 'title' of entity 'Comic' has type String and cannot hold an object
          convert the value to String without loss, then set it
        """)
    #expect(
      message("author", of: books[0], "Kafka") == """
        error[object.wrong-value]: relationship 'author' of entity 'Comic' is to-one and cannot hold a string
          set an object, a collection of at most one object, or nil
        """)
    #expect(
      message("author", of: books[0], .array([.object(author), .object(author), .object(books[0])])) == """
        error[object.wrong-value]: relationship 'author' of entity 'Comic' is to-one and cannot hold 3 objects
          set an object, a collection of at most one object, or nil
        """)
    #expect(
      message("books", of: author, .array([.object(books[0]), 5])) == """
        error[object.wrong-value]: relationship 'books' of entity 'Author' is to-many and cannot hold an array \
        with an integer
          set one or more objects, or nil for none
        """)
    #expect(
      message("titel", of: books[0], 5) == """
        error[object.unknown-property]: entity 'Comic' has no property 'titel'
          did you mean 'title'?
        """)
  }

  @Test func `several values are read and set together`() throws {
    let (store, author, books) = try library()
    books[0][toOne: "author"] = author
    let values = try books[0].dictionaryWithValues(forKeys: ["title", "pages", "author", "price"])
    #expect(values == ["title": "The Trial", "pages": 250, "author": .object(author), "price": .null])
    let copy = try store.insert("Book")
    try copy.setValuesForKeys(values)
    #expect(copy["title"] == "The Trial")
    #expect(copy["pages"] == 250)
    #expect(author[toMany: "books"] == [books[0], copy])
  }

  @Test func `key paths follow relationships and collect values`() throws {
    let (store, author, books) = try library()
    defer { withExtendedLifetime(store) {} }
    author[toMany: "books"] = books
    #expect(try books[0].value(forKeyPath: "author.name") == "Kafka")
    #expect(try author.value(forKeyPath: "books.@count") == 2)
    #expect(try author.value(forKeyPath: "books.@sum.pages") == 550)
    #expect(try author.value(forKeyPath: "books.@max.pages") == 300)
    #expect(try books[0].value(forKeyPath: "author.books.title").elements?.count == 2)
    #expect(try books[0].value(forKeyPath: "tags.@count") == 0)
    #expect(
      message { _ = try books[0].value(forKeyPath: "author.nam") } == """
        error[expression.unknown-key]: entity 'Author' has no key 'nam'
          did you mean 'name'?
        """)
    #expect(
      message { _ = try books[0].value(forKeyPath: "author..name") } == """
        error[object.bad-key-path]: 'author..name' is not a key path
          separate the keys with dots: 'author.name', 'books.@count'
        """)
  }

  @Test func `an object lists its properties, including inherited ones`() throws {
    let (store, author, books) = try library()
    defer { withExtendedLifetime(store) {} }
    #expect(books[0].attributesByName.keys.sorted() == ["colors", "pages", "price", "title"])
    #expect(books[0].attributesByName["pages"]?.type == .integer32)
    #expect(books[1].attributesByName["colors"] == nil)
    #expect(books[0].relationshipsByName.keys.sorted() == ["author", "tags"])
    #expect(author.relationshipsByName["books"]?.isToMany == true)
  }

  @Test func `an object is validated alone`() throws {
    let old = EntityDescription(
      name: "Card",
      attributes: [Models.attribute("number", .string, isOptional: false), Models.attribute("pin", .string)],
      relationships: [])
    let store = try TestStore(ManagedObjectModel(entities: [old]))
    let (good, bad) = (try store.insert("Card", ["number": "1"]), try store.insert("Card", ["pin": "2"]))
    #expect(try good.validate() == [])
    #expect(try bad.validate().map { "\($0.code.rawValue) \($0.propertyNames)" } == ["1570 [\"number\"]"])
  }

  @Test func `the result of an expression is available as objects`() throws {
    let (store, author, books) = try library()
    defer { withExtendedLifetime(store) {} }
    author[toMany: "books"] = books
    #expect(try (author.value(forKey: "books") as ExpressionValue).managedObjects == books)
    #expect(try (books[0].value(forKey: "author") as ExpressionValue).managedObject == author)
    #expect(ExpressionValue.null.managedObjects == [])
    #expect(ExpressionValue.string("x").managedObjects == nil)
    #expect(ExpressionValue.string("x").managedObject == nil)
  }
}
