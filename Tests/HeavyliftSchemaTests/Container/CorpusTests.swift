import Foundation
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

/// Classes for CartKit's store, as its notes describe them.
enum CartKit: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [Entity.Type] { [CartModel.self, CartItemModel.self, CartItemModifierModel.self] }
  static var storageProfile: StorageProfile { .swiftData }

  final class CartModel: Entity {
    @Attribute(.unique) var id: String
    @Attribute var storeId: String
    @Attribute var profileId: String?
    @Attribute var status: String
    @Attribute var createdAt: Date
    @Attribute var updatedAt: Date
    @Attribute var metadataJSON: Data?
    @Attribute var displayName: String?
    @Attribute var context: String?
    @Attribute var storeImageURLString: String?
    @Attribute var minSubtotalAmount: Decimal?
    @Attribute var minSubtotalCurrencyCode: String?
    @Attribute var maxItemCount: Int?
    @Relationship(deleteRule: .cascade) var items: [CartItemModel]
  }

  final class CartItemModel: Entity {
    @Attribute(.unique) var id: String
    @Attribute var productId: String
    @Attribute var quantity: Int
    @Attribute var availableStock: Int?
    @Attribute var unitPriceAmount: Decimal
    @Attribute var unitPriceCurrencyCode: String
    @Attribute var totalPriceAmount: Decimal
    @Attribute var totalPriceCurrencyCode: String
    @Attribute var imageURLString: String?
    @Relationship(deleteRule: .cascade) var modifiers: [CartItemModifierModel]
  }

  final class CartItemModifierModel: Entity {
    @Attribute(.unique) var id: String
    @Attribute var name: String
    @Attribute var priceDeltaAmount: Decimal
    @Attribute var priceDeltaCurrencyCode: String
  }
}

/// Classes for FreezeRay's stores.
enum FreezeRay {
  enum V1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [Entity.Type] { [User.self] }
    static var storageProfile: StorageProfile { .swiftData }

    final class User: Entity {
      @Attribute var name: String?
      @Attribute var createdAt: Date?
    }
  }

  enum V2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [Entity.Type] { [User.self] }
    static var storageProfile: StorageProfile { .swiftData }

    final class User: Entity {
      @Attribute var name: String?
      @Attribute var createdAt: Date?
      @Attribute var email: String?
    }
  }

  enum V3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [Entity.Type] { [User.self, Post.self] }
    static var storageProfile: StorageProfile { .swiftData }

    final class User: Entity {
      @Attribute var name: String?
      @Attribute var createdAt: Date?
      @Attribute var email: String?
      @Relationship var posts: [Post]?
    }

    final class Post: Entity {
      @Attribute var title: String?
      @Attribute var content: String?
      @Attribute var createdAt: Date?
      @Relationship var author: User?
    }
  }
}

@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
struct CorpusTests {
  private static let cart = Corpus.root.appending(path: "CartKit/SwiftData/CartKitSwiftData_v1.sqlite")

  private static func users(_ version: String) -> URL {
    Corpus.root.appending(path: "FreezeRay/\(version)/App-\(version.replacing(".", with: "_")).sqlite")
  }

  @Test func `classes have the version hashes of the stores that SwiftData wrote`() throws {
    for (store, version) in [
      (Self.cart, CartKit.self as any VersionedSchema.Type), (Self.users("1.0.0"), FreezeRay.V1.self),
      (Self.users("2.0.0"), FreezeRay.V2.self),
    ] {
      let folder = try TemporaryFolder()
      let metadata = try StoreFile(url: folder.copyStore(store)).metadata
      let model = try Schema(versionedSchema: version).model
      #expect(model.versionHashes == metadata.versionHashes)
      #expect(model.versionChecksum == metadata.versionChecksum)
      #expect(model.versionHashesDigest == metadata.versionHashesDigest)
      #expect(model.versionIdentifiers == metadata.versionIdentifiers)
    }
  }

  @Test func `a new store of the classes has the tables and indexes of the store that SwiftData wrote`() throws {
    for (store, version) in [
      (Self.cart, CartKit.self as any VersionedSchema.Type), (Self.users("1.0.0"), FreezeRay.V1.self),
      (Self.users("2.0.0"), FreezeRay.V2.self),
    ] {
      let folder = try TemporaryFolder()
      let new = folder.appending("new.sqlite")
      _ = try ModelContainer(for: version, at: new)
      #expect(try StoreText.schema(new) == StoreText.schema(folder.copyStore(store)))
    }
  }

  @Test func `a store that SwiftData wrote is read, changed and read again through classes`() throws {
    let folder = try TemporaryFolder()
    let container = try ModelContainer(for: CartKit.self, at: folder.copyStore(Self.cart))
    let context = try ModelContext(container)
    let cart = try #require(try context.fetch(CartKit.CartModel.self).first)
    #expect(cart.id == "31D0046D-3C85-410E-BBB0-141FC0105E06")
    #expect(cart.status == "active")
    #expect(cart.createdAt == Date(timeIntervalSinceReferenceDate: 791478105.80792))
    #expect(cart.metadataJSON == Data(#"{"source":"legacy-swiftdata"}"#.utf8))
    #expect(cart.minSubtotalAmount == nil)
    #expect(cart.items.isEmpty)

    let item = try context.insert(CartKit.CartItemModel.self)
    (item.id, item.productId, item.quantity) = ("item", "product", 2)
    (item.unitPriceAmount, item.unitPriceCurrencyCode) = (1.25, "EUR")
    (item.totalPriceAmount, item.totalPriceCurrencyCode) = (2.5, "EUR")
    cart.items.append(item)
    cart.maxItemCount = 10
    try context.save()

    let text = try StoreText.dump(container)
    #expect(
      text == """
        {"entity":"CartItemModel","key":1,"attributes":{"availableStock":null,"id":"item","imageURLString":null,\
        "productId":"product","quantity":2,"totalPriceAmount":"2.5","totalPriceCurrencyCode":"EUR",\
        "unitPriceAmount":"1.25","unitPriceCurrencyCode":"EUR"},"relationships":{"modifiers":[]}}
        {"entity":"CartModel","key":1,"attributes":{"context":null,"createdAt":"2026-01-30T15:01:45.80792Z",\
        "displayName":null,"id":"31D0046D-3C85-410E-BBB0-141FC0105E06","maxItemCount":10,\
        "metadataJSON":"eyJzb3VyY2UiOiJsZWdhY3ktc3dpZnRkYXRhIn0=","minSubtotalAmount":null,\
        "minSubtotalCurrencyCode":null,"profileId":null,"status":"active","storeId":"store-legacy",\
        "storeImageURLString":null,"updatedAt":"2026-01-30T15:01:45.80792Z"},\
        "relationships":{"items":["CartItemModel/p1"]}}

        """)
    let again = try ModelContext(container)
    #expect(try again.fetch(CartKit.CartModel.self).first?.items.map(\.productId) == ["product"])
    #expect(again.failure == nil)
  }

  @Test(arguments: ["1.0.0", "2.0.0"]) func `objects are added to stores that SwiftData wrote`(version: String) throws {
    let folder = try TemporaryFolder()
    let url = try folder.copyStore(Self.users(version))
    if version == "1.0.0" {
      let context = try ModelContext(ModelContainer(for: FreezeRay.V1.self, at: url))
      try context.insert(FreezeRay.V1.User.self).name = "Ana"
      try context.save()
    } else {
      let context = try ModelContext(ModelContainer(for: FreezeRay.V2.self, at: url))
      let user = try context.insert(FreezeRay.V2.User.self)
      (user.name, user.email) = ("Ana", "ana@example.org")
      try context.save()
    }
    let email = version == "1.0.0" ? "" : #""email":"ana@example.org","#
    let type: any VersionedSchema.Type = version == "1.0.0" ? FreezeRay.V1.self : FreezeRay.V2.self
    let text = try StoreText.dump(ModelContainer(for: type, at: url))
    #expect(
      text == """
        {"entity":"User","key":1,"attributes":{"createdAt":null,\(email)"name":"Ana"},"relationships":{}}

        """)
  }

  @Test func `a store of another version is refused with the property that differs`() throws {
    let folder = try TemporaryFolder()
    let url = try folder.copyStore(Self.users("1.0.0"))
    #expect(
      message { _ = try ModelContainer(for: FreezeRay.V2.self, at: url) } == """
        error[schema.other-version]: store '\(url.path)' has a different version than schema 'FreezeRay.V2 (2.0.0)': entity \
        'User': attribute 'email': added
          migrate the store to this version first
        """)
  }
}
