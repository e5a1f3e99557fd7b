import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// Objects of an enumeration.
struct CurrentRowTests {
  private func library() throws -> TestStore {
    let test = try TestStore(Models.library)
    let author = try test.insert("Author", ["name": "Kafka"])
    for number in 0..<5 {
      let book = try test.insert("Book", ["title": .string("a title of some length \(number)")])
      book[toOne: "author"] = author
    }
    try test.context.save()
    try test.reopen()
    return test
  }

  @Test func `a released object is never read completely`() throws {
    let test = try library()
    var titles: [String] = []
    try test.context.enumerate(FetchRequest(entityName: "Book")) { book in
      titles.append(book["title"].string ?? "")
      #expect(book.isFault && !book.isFaulted)
    }
    #expect(titles == (0..<5).map { "a title of some length \($0)" })
    #expect(test.context.livingObjectCount == 0)
  }

  @Test func `an object that is kept or changed has its own values after the query has moved on`() throws {
    let test = try library()
    var kept: [ManagedObject] = []
    try test.context.enumerate(FetchRequest(entityName: "Book")) { book in
      if kept.count < 2 { kept.append(book) }
      if book.key == 4 { book["title"] = "changed" }
      if book.key == 5 { #expect(book[toOne: "author"]?["name"] == "Kafka") }
    }
    #expect(kept.map(\.isFault) == [false, false])
    #expect(kept.map { $0["title"] } == ["a title of some length 0", "a title of some length 1"])
    #expect(kept.map { $0[toOne: "author"]?.key } == [1, 1])
    #expect(test.context.updatedObjects.map { $0["title"] } == ["changed"])
  }

  @Test func `an object that is kept when the body fails reads itself later`() throws {
    struct Enough: Error {}
    let test = try library()
    var kept: ManagedObject?
    #expect(throws: Enough.self) {
      try test.context.enumerate(FetchRequest(entityName: "Book")) { book in
        kept = book
        throw Enough()
      }
    }
    #expect(kept?.isFaulted == true)
    #expect(kept?["title"] == "a title of some length 0")
  }

  @Test func `an invalid value is reported on access, with its place`() throws {
    let test = try library()
    try test.run("UPDATE ZBOOK SET ZTITLE = x'00ff' WHERE Z_PK = 2")
    var count = 0
    try test.context.enumerate(FetchRequest(entityName: "Book")) { _ in count += 1 }
    #expect(count == 5)
    func failure(_ body: (ManagedObject) throws -> Void) -> String {
      do {
        try test.context.enumerate(FetchRequest(entityName: "Book"), body)
        return "nothing"
      } catch { return (error as? Diagnostic)?.problem ?? "\(error)" }
    }
    var kept: [ManagedObject] = []
    let looking = failure { _ = try $0.value(forKey: "title") as Value }
    let keeping = failure { kept.append($0) }
    #expect(looking == keeping)
    #expect(looking.contains("Book"))
  }
}
