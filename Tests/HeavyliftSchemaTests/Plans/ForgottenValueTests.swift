import Foundation
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

/// Stages whose code does not convert the values of optional properties that have another type or destination.
@Suite struct ForgottenValueTests {
  enum V1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [Entity.Type] { [Book.self, Person.self, Author.self] }

    class Book: Entity {
      @Attribute var pages: Int = 0
      @Attribute var year: String?
      @Relationship(hasInverse: false) var writer: Person?
    }

    final class Person: Entity { @Attribute var name: String? }

    final class Author: Entity { @Attribute var name: String? }
  }

  enum V2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [Entity.Type] { [Book.self, Person.self, Author.self] }

    class Book: Entity {
      @Attribute var pages: Int = 0
      @Attribute var year: Int?
      @Relationship(hasInverse: false) var writer: Author?
    }

    final class Person: Entity { @Attribute var name: String? }

    final class Author: Entity { @Attribute var name: String? }
  }

  private func migrate(
    _ stage: MigrationStage, _ old: [String?] = ["1815", "unknown", nil]
  ) throws -> (report: IncrementalMigrationReport, years: [Int?]) {
    let folder = try TemporaryFolder()
    let url = folder.appending("Books.sqlite")
    do {
      let context = try ModelContext(ModelContainer(for: V1.self, at: url))
      for year in old { try context.insert(V1.Book.self).year = year }
      try context.fetch(V1.Book.self)[0].writer = try context.insert(V1.Person.self)
      try context.save()
    }
    let history = try SchemaHistory(schemas: [V1.self, V2.self], stages: [stage])
    let report = try IncrementalMigrationManager(stages: history.stages).migrate(url)
    let books = try ModelContext(ModelContainer(for: V2.self, at: url)).fetch(V2.Book.self)
    return (report, books.map(\.year))
  }

  private func message(_ stage: MigrationStage) -> String {
    do {
      return "migrated \(try migrate(stage).years)"
    } catch {
      return "\(error)"
    }
  }

  @Test func `values that no handler sets are an error, with counts`() {
    let message = message(
      .custom(fromVersion: V1.self, toVersion: V2.self) { context in
        for book in try context.fetch(V2.Book.self) { book.pages = 1 }
      })
    #expect(
      message.contains(
        """
        error[stage.forgotten-values]: no handler sets 'writer' of entity 'Book', although 1 object has an old value in \
        'old_writer', which would be lost
          set it from the old value; if the old values are not needed, set it to nil
        error[stage.forgotten-values]: no handler sets 'year' of entity 'Book', although 2 objects have an old value in \
        'old_year', which would be lost
          set it from the old value; if the old values are not needed, set it to nil
        """), "\(message)")
  }

  @Test func `values that a handler could not convert are counted in the report`() throws {
    let (report, years) = try migrate(
      .custom(
        fromVersion: V1.self, toVersion: V2.self,
        migrate: { (old: V1.Book, new: V2.Book) in
          new.year = old.year.flatMap { Int($0) }
          new.writer = nil
        }))
    #expect(years == [1815, nil, nil])
    #expect(
      notes(report) == """
        warning[stage.empty-values]: the handlers left 'writer' of entity 'Book' empty in 1 object with an old value in \
        'old_writer', which is dropped
        warning[stage.empty-values]: the handlers left 'year' of entity 'Book' empty in 1 object with an old value in \
        'old_year', which is dropped
        """)
  }

  @Test func `a handler that reads an old value has decided about it, whatever the store contains`() throws {
    let (report, years) = try migrate(
      .custom(
        fromVersion: V1.self, toVersion: V2.self,
        migrate: { (old: V1.Book, new: V2.Book) in
          if let year = old.year.flatMap({ Int($0) }) { new.year = year }
          if old.writer != nil { new.writer = nil }
        }), ["unknown"])
    #expect(years == [nil])
    #expect(notes(report).contains("the handlers left 'year' of entity 'Book' empty in 1 object"))
  }

  @Test func `a handler may set a value and clear it again`() throws {
    let (_, years) = try migrate(
      .custom(fromVersion: V1.self, toVersion: V2.self) { context in
        for book in try context.fetch(V2.Book.self) {
          (book.year, book.writer) = (7, nil)
          book.year = nil
        }
      })
    #expect(years == [nil, nil, nil])
  }

  @Test func `a handler that reads other values has not decided`() {
    let message = message(
      .custom(
        fromVersion: V1.self, toVersion: V2.self,
        migrate: { (old: V1.Book, new: V2.Book) in
          new.pages = old.pages
          new.writer = nil
        }))
    #expect(message.contains("no handler sets 'year' of entity 'Book'"), "\(message)")
  }

  @Test func `values can be given up by setting them to nil`() throws {
    let (_, years) = try migrate(
      .custom(fromVersion: V1.self, toVersion: V2.self) { context in
        for book in try context.fetch(V2.Book.self) { (book.year, book.writer) = (nil, nil) }
      })
    #expect(years == [nil, nil, nil])
  }

  @Test func `a stage that only prepares the old objects cannot change types`() {
    let message = message(
      .custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { _ in }, didMigrate: nil))
    #expect(
      message.contains(
        """
        attribute 'year' of entity 'Book' has type Integer 64, but its source 'year' has type String
          write a mapping file with an expression that converts the value; or do it in code: '.custom(fromVersion:
        """), "\(message)")
    #expect(message.contains("error[stage.not-inferred]: custom stage"))
  }

  // MARK: One value for all

  enum V3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [Entity.Type] { [Book.self, Person.self, Author.self] }

    class Book: Entity {
      @Attribute var pages: Int = 0
      @Attribute var year: String?
      @Attribute var id = UUID()
      @Relationship(hasInverse: false) var writer: Person?
    }

    final class Person: Entity { @Attribute var name: String? }

    final class Author: Entity { @Attribute var name: String? }
  }

  @Test(arguments: [true, false])
  func `one value for all objects is a warning, unless a handler sets it`(isSet: Bool) throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Books.sqlite")
    do {
      let context = try ModelContext(ModelContainer(for: V1.self, at: url))
      for _ in 0..<3 { _ = try context.insert(V1.Book.self) }
      try context.save()
    }
    let history = try SchemaHistory(
      schemas: [V1.self, V3.self],
      stages: [
        .custom(fromVersion: V1.self, toVersion: V3.self) { context in
          for book in try context.fetch(V3.Book.self) {
            book.pages = 1
            if isSet { book.id = UUID() }
          }
        }
      ])
    let report = try IncrementalMigrationManager(stages: history.stages).migrate(url)
    let warning = """
      warning[stage.one-value-for-all]: 3 objects of entity 'Book' have the same value of 'id', whose initial value should \
      differ for each object: no handler has set it
        set it for each object in a handler
      """
    #expect(notes(report) == (isSet ? "" : warning))
  }

  private func notes(_ report: IncrementalMigrationReport) -> String {
    report.hops.flatMap { $0.report?.notes ?? [] }.map(\.description).joined(separator: "\n")
  }
}
