import Foundation
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

/// The Swift code of the tutorial about migrating a schema, word for word.
enum BookshelfV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [Entity.Type] { [Book.self] }

  final class Book: Entity {
    @Attribute var title: String
    @Attribute var author: String?
  }
}

enum BookshelfV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [Entity.Type] { [Book.self, Author.self] }

  final class Book: Entity {
    @Attribute var title: String
    @Attribute var addedAt: Date
    @Attribute(originalName: "author") var authorName: String?
    @Relationship var writer: Author?
  }

  final class Author: Entity {
    @Attribute(.unique) var name: String
    @Relationship var books: Set<Book>
  }
}

enum BookshelfPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [BookshelfV1.self, BookshelfV2.self] }

  static var stages: [MigrationStage] {
    [
      .custom(fromVersion: BookshelfV1.self, toVersion: BookshelfV2.self) { context in
        var authors: [String: BookshelfV2.Author] = [:]
        for book in try context.fetch(BookshelfV2.Book.self) {
          book.addedAt = Date()
          guard let name = book.authorName else { continue }
          let author = try authors[name] ?? context.insert(BookshelfV2.Author.self)
          author.name = name
          authors[name] = author
          book.writer = author
        }
      }
    ]
  }
}

struct TutorialExamples {
  @Test func `the tutorial migrates a bookshelf`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Bookshelf.sqlite")
    var printed: [String] = []
    func print(_ things: Any...) { printed.append(things.map { "\($0)" }.joined(separator: " ")) }

    let first = try ModelContext(ModelContainer(for: BookshelfV1.self, at: url))
    for title in ["Emma", "Persuasion"] {
      let book = try first.insert(BookshelfV1.Book.self)
      (book.title, book.author) = (title, "Jane Austen")
    }
    try first.save()

    try first.managedObjectContext.store.close()

    do {
      _ = try SchemaHistory(
        schemas: [BookshelfV1.self, BookshelfV2.self],
        stages: [.lightweight(fromVersion: BookshelfV1.self, toVersion: BookshelfV2.self)])
    } catch {
      print(error)
    }

    let container = try ModelContainer(for: BookshelfV2.self, migrationPlan: BookshelfPlan.self, at: url)
    let context = try ModelContext(container)
    for author in try context.fetch(BookshelfV2.Author.self) {
      print(author.name, author.books.map(\.title).sorted())
    }

    let page = try MarkdownDocument(
      contentsOf: Corpus.project.appending(path: "Sources/HeavyliftSchema/HeavyliftSchema.docc/MigratingASchema.md"))
    let message = try #require(page.codeBlocks.first { $0.language == "text" }).text.trimmingCharacters(in: .newlines)
    #expect(printed == [message, #"Jane Austen ["Emma", "Persuasion"]"#])
  }
}
