import Foundation
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

/// Versions whose hierarchies differ.
enum Shelf {
  enum V1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [Entity.Type] { [Medium.self, Song.self, Concert.self, Film.self] }

    class Medium: Entity { @Attribute var title: String }
    final class Song: Medium {}
    final class Concert: Medium {}
    final class Film: Medium {}
  }

  /// Has no films, and a concert is a song.
  enum V2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [Entity.Type] { [Medium.self, Song.self, Concert.self] }

    class Medium: Entity {
      @Attribute var title: String
      @Attribute var length: Int
    }
    class Song: Medium {}
    final class Concert: Song {}
  }
}

/// Code of a stage for objects whose classes are gone, or are elsewhere in the hierarchy.
@Suite struct PlanHierarchyTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.appending("Shelf.sqlite")
    let context = try ModelContext(ModelContainer(for: Shelf.V1.self, at: url))
    try context.insert(Shelf.V1.Song.self).title = "Blue in Green"
    try context.save()
    try context.insert(Shelf.V1.Concert.self).title = "Live"
    try context.save()
    try context.insert(Shelf.V1.Film.self).title = "Ascenseur"
    try context.save()
    try context.managedObjectContext.store.close()
  }

  private func migrate(_ stage: MigrationStage) throws -> String {
    let history = try SchemaHistory(schemas: [Shelf.V1.self, Shelf.V2.self], stages: [stage])
    try IncrementalMigrationManager(stages: history.stages).migrate(url)
    return try StoreText.dump(ModelContainer(for: Shelf.V2.self, at: url))
  }

  private func message(_ stage: MigrationStage) throws -> String {
    let bytes = try Data(contentsOf: url)
    let error = #expect(throws: MigrationError.self) { try migrate(stage) }
    #expect(try Data(contentsOf: url) == bytes)
    return error.map { "\($0)".replacing(url.path, with: "STORE") } ?? "no error"
  }

  private static let migrated = """
    {"entity":"Concert","key":2,"attributes":{"length":4,"title":"Live"},"relationships":{}}
    {"entity":"Song","key":1,"attributes":{"length":13,"title":"Blue in Green"},"relationships":{}}

    """

  private static func setLengths(_ context: ModelContext) throws {
    for medium in try context.fetch(Shelf.V2.Medium.self) { medium.length = medium.title.count }
  }

  // MARK: Objects whose class is gone

  @Test func `an object whose class is gone is not fetched as one of its superclass`() throws {
    #expect(
      try message(
        .custom(fromVersion: Shelf.V1.self, toVersion: Shelf.V2.self, label: "Lengths", didMigrate: Self.setLengths))
          == """
          error[migration.hop]: hop 'Shelf.V1 (1.0.0)' → 'Shelf.V1 → Shelf.V2, intermediate' of store 'STORE' failed: \
          error[migration.134110]: custom stage 'Lengths', in 'didMigrate': object Film/p3 has no class, because version \
          'Shelf.V2 (2.0.0)' no longer has its entity; the stage removes it
            delete or convert the objects of this entity in 'willMigrate', or skip them when you fetch their superclass: \
          'descriptor.includesSubclasses = false'
            nothing was changed
          """)
  }

  @Test func `the objects can be deleted before`() throws {
    #expect(
      try migrate(
        .custom(
          fromVersion: Shelf.V1.self, toVersion: Shelf.V2.self,
          willMigrate: { context in
            for film in try context.fetch(Shelf.V1.Film.self) { try context.delete(film) }
          },
          didMigrate: Self.setLengths)) == Self.migrated)
  }

  @Test func `the objects can be skipped`() throws {
    #expect(
      try migrate(
        .custom(
          fromVersion: Shelf.V1.self, toVersion: Shelf.V2.self,
          didMigrate: { context in
            var descriptor = FetchDescriptor<Shelf.V2.Medium>()
            descriptor.includesSubclasses = false
            for medium in try context.fetch(descriptor) { medium.length = medium.title.count }
            for song in try context.fetch(Shelf.V2.Song.self) { song.length = song.title.count }
          })) == Self.migrated)
  }

  // MARK: Objects whose class was elsewhere

  @Test func `code for both forms of an object refuses one of another class`() throws {
    #expect(
      try message(
        .custom(
          fromVersion: Shelf.V1.self, toVersion: Shelf.V2.self, label: "Lengths",
          migrate: { (old: Shelf.V1.Song, new: Shelf.V2.Song) in new.length = old.title.count })) == """
          error[migration.hop]: hop 'Shelf.V1 (1.0.0)' → 'Shelf.V1 → Shelf.V2, intermediate' of store 'STORE' failed: \
          error[migration.134110]: custom stage 'Lengths', in 'migrate 'Song'', object 'Concert/p2': object Concert/p2 is a \
          'Shelf.V1.Concert', but the stage's closure takes a 'Shelf.V1.Song'
            take a superclass of both, or write a closure for each class
            nothing was changed
          """)
  }

  @Test func `code for both forms of an object takes a superclass`() throws {
    #expect(
      try migrate(
        .custom(
          fromVersion: Shelf.V1.self, toVersion: Shelf.V2.self,
          migrate: { (old: Shelf.V1.Medium, new: Shelf.V2.Song) in new.length = old.title.count })) == Self.migrated)
  }
}
