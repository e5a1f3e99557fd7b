import Foundation
import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// Objects whose rows another thread reads in advance.
@Suite struct RowPrefetchTests {
  private static let pageSize = 3

  private func library(_ count: Int, _ title: (Int) -> String = { "a title of some length \($0)" }) throws -> TestStore
  {
    let test = try TestStore(Models.library)
    let author = try test.insert("Author", ["name": "Kafka"])
    for number in 0..<count {
      let book = try test.insert("Book", ["title": .string(title(number)), "pages": .integer(Int64(number))])
      book[toOne: "author"] = author
      // Rows of another entity in the same table do not count.
      _ = try test.insert("Comic")
    }
    try test.context.save()
    try test.reopen()
    return test
  }

  /// The books, with a title computed for a new store's books.
  private func rows(
    _ test: TestStore, _ destination: PersistentStore, _ title: String = "uppercase:($source.title)"
  ) throws -> RowPrefetch {
    var transfer = try RowTransfer(
      from: StoreBlueprint(ofSource: test.store), entity: "Book", where: nil, to: StoreBlueprint(of: destination),
      entity: "Book")
    try transfer.set("title", to: .expression(MappingExpression(parsing: title)))
    return try #require(
      RowPrefetch(transfer, to: destination, copies: nil, constants: ["pages": .integer(7)]))
  }

  private static var request: FetchRequest {
    var request = FetchRequest(entityName: "Book")
    request.includesSubentities = false
    return request
  }

  private func titles(_ test: TestStore, _ rows: RowPrefetch, _ look: (ManagedObject) throws -> Void = { _ in }) throws
    -> [String]
  {
    var titles: [String] = []
    try test.context.enumerate(Self.request, prefetching: rows, pageSize: Self.pageSize) { book in
      titles.append(book["title"].string ?? "nil")
      try look(book)
    }
    return titles
  }

  @Test(arguments: 0..<11)
  func `every object is returned once and in order, however many there are`(count: Int) throws {
    let (test, new) = (try library(count), try TestStore(Models.library))
    let rows = try rows(test, new.store)
    var made: [Value] = []
    let seen = try titles(test, rows) { book in
      let object = try new.context.insert("Book")
      #expect(rows.give(object, madeFrom: book))
      #expect(rows.give(object, madeFrom: book), "super may be called twice")
      made += [object["title"], object["pages"]]
    }
    #expect(seen == (0..<count).map { "a title of some length \($0)" })
    #expect(made == (0..<count).flatMap { [.string("A TITLE OF SOME LENGTH \($0)"), .integer(7)] as [Value] })
    #expect(test.context.livingObjectCount == 0)
    #expect(test.store.prefetchThread == nil)
  }

  @Test func `the connection is available to other callers meanwhile`() throws {
    let (test, new) = (try library(10), try TestStore(Models.library))
    var counts: [Int] = []
    let seen = try titles(test, try rows(test, new.store)) { book in
      counts.append(try test.context.count(for: FetchRequest(entityName: "Book")))
      #expect(book[toOne: "author"]?["name"] == "Kafka")
    }
    #expect(seen.count == 10)
    #expect(counts == [Int](repeating: 20, count: 10))
  }

  @Test func `a kept object has its own values, and a registered object is returned itself`() throws {
    let (test, new) = (try library(10), try TestStore(Models.library))
    let known = try test.fetch("Book") { $0.predicate = try? MappingPredicate(parsing: "pages == 4") }
    known.first?["title"] = "changed"
    var kept: [ManagedObject] = []
    let rows = try rows(test, new.store)
    let seen = try titles(test, rows) { book in
      if book["pages"].integer ?? 0 < 2 { kept.append(book) }
      guard book === known.first else { return }
      let object = try new.context.insert("Book")
      #expect(!rows.give(object, madeFrom: book))
    }
    #expect(seen[4] == "changed")
    #expect(kept.map(\.isFault) == [false, false])
    #expect(kept.map { $0["title"] } == ["a title of some length 0", "a title of some length 1"])
    #expect(kept.map { $0[toOne: "author"]?["name"] } == ["Kafka", "Kafka"])
  }

  @Test func `only a new object gets attributes, and only from the current row`() throws {
    let (test, new) = (try library(4), try TestStore(Models.library))
    let rows = try rows(test, new.store)
    let saved = try new.context.insert("Book")
    try new.context.save()
    var given = 0
    try test.context.enumerate(Self.request, prefetching: rows, pageSize: Self.pageSize) { book in
      let object = try new.context.insert("Book")
      // A policy may call super for another source object than the one that it is given.
      let other = try #require(try test.context.object(book.key == 1 ? 3 : 1, of: book.runtime))
      #expect(other.isFault && !rows.give(object, madeFrom: other))
      #expect(!rows.give(saved, madeFrom: book))
      #expect(!rows.give(try new.context.insert("Author"), madeFrom: book))
      if rows.give(object, madeFrom: book) { given += 1 }
    }
    #expect(given == 4)
  }

  @Test func `objects that a caller keeps do not keep pages`() throws {
    let (test, new) = (try library(7), try TestStore(Models.library))
    let rows = try rows(test, new.store)
    var kept: [ManagedObject] = []
    try test.context.enumerate(Self.request, prefetching: rows, pageSize: Self.pageSize) { book in
      #expect(kept.allSatisfy { $0.prefetched == nil })
      let (one, other) = (try new.context.insert("Book"), try new.context.insert("Book"))
      #expect(rows.give(one, madeFrom: book) && one.prefetched != nil)
      #expect(rows.give(other, madeFrom: book) && one.prefetched == nil && other.prefetched != nil)
      // A property that does not depend on the row does not read it.
      other["price"] = .decimal(1)
      #expect(other["pages"] == .integer(7) && other.prefetched != nil)
      if kept.count > 6 { #expect(other["title"].string?.hasPrefix("A TITLE") == true && other.prefetched != nil) }
      kept += [one, other]
    }
    #expect(kept.allSatisfy { $0.prefetched == nil })
    #expect(kept.map { $0["title"] } == (0..<14).map { .string("A TITLE OF SOME LENGTH \($0 / 2)") })
    #expect(kept.map { $0["price"] } == (0..<14).map { $0.isMultiple(of: 2) ? .null : .decimal(1) })
  }

  /// Books with a computed title, and with copied pages and prices.
  private func copies(_ test: TestStore, _ destination: PersistentStore) throws -> RowPrefetch {
    var transfer = try RowTransfer(
      from: StoreBlueprint(ofSource: test.store), entity: "Book", where: nil, to: StoreBlueprint(of: destination),
      entity: "Book")
    try transfer.set("title", to: .expression(MappingExpression(parsing: "uppercase:($source.title)")))
    let moves = AttributeTransfers(
      ["pages", "price"].compactMap { name in
        AttributeTransfer(
          from: test.store, entity: "Book", attribute: name, to: destination, entity: "Book", attribute: name)
      })
    return try #require(RowPrefetch(transfer, to: destination, copies: moves, constants: [:]))
  }

  @Test func `an attribute that is set differs from the page, and the others stay in it`() throws {
    let (test, new) = (try library(6), try TestStore(Models.library))
    let rows = try copies(test, new.store)
    var kept: [ManagedObject] = []
    try test.context.enumerate(Self.request, prefetching: rows, pageSize: Self.pageSize) { book in
      let object = try new.context.insert("Book")
      #expect(rows.give(object, madeFrom: book))
      let number = Int64(kept.count)
      switch number {
      case 1: object["title"] = "set"
      case 2: object["title"] = .null
      case 3: (object["title"], object["pages"]) = ("first", .integer(30))
      case 4:
        // A second call to super starts with the row's values again.
        object["title"] = "lost"
        #expect(rows.give(object, madeFrom: book))
        #expect(object["title"] == "A TITLE OF SOME LENGTH 4")
        object["pages"] = .integer(40)
      case 5: object["title"] = object["title"]
      default: break
      }
      #expect(
        object.prefetched != nil && object["pages"] == .integer(number == 3 || number == 4 ? number * 10 : number))
      if number == 3 { object["title"] = "second" }
      kept.append(object)
    }
    let expected: [Value] = [
      "A TITLE OF SOME LENGTH 0", "set", .null, "second", "A TITLE OF SOME LENGTH 4", "A TITLE OF SOME LENGTH 5",
    ]
    #expect(kept.map { $0["title"] } == expected)
    #expect(kept.map { $0["pages"] } == [0, 1, 2, 30, 40, 5].map(Value.integer))
    #expect(kept.allSatisfy { $0.prefetched == nil })
    try new.context.save()
    try new.reopen()
    #expect(try new.fetch("Book").sorted { $0.key < $1.key }.map { $0["title"] } == expected)
  }

  @Test(arguments: [0, 1, 62, 63, 64, 65, 69])
  func `an attribute of a wide entity can be set`(place: Int) throws {
    let names = (0..<70).map { "a\($0 + 10)" }
    let wide = EntityDescription(name: "Wide", attributes: names.map { Models.attribute($0, .integer64) })
    let model = ManagedObjectModel(name: "Wide", entities: [wide])
    let (test, new) = (try TestStore(model), try TestStore(model))
    _ = try test.insert("Wide", Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, .integer(Int64($0))) }))
    try test.context.save()
    try test.reopen()
    let transfer = try RowTransfer(
      from: StoreBlueprint(ofSource: test.store), entity: "Wide", where: nil, to: StoreBlueprint(of: new.store),
      entity: "Wide")
    let moves = AttributeTransfers(
      names.compactMap {
        AttributeTransfer(from: test.store, entity: "Wide", attribute: $0, to: new.store, entity: "Wide", attribute: $0)
      })
    let rows = try #require(RowPrefetch(transfer, to: new.store, copies: moves, constants: [:]))
    try test.context.enumerate(FetchRequest(entityName: "Wide"), prefetching: rows, pageSize: 3) { object in
      let made = try new.context.insert("Wide")
      #expect(rows.give(made, madeFrom: object))
      (made[names[5]], made[names[place]]) = (.integer(-5), .integer(-1))
      let expected = names.indices.map { Value.integer($0 == place ? -1 : $0 == 5 ? -5 : Int64($0)) }
      #expect(names.map { made[$0] } == expected)
      #expect(made.attributes.count == 70 && made.prefetched == nil && names.map { made[$0] } == expected)
    }
  }

  @Test func `a failure in the middle leaves no thread waiting, and the store unchanged`() throws {
    struct Enough: Error {}
    let (test, new) = (try library(20), try TestStore(Models.library))
    for stop in 1...8 {
      var count = 0
      #expect(throws: Enough.self) {
        try test.context.enumerate(Self.request, prefetching: try rows(test, new.store), pageSize: 3) { _ in
          count += 1
          if count == stop { throw Enough() }
        }
      }
      #expect(count == stop)
    }
    #expect(try titles(test, try rows(test, new.store)).count == 20)
    try test.store.close()
  }

  @Test(arguments: 0..<8)
  func `an expression that fails for a row leaves that row and later ones to objects`(place: Int) throws {
    let new = try TestStore(Models.library)
    let test = try library(8) { $0 == place ? "no number" : "\($0)" }
    // Not every text is a number.
    let rows = try rows(test, new.store, "CAST(CAST($source.title, 'NSNumber'), 'NSString')")
    var given = 0
    let seen = try titles(test, rows) { book in
      if rows.give(try new.context.insert("Book"), madeFrom: book) { given += 1 }
    }
    #expect(seen == (0..<8).map { $0 == place ? "no number" : "\($0)" })
    #expect(given == place)
  }

  @Test func `a failing filter is reported as it is without prefetching`() throws {
    // Not every text is a pattern.
    let (test, new) = (try library(8) { $0 == 5 ? "(" : "x" }, try TestStore(Models.library))
    var transfer = try RowTransfer(
      from: StoreBlueprint(ofSource: test.store), entity: "Book",
      where: MappingPredicate(parsing: "title MATCHES title"), to: StoreBlueprint(of: new.store),
      entity: "Book")
    try transfer.set("title", to: .expression(MappingExpression(parsing: "$source.title")))
    let rows = try #require(RowPrefetch(transfer, to: new.store, copies: nil, constants: [:]))
    var request = Self.request
    request.predicate = try MappingPredicate(parsing: "title MATCHES title")
    let plain = message { try test.context.enumerate(request) { _ in } }
    #expect(plain != nil)
    #expect(message { try test.context.enumerate(request, prefetching: rows, pageSize: 3) { _ in } } == plain)
  }

  @Test func `pages of large values have fewer rows, and very large values are read when they are accessed`() throws {
    for (length, most) in [(300_000, 4), (1 << 21, 1)] {
      let text = String(repeating: "a", count: length)
      let (test, new) = (try library(12) { "\($0) \(text)" }, try TestStore(Models.library))
      let rows = try rows(test, new.store, "$source.title")
      var (sizes, given, titles, kept) = (Set<Int>(), 0, [String](), [ManagedObject]())
      try test.context.enumerate(Self.request, prefetching: rows, pageSize: 256) { book in
        sizes.insert(rows.current?.page?.page.count ?? 0)
        if rows.give(try new.context.insert("Book"), madeFrom: book) { given += 1 }
        titles.append(String(book["title"].string?.prefix(12) ?? ""))
        if book.key.isMultiple(of: 5) { kept.append(book) }
      }
      #expect(sizes.max() ?? 0 <= most, "\(sizes)")
      #expect(given == (length > 1 << 20 ? 0 : 12))
      #expect(titles == (0..<12).map { String("\($0) \(text)".prefix(12)) })
      #expect(kept.count > 1 && kept.allSatisfy { !$0.isFault && $0["title"].string?.count ?? 0 > length })
    }
  }

  @Test func `an invalid value is reported when it is accessed, and other values can be read`() throws {
    let (test, new) = (try library(60), try TestStore(Models.library))
    try test.run(
      "UPDATE ZBOOK SET ZPRICE = 'dear' WHERE Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book')")
    let rows = try rows(test, new.store)
    var count = 0
    try test.context.enumerate(Self.request, prefetching: rows, pageSize: Self.pageSize) { book in
      count += 1
      #expect(rows.current != nil && book["pages"].integer != nil)
      #expect(message { _ = try book.value(forKey: "price") as Value }?.contains("ZPRICE") == true)
    }
    #expect(count == 60)
  }
}
