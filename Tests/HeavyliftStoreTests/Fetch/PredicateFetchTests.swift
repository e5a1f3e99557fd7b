import Foundation
import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

@Suite struct PredicateFetchTests {
  private func library() throws -> TestStore {
    let store = try TestStore(Models.library)
    let kafka = try store.insert("Author", ["name": "Franz Kafka"])
    let sagan = try store.insert("Author", ["name": "Carl Sagan"])
    let tag = try store.insert("Tag", ["label": "old"])
    for (title, pages, author) in [
      ("The Trial", 250, kafka), ("Amerika", 300, kafka), ("Cosmos", 400, sagan), ("Contact", 430, sagan),
    ] {
      let book = try store.insert("Book", ["title": .string(title), "pages": .integer(Int64(pages))])
      book[toOne: "author"] = author
      if author == kafka { try book.add(tag, to: "tags") }
    }
    _ = try store.insert("Comic", ["title": "Maus", "colors": 1])
    try store.context.save()
    try store.reopen()
    return store
  }

  private func titles(_ store: TestStore, _ format: String, _ arguments: any FormatArgumentConvertible...) throws
    -> [String]
  {
    var request = FetchRequest(entityName: "Book")
    request.predicate = try MappingPredicate(format: format, arguments: arguments.map(\.formatArgument))
    let objects = try store.context.fetch(request)
    #expect(try store.context.count(for: request) == objects.count)
    return objects.map { $0["title"].string ?? "-" }
  }

  @Test(
    arguments: [
      ("pages > 280 AND author.name BEGINSWITH[c] 'franz'", ["Amerika"]),
      ("NOT (pages > 280)", ["The Trial", "Maus"]),
      ("author == nil", ["Maus"]),
      ("ANY tags.label == 'old'", ["The Trial", "Amerika"]),
      ("author.books.@count == 2 AND pages BETWEEN {300, 400}", ["Amerika", "Cosmos"]),
      ("title LIKE '?o*'", ["Cosmos", "Contact"]),
      // Conditions that only memory can evaluate, next to conditions for SQL.
      ("pages > 280 AND title.uppercaseString == 'COSMOS'", ["Cosmos"]),
      ("title.uppercaseString == 'COSMOS' OR pages == 250", ["The Trial", "Cosmos"]),
      ("TRUEPREDICATE", ["The Trial", "Amerika", "Cosmos", "Contact", "Maus"]),
      ("FALSEPREDICATE", []),
    ])
  func `a predicate selects the same objects with and without changes`(format: String, expected: [String]) throws {
    let store = try library()
    #expect(try titles(store, format) == expected)
    // After any change, the predicate is evaluated in memory.
    _ = try store.insert("Tag", ["label": "new"])
    #expect(try titles(store, format) == expected)
  }

  @Test(
    arguments: [
      ("entity.name == 'Comic'", ["Maus"]), ("entity.superentity.name == 'Book'", ["Maus"]),
      ("objectID.URIRepresentation.path ENDSWITH '/Book/p2'", ["Amerika"]),
      ("objectID.entity == entity AND objectID.isTemporaryID == NO AND pages == 250", ["The Trial"]),
      ("ANY author.books.objectID == objectID AND pages == 400", ["Cosmos"]),
      ("FUNCTION(SELF, 'objectID') != objectID", []),
    ])
  func `objects answer to their standard keys`(format: String, expected: [String]) throws {
    #expect(try titles(library(), format) == expected)
  }

  @Test(
    arguments: [
      (
        "pages == '250'", "incomparable", "'==' cannot compare an integer with a string",
        "convert the string to 'NSNumber' with 'CAST', or remove the quotes"
      ),
      (
        "NOT (title == 5)", "incomparable", "'==' cannot compare a string with an integer",
        "convert the string to 'NSNumber' with 'CAST', or write the number in quotes"
      ),
      (
        "pages IN {'250', 300}", "incomparable", "'IN' cannot compare an integer with a string",
        "convert the string to 'NSNumber' with 'CAST', or remove the quotes"
      ),
      (
        "title == $number", "incomparable", "'==' cannot compare a string with an integer",
        "convert the string to 'NSNumber' with 'CAST', or write the number in quotes"
      ),
      ("titel == nil", "unknown-key", "entity 'Book' has no property 'titel'", "did you mean 'title'?"),
    ])
  func `a predicate that compares unrelated values is refused, as in a mapping`(
    format: String, code: String, problem: String, remedy: String
  ) throws {
    let store = try library()
    var request = try FetchRequest(entityName: "Book", where: format)
    request.variables["number"] = 5
    let expected = "error[expression.\(code)]: predicate for entity 'Book': \(problem)\n  \(remedy)"
    func check(_ fetch: () throws -> Void) {
      #expect(#expect(throws: DiagnosticList.self) { try fetch() }?.description == expected)
    }
    check { _ = try store.context.fetch(request) }
    check { _ = try store.context.count(for: request) }
    check { try store.context.enumerate(request) { _ in } }
  }

  @Test(
    arguments: [
      ("author == %@", 2), ("author != %@ AND author != nil", 2), ("author IN {%@}", 2), ("SELF != %@", 5),
      ("ANY author.books == %@", 0), ("SUBQUERY(tags, $t, $t != %@).@count > 0", 2), ("title == $none", 0),
      ("author == $none", 1),
    ])
  func `a predicate may compare objects with objects, and anything with nil`(format: String, count: Int) throws {
    let store = try library()
    let kafka = try store.context.fetch(FetchRequest(entityName: "Author"))[0]
    for argument: any FormatArgumentConvertible in [kafka, kafka.objectID] {
      var request = FetchRequest(entityName: "Book")
      request.predicate = try MappingPredicate(
        format: format, arguments: format.contains("%@") ? [argument.formatArgument] : [])
      request.variables["none"] = .null
      #expect(try store.context.count(for: request) == count)
    }
  }

  @Test func `unsaved changes are included`() throws {
    let store = try library()
    let cosmos = try #require(
      try store.context.fetch(FetchRequest(entityName: "Book", where: "title == 'Cosmos'")).first)
    cosmos["pages"] = 10
    _ = try store.insert("Book", ["title": "Letters", "pages": 20])
    #expect(try titles(store, "pages < %d", 100) == ["Cosmos", "Letters"])
    var request = try FetchRequest(entityName: "Book", where: "pages < %d", 100)
    request.includesPendingChanges = false
    #expect(try store.context.fetch(request).isEmpty)
  }

  @Test func `variables have the values from the request`() throws {
    let store = try library()
    let author = try #require(try store.fetch("Author").first)
    var request = try FetchRequest(entityName: "Book", where: "author == $author AND pages >= $least")
    request.variables = ["author": .object(author), "least": 300]
    #expect(try store.context.fetch(request).map { $0["title"] } == ["Amerika"])
    request.variables["author"] = nil
    #expect(
      message { _ = try store.context.fetch(request) } == """
        error[expression.unknown-variable]: variable '$author' has no value
          available: 'least'
        """)
  }

  @Test func `an error in SQL is the same as the evaluator's, with its place`() throws {
    let store = try library()
    for format in ["100 / (pages - 250) > 0", "title != nil AND pages * 9223372036854775807 > 0"] {
      let request = try FetchRequest(entityName: "Book", where: format)
      let translated = #expect(throws: ExpressionEvaluationError.self) { try store.context.fetch(request) }
      _ = try store.insert("Tag")
      let evaluated = #expect(throws: ExpressionEvaluationError.self) { try store.context.fetch(request) }
      #expect(translated?.mistake == evaluated?.mistake)
      #expect(translated?.range == evaluated?.range)
      store.context.rollback()
    }
  }

  @Test func `a row of another entity cannot make a fetch fail`() throws {
    let store = try library()
    let request = try FetchRequest(entityName: "Comic", where: "100 / (pages - 250) > 0 OR pages == nil")
    #expect(try store.context.fetch(request).map { $0["title"] } == ["Maus"])
  }

  @Test func `a generated predicate selects the same objects as a filter in memory, in the same order`() throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    print("seed of predicate fetches: \(seed)")
    var rowGenerator = SeededGenerator(seed: seed)
    let law = try LawStore(rowCount: 60, using: &rowGenerator)
    let context = law.store.context
    var generator = ExpressionGenerator(seed: seed)
    var compared = 0
    for round in 0..<400 {
      var request = FetchRequest(entityName: ["Row", "SubRow", "Row"][round % 3])
      request.includesSubentities = round % 5 != 0
      if round % 2 == 0 { request.sortKeys = [.init(keyPath: "owner.i64"), .init(keyPath: "str", isAscending: false)] }
      let all = try context.fetch(request)
      let predicate = generator.predicate(depth: 1 + round % 3)
      let environment = EvaluationEnvironment()
      let compiled = try? CompiledPredicate(predicate, in: environment)
      var expected: [ManagedObject]? = []
      for object in all {
        var evaluation = EvaluationContext(environment, object: .object(object))
        guard let holds = try? compiled?.evaluate(in: &evaluation) else {
          expected = nil
          break
        }
        if holds { expected?.append(object) }
      }
      request.predicate = predicate
      guard let expected else { continue }
      do {
        #expect(try context.fetch(request) == expected, "seed \(seed): \(predicate)")
      } catch is DiagnosticList {
        // Compares values of unrelated kinds.
        continue
      }
      compared += 1
      (request.fetchOffset, request.fetchLimit) = (round % 4, round % 7)
      let part = expected.dropFirst(round % 4).prefix(round % 7 == 0 ? .max : round % 7)
      #expect(try context.fetch(request) == Array(part), "seed \(seed): \(predicate)")
      #expect(try context.count(for: request) == part.count, "seed \(seed): \(predicate)")
      var given: [ManagedObject] = []
      try context.enumerate(request) { given.append($0) }
      #expect(given == Array(part), "seed \(seed): \(predicate)")
      request.fetchBatchSize = 8
      #expect(try context.fetch(request) == Array(part), "seed \(seed): \(predicate)")
    }
    #expect(compared > 50)
  }
}
