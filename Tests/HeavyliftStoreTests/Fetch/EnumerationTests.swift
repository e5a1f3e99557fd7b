import HeavyliftModel
import Testing

@testable import HeavyliftStore

/// Enumerations whose bodies change the store.
struct EnumerationTests {
  private func library(_ books: Int, isIndexed: Bool = false) throws -> TestStore {
    var model = Models.library
    if isIndexed {
      model.entities[1].fetchIndexes = [
        FetchIndexDescription(name: "byPages", elements: [.init(propertyName: "pages")])
      ]
    }
    let test = try TestStore(model)
    for number in 0..<books { _ = try test.insert("Book", ["pages": .integer(Int64(number))]) }
    try test.context.save()
    return test
  }

  @Test(arguments: [false, true]) func `objects that the body creates are not enumerated`(isSorted: Bool) throws {
    let test = try library(3, isIndexed: true)
    var request = FetchRequest(entityName: "Book")
    if isSorted { request.sortKeys = [.init(keyPath: "pages")] }
    var seen: [String] = []
    try test.context.enumerate(request) { book in
      seen.append(book.description)
      guard seen.count < 10 else { return }
      _ = try test.insert("Book", ["pages": .integer(Int64(100 + seen.count))])
      try test.context.save()
    }
    #expect(seen == ["Book/p1", "Book/p2", "Book/p3"])
    #expect(try test.fetch("Book").count == 6)
  }

  @Test func `an object that the body moves in the sort order is enumerated once`() throws {
    let test = try library(3, isIndexed: true)
    var request = FetchRequest(entityName: "Book")
    request.sortKeys = [.init(keyPath: "pages")]
    var seen: [String] = []
    try test.context.enumerate(request) { book in
      seen.append(book.description)
      guard seen.count < 10 else { return }
      book["pages"] = .integer((book["pages"].integer ?? 0) + 10)
      try test.context.save()
    }
    #expect(seen == ["Book/p1", "Book/p2", "Book/p3"])
  }

  @Test func `an object that the body moves in the sort order counts once toward the limit`() throws {
    let test = try library(6, isIndexed: true)
    var request = FetchRequest(entityName: "Book")
    request.sortKeys = [.init(keyPath: "pages")]
    (request.fetchOffset, request.fetchLimit) = (1, 4)
    var seen: [String] = []
    try test.context.enumerate(request) { book in
      seen.append(book.description)
      guard seen.count < 10 else { return }
      book["pages"] = .integer((book["pages"].integer ?? 0) + 2)
      try test.context.save()
    }
    #expect(seen == ["Book/p2", "Book/p3", "Book/p4", "Book/p5"])
  }
}
