import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// A shipped model has three relationships that name each other as inverses in a circle. Each to-one has a column of its
/// own, and the to-many has the links of the to-one that it names.
@Suite struct OneSidedInverseTests {
  private static func model(_ relationships: [RelationshipDescription]) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Book", attributes: [Models.attribute("title", .string)], relationships: relationships)
      ])
  }

  private static let circle = [
    Models.toMany("copies", "Book", "first"), Models.toOne("first", "Book", "original"),
    Models.toOne("original", "Book", "copies"),
  ]

  /// The first book is the first of all three, and the second one is the original of the third.
  private static func fill(_ context: ManagedObjectContext) throws {
    let books = try ["a", "b", "c"].map { title in
      let book = try context.insert("Book")
      book["title"] = .string(title)
      try context.save()
      return book
    }
    for book in books { book[toOne: "first"] = books[0] }
    books[2][toOne: "original"] = books[1]
  }

  @Test(arguments: [false, true])
  func `each link of such relationships is kept`(forcesObjects: Bool) throws {
    var new = Self.model(Self.circle)
    new.entities[0].attributes.append(Models.attribute("year", .integer16, default: 2000))
    let test = try MigrationTest(from: Self.model(Self.circle), to: new, fill: Self.fill)
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    try test.migrate(MappingModel(), options: options)
    #expect(
      try test.lines("Book", "title", "copies", "first", "original") == [
        "Book/p1 title=a copies=[Book/p1 Book/p2 Book/p3] first=Book/p1 original=nil",
        "Book/p2 title=b copies=[] first=Book/p1 original=nil",
        "Book/p3 title=c copies=[] first=Book/p1 original=Book/p2",
      ])
  }

  @Test func `a copied inverse does not hide the loss of the others`() throws {
    let old = Self.model(Self.circle)
    let new = Self.model(Array(Self.circle.dropLast()))
    let mistakes = MappingModel().complete(from: old, to: new).check()
    #expect(mistakes.hasErrors)
    #expect(mistakes.filter { $0.severity == .error }.allSatisfy { $0.problem.contains("'original'") }, "\(mistakes)")
  }
}
