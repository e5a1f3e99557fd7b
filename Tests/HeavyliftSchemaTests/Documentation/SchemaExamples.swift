import Foundation
import HeavyliftSchema
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

/// The Swift code of the pages about schemas, word for word.
enum MusicV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [Entity.Type] { [Track.self, Artist.self] }

  final class Track: Entity {
    @Attribute var title: String?
    @Attribute var json: String?
  }

  final class Artist: Entity {
    @Attribute var name: String
  }
}

enum MusicV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [Entity.Type] { [Track.self, Artist.self] }

  final class Track: Entity {
    @Attribute var title: String?
    @Attribute(originalName: "json") var legacyJSON: String?
    @Attribute var addedAt: Date
    @Attribute(minimum: 0, maximum: 5) var rating = 0
    @Relationship(inverse: \Artist.$tracks) var artists: Set<Artist>
  }

  final class Artist: Entity {
    @Attribute(.unique) var name: String
    @Relationship var tracks: Set<Track>
  }
}

enum MusicPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [MusicV1.self, MusicV2.self] }

  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: MusicV1.self, toVersion: MusicV2.self,
        willMigrate: { context in
          // In version 2, names are unique.
          var names: Set<String> = []
          for artist in try context.fetch(MusicV1.Artist.self) where !names.insert(artist.name).inserted {
            try context.delete(artist)
          }
        },
        didMigrate: { context in
          for track in try context.fetch(MusicV2.Track.self) { track.addedAt = Date() }
        })
    ]
  }
}

final class DatePolicy: TypedMigrationPolicy<MusicV1, MusicV1.Track, MusicV2, MusicV2.Track> {
  override func migrate(_ old: MusicV1.Track, to new: MusicV2.Track, manager: MigrationManager) throws {
    new.addedAt = Date()
  }
}

final class Event_v1: Entity {
  @Attribute var title: String
  @Attribute var seats: String?
}

final class Event_v2: Entity {
  @Attribute var title: String
  @Attribute var seats: Int
}

final class Song: Media {
  @Attribute var number: Int
  @Relationship(deleteRule: .cascade) var notes: [Note]
  override class var uniquenessConstraints: [Unique] { [Unique(\Song.$number)] }
}

class Media: Entity {
  @Attribute var title: String
  override class var abstractEntity: Entity.Type? { Media.self }
  override class var indexes: [Index] { [Index(\Media.$title)] }
}

final class Note: Entity {
  @Attribute var text: String
  @Relationship var song: Song?
}

enum ShopV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [Entity.Type] { [Cart.self, Item.self] }
  static var storageProfile: StorageProfile { .swiftData }

  final class Cart: Entity {
    @Attribute(.unique) var id: String
    @Attribute var status: Status = .open
    @Relationship(deleteRule: .cascade) var items: [Item] = []
  }

  final class Item: Entity {
    @Attribute var name: String
    @Attribute var price: Decimal
  }

  enum Status: String, Codable, CaseIterable { case open, ordered }
}

struct SchemaExamples {
  private let folder: TemporaryFolder
  private var storeURL: URL { folder.appending("Music.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  @Test func `objects are created, fetched and sent to other threads`() async throws {
    var printed: [String] = []
    func print(_ things: Any...) { printed.append(things.map { "\($0)" }.joined(separator: " ")) }

    let container = try ModelContainer(for: MusicV2.self, at: storeURL)
    let context = try ModelContext(container)

    let artist = try context.insert(MusicV2.Artist.self) { $0.name = "Miles Davis" }
    let track = try context.insert(MusicV2.Track.self) {
      $0.title = "Blue in Green"
      $0.addedAt = Date()
      $0.artists.insert(artist)
    }
    try context.save()  // all or nothing; throws if a rule of the schema is violated

    let miles = artist.persistentModelID
    let tracks = try context.fetch(
      #Predicate<MusicV2.Track> { $0.rating >= 0 && $0.artists.contains { $0.persistentModelID == miles } },
      sortBy: [SortKey(\.addedAt, .reverse)])
    for track in tracks { print(track.title ?? "untitled", track.artists.map(\.name)) }

    #expect(printed == [#"Blue in Green ["Miles Davis"]"#])
    try fetch(context)
    try access(track)
    try await send(track, container)
  }

  private func fetch(_ context: ModelContext) throws {
    var printed: [String] = []
    func print(_ things: Any...) { printed.append(things.map { "\($0)" }.joined(separator: " ")) }

    var descriptor = try FetchDescriptor<MusicV2.Track>(where: "title BEGINSWITH %@", "B")
    descriptor.sortBy = [SortKey(\.title)]
    try context.enumerate(descriptor) { print($0.title ?? "untitled") }
    print(try context.fetchCount(descriptor))

    #expect(printed == ["Blue in Green", "1"])
  }

  private func access(_ track: MusicV2.Track) throws {
    let title = try track.managedObject.value("title", as: String?.self)
    try track.managedObject.set("addedAt", to: Date())

    #expect(title == "Blue in Green")
  }

  private func send(_ track: MusicV2.Track, _ container: ModelContainer) async throws {
    let id = track.persistentModelID
    let title = try await Task {
      try ModelContext(container).existing(id, as: MusicV2.Track.self)?.title
    }.value

    #expect(title == "Blue in Green")
  }

  @Test func `a store is migrated by a plan`() throws {
    let old = try ModelContext(ModelContainer(for: MusicV1.self, at: storeURL))
    for _ in 0..<2 { try old.insert(MusicV1.Artist.self).name = "Miles Davis" }
    try old.insert(MusicV1.Track.self).json = "{}"
    try old.save()
    try old.managedObjectContext.store.close()
    var printed: [String] = []
    func print(_ things: Any...) { printed.append(things.map { "\($0)" }.joined(separator: " ")) }

    let container = try ModelContainer(for: MusicV2.self, migrationPlan: MusicPlan.self, at: storeURL)
    if let report = container.migrationReport { print(report.hops.map(\.title)) }

    let titles = [
      "'MusicV1 (1.0.0)' → 'MusicV1 → MusicV2, intermediate'", "'MusicV1 → MusicV2, intermediate' → 'MusicV2 (2.0.0)'",
    ]
    #expect(printed == ["\(titles)"])
    let context = try ModelContext(container)
    #expect(try context.fetch(MusicV2.Artist.self).map(\.name) == ["Miles Davis"])
    #expect(try context.fetch(MusicV2.Track.self).map(\.legacyJSON) == ["{}"])
    try convertObjects()
  }

  private func convertObjects() throws {
    let stage = MigrationStage.custom(
      fromVersion: MusicV1.self, toVersion: MusicV2.self,
      migrate: { (old: MusicV1.Track, new: MusicV2.Track) in
        new.addedAt = Date()
        new.rating = old.json == nil ? 0 : 1
      })
    let history = try SchemaHistory(schemas: [MusicV1.self, MusicV2.self], stages: [stage])
    for warning in history.warnings { print(warning) }

    #expect(history.warnings == [])
  }

  @Test func `a store is migrated from a schema that is a value`() throws {
    do {
      let old = try ModelContext(ModelContainer(for: Schema(objectTypes: [Event_v1.self]), at: storeURL))
      let event = try old.insert(Event_v1.self)
      (event.title, event.seats) = ("Concert", "200")
      try old.save()
      try old.managedObjectContext.store.close()
    }

    let v1 = try Schema(objectTypes: [Event_v1.self])
    let v2 = try Schema(objectTypes: [Event_v2.self])
    let toV2 = SchemaMigration(from: v1) { context in
      for event in try context.fetch(Event_v2.self) {
        let old = try event.managedObject.value(Schema.oldName(of: "seats"), as: String?.self)
        event.seats = Int(old ?? "") ?? 0
      }
    }
    let container = try ModelContainer(for: v2, migrations: [toV2], at: storeURL)

    #expect(try ModelContext(container).fetch(Event_v2.self).map(\.seats) == [200])
  }

  @Test func `a mapping's policy gets typed objects`() throws {
    let old = try ModelContext(ModelContainer(for: MusicV1.self, at: storeURL))
    try old.insert(MusicV1.Track.self).title = "So What"
    try old.save()
    try old.managedObjectContext.store.close()
    let mapping = MappingModel(
      entityMappings: [EntityMappingDescription(source: "Track", destination: "Track", policy: "DatePolicy")])
    let container = try ModelContainer(
      for: MusicV2.self, migrationPlan: MusicPlan.self, at: storeURL,
      mappings: MappingSearch([MappingCandidate(file: "1-2.xml", mappingModel: mapping)])
    ) { $0.execution = MappingHopExecution(policies: PolicyRegistry(DatePolicy.self)) }
    #expect(container.migrationReport?.hops.map(\.title) == ["'MusicV1 (1.0.0)' → 'MusicV2 (2.0.0)'"])
    #expect(try ModelContext(container).fetch(MusicV2.Track.self).map(\.title) == ["So What"])
  }

  @Test func `versions are compared`() throws {
    var printed: [String] = []
    func print(_ things: Any...) { printed.append(things.map { "\($0)" }.joined(separator: " ")) }

    let difference = try Schema(versionedSchema: MusicV2.self).difference(from: Schema(versionedSchema: MusicV1.self))
    print(difference)
    for diagnostic in difference.diagnostics { print(diagnostic) }

    #expect(printed.count == 1)
    #expect(
      difference.model.entity(named: "Track")?.properties.map(\.name) == ["addedAt", "legacyJSON", "rating", "artists"])
  }

  @Test func `a migration pair has the stages of a plan`() throws {
    let history = try SchemaHistory(MusicPlan.self)
    let pair = try MigrationPair(stages: history.stages, from: "MusicV1", to: "MusicV2")
    #expect(pair.sourceModel == history.schemas[0].model && pair.destinationModel == history.schemas[1].model)
  }

  @Test func `a predicate names the element of an enumeration`() throws {
    let context = try ModelContext(ModelContainer(for: ShopV1.self, at: storeURL))
    for (id, status) in [("1", ShopV1.Status.open), ("2", .ordered)] {
      let cart = try context.insert(ShopV1.Cart.self)
      (cart.id, cart.status) = (id, status)
    }
    try context.save()
    let open = try context.fetch(ShopV1.Cart.self, where: "status.status != %@", "ordered")
    #expect(open.map(\.id) == ["1"])
  }

  @Test func `the other classes of the pages are schemas`() throws {
    let warnings = try Schema([Song.self, Media.self, Note.self]).warnings.map(\.description)
    #expect(warnings == [])
    #expect(try Schema(versionedSchema: ShopV1.self).model.composites.map(\.name) == ["Status_status"])
  }
}
