import Foundation
import HeavyliftConcurrency
import HeavyliftSchema
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

enum Grown {
  enum V1 {
    final class Thing: Entity { @Attribute var name: String }
  }

  enum V2 {
    final class Thing: Entity {
      @Attribute var name: String
      @Attribute var count = 5
      @Attribute var kind: TextKind = .second
      @Attribute var direction: CaseKind = .south
      @Attribute var point = Point(x: 1, y: 2)
      @Attribute var tags: [String] = ["a"]
      @Attribute var note: String?
    }
  }
}

/// CartKit's classes of today, which have two more attributes. CartKit did not make them a new version.
enum CartKitToday: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 1, 0)
  static var models: [Entity.Type] { [CartModel.self, CartKit.CartItemModel.self, CartKit.CartItemModifierModel.self] }
  static var storageProfile: StorageProfile { .swiftData }

  final class CartModel: Entity {
    @Attribute(.unique) var id: String
    @Attribute var storeId: String
    @Attribute var profileId: String?
    @Attribute var sessionId: String?
    @Attribute var status: String
    @Attribute var createdAt: Date
    @Attribute var updatedAt: Date
    @Attribute var metadataJSON: Data?
    @Attribute var promotionKindsJSON: Data?
    @Attribute var displayName: String?
    @Attribute var context: String?
    @Attribute var storeImageURLString: String?
    @Attribute var minSubtotalAmount: Decimal?
    @Attribute var minSubtotalCurrencyCode: String?
    @Attribute var maxItemCount: Int?
    @Relationship(deleteRule: .cascade) var items: [CartKit.CartItemModel]
  }
}

enum CartKitPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [CartKit.self, CartKitToday.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: CartKit.self, toVersion: CartKitToday.self)] }
}

enum FreezeRayPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [FreezeRay.V1.self, FreezeRay.V2.self, FreezeRay.V3.self] }
  static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: FreezeRay.V1.self, toVersion: FreezeRay.V2.self),
      .lightweight(fromVersion: FreezeRay.V2.self, toVersion: FreezeRay.V3.self),
    ]
  }
}

/// Migrations between the models of schemas.
@Suite struct VersionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the differences that the verifier finds.
  private static func differences(_ finished: FinishedHop) throws -> [String] {
    let old = try PersistentStore(url: finished.source, models: [finished.hop.sourceModel], mode: .readOnly)
    defer { try? old.close() }
    let new = try PersistentStore(url: finished.destination, models: [finished.hop.destinationModel], mode: .readOnly)
    defer { try? new.close() }
    let report = try StoreVerifier(source: old, destination: new, mappings: finished.hop.mappings).verify()
    #expect(report.isClean)
    return report.examples.map { "\($0)" }
  }

  private func migrate(_ url: URL, _ schemas: Schema...) throws {
    try IncrementalMigrationManager(models: schemas.map(\.model), infersMissingMappings: true).migrate(url)
  }

  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
  func `a store that SwiftData wrote is migrated through the versions of its plan`() throws {
    let url = try folder.copyStore(Corpus.root.appending(path: "FreezeRay/1.0.0/App-1_0_0.sqlite"))
    let old = try ModelContext(ModelContainer(for: FreezeRay.V1.self, at: url))
    try old.insert(FreezeRay.V1.User.self).name = "Ana"
    try old.save()
    try old.managedObjectContext.store.close()
    let verified = Locked<[String]>([])
    let container = try ModelContainer(for: FreezeRay.V3.self, migrationPlan: FreezeRayPlan.self, at: url) { manager in
      manager.hopHandler = { verified.current.append("\($0.hop.title): \(try Self.differences($0))") }
    }
    #expect(
      verified.current == [
        "'FreezeRay.V1 (1.0.0)' → 'FreezeRay.V2 (2.0.0)': []", "'FreezeRay.V2 (2.0.0)' → 'FreezeRay.V3 (3.0.0)': []",
      ])
    let context = try ModelContext(container)
    let user = try #require(try context.fetch(FreezeRay.V3.User.self).first)
    let post = try context.insert(FreezeRay.V3.Post.self)
    (post.title, post.author) = ("Hello", user)
    try context.save()
    #expect(
      try StoreText.dump(container) == """
        {"entity":"Post","key":1,"attributes":{"content":null,"createdAt":null,"title":"Hello"},\
        "relationships":{"author":"User/p1"}}
        {"entity":"User","key":1,"attributes":{"createdAt":null,"email":null,"name":"Ana"},\
        "relationships":{"posts":["Post/p1"]}}

        """)
    #expect(user.posts == [post])
    #expect(try StoreFile(url: url).metadata.versionIdentifiers == ["3.0.0"])
  }

  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
  func `a store that SwiftData wrote is migrated to classes with more attributes`() throws {
    let url = try folder.copyStore(
      Corpus.root.appending(path: "CartKit/SwiftData/CartKitSwiftData_v1.sqlite"))
    let verified = Locked<[String]>([])
    let container = try ModelContainer(for: CartKitToday.self, migrationPlan: CartKitPlan.self, at: url) { manager in
      manager.hopHandler = { verified.current.append("\($0.hop.title): \(try Self.differences($0))") }
    }
    #expect(verified.current == ["'CartKit (1.0.0)' → 'CartKitToday (1.1.0)': []"])
    let cart = try #require(try ModelContext(container).fetch(CartKitToday.CartModel.self).first)
    cart.sessionId = "session"
    try cart.modelContext?.save()
    #expect(
      try StoreText.dump(container) == """
        {"entity":"CartModel","key":1,"attributes":{"context":null,"createdAt":"2026-01-30T15:01:45.80792Z",\
        "displayName":null,"id":"31D0046D-3C85-410E-BBB0-141FC0105E06","maxItemCount":null,\
        "metadataJSON":"eyJzb3VyY2UiOiJsZWdhY3ktc3dpZnRkYXRhIn0=","minSubtotalAmount":null,\
        "minSubtotalCurrencyCode":null,"profileId":null,"promotionKindsJSON":null,"sessionId":"session",\
        "status":"active","storeId":"store-legacy","storeImageURLString":null,\
        "updatedAt":"2026-01-30T15:01:45.80792Z"},"relationships":{"items":[]}}

        """)
    #expect(try ModelContainer(for: CartKitToday.self, migrationPlan: CartKitPlan.self, at: url).migrationReport == nil)
  }

  @Test func `old objects get the initial values of new attributes`() throws {
    let url = folder.appending("Grown.sqlite")
    let old = try Schema([Grown.V1.Thing.self], version: Schema.Version(1, 0, 0), profile: .swiftData)
    let new = try Schema([Grown.V2.Thing.self], version: Schema.Version(2, 0, 0), profile: .swiftData)
    let context = try ModelContext(ModelContainer(for: old, at: url))
    try context.insert(Grown.V1.Thing.self).name = "one"
    try context.save()
    try context.managedObjectContext.store.close()
    try migrate(url, old, new)

    let migrated = try ModelContext(ModelContainer(for: new, at: url))
    let thing = try #require(try migrated.fetch(Grown.V2.Thing.self).first)
    #expect(thing.name == "one")
    #expect(thing.count == 5)
    #expect(thing.kind == .second)
    #expect(thing.direction == .south)
    #expect(thing.point == Point(x: 1, y: 2))
    #expect(thing.tags == ["a"])
    #expect(migrated.failure == nil)
  }
}
