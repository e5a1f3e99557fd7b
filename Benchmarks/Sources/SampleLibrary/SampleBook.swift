public import Foundation
public import Heavylift

/// A book that is written both as an object and by plain SQLite.
public struct SampleBook: Sendable {
  public var title: String
  public var subtitle: String?
  public var pages: Int64
  public var rating: Double
  public var addedAt: Date

  /// Returns the given number of books, all different.
  public static func make(_ count: Int) -> [SampleBook] {
    (0..<count).map { index in
      SampleBook(
        title: "Book number \(index)", subtitle: index.isMultiple(of: 3) ? "with a subtitle, déjà vu \(index)" : nil,
        pages: Int64(index % 900), rating: Double(index % 50) / 10,
        addedAt: Date(timeIntervalSinceReferenceDate: Double(index) * 3600.25))
    }
  }

  /// Authors with books.
  public static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Author", attributes: [AttributeDescription(name: "name", type: .string)],
      relationships: [
        RelationshipDescription(
          name: "books", destinationEntityName: "Book", inverseName: "author", inverseEntityName: "Book")
      ]),
    EntityDescription(
      name: "Book",
      attributes: [
        AttributeDescription(name: "title", type: .string, isOptional: false),
        AttributeDescription(name: "subtitle", type: .string),
        AttributeDescription(
          name: "pages", type: .integer32, validation: AttributeValidation(minimum: 0, maximum: 100_000)),
        AttributeDescription(name: "rating", type: .double),
        AttributeDescription(name: "addedAt", type: .date),
      ],
      relationships: [
        RelationshipDescription(
          name: "author", destinationEntityName: "Author", inverseName: "books", inverseEntityName: "Author",
          isOptional: false, maxCount: 1)
      ]),
  ])
}
