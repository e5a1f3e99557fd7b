import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// Compiled models of real programs, compared with their sources.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
struct CompiledModelCorpusTests {
  private static let plus = "CoreDataPlus/Tests/Resources"
  private static let bookmarks =
    "BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld/BookmarksModel"
  private static let sync = "BrowserServicesKit/Sources/DDGSync/SyncMetadata.xcdatamodeld/SyncMetadata"
  private static let stores = "BrowserServicesKit/Tests"

  /// A compiled file and its source.
  static let files: [(compiled: String, source: String)] =
    [
      ("SampleModel/Fixtures/SampleModel.momd/SampleModel.mom", "SampleModel/SampleModel.xcdatamodeld/SampleModel"),
      ("SampleModel/Fixtures/SampleModel.momd/SampleModel2.mom", "SampleModel/SampleModel.xcdatamodeld/SampleModel2"),
      ("SampleModel/Fixtures/SampleModel.momd/SampleModel3.mom", "SampleModel/SampleModel.xcdatamodeld/SampleModel3"),
      (
        "SampleModel3/Fixtures/SampleModel3.momd/SampleModel3.mom",
        "SampleModel3/SampleModel3.xcdatamodeld/SampleModel3"
      ),
      (
        "SampleModel3/Fixtures/SampleModel3.momd/SampleModel3_v2.mom",
        "SampleModel3/SampleModel3.xcdatamodeld/SampleModel3_v2"
      ),
      (
        "SampleModel3/Fixtures/SampleModel3.momd/SampleModel3_v3.mom",
        "SampleModel3/SampleModel3.xcdatamodeld/SampleModel3_v3"
      ),
    ].map { ("\(plus)/\($0)", "\(plus)/\($1).xcdatamodel/contents") } + [
      (
        "CartKit/CoreData/CartStorage.momd/CartStorage.mom",
        "CartKit/CoreData/CartStorage.xcdatamodeld/CartStorage.xcdatamodel/contents"
      )
    ]

  /// A store that embeds its model, and the source of that model.
  static let caches: [(store: String, source: String)] = [
    ("\(stores)/BookmarksTests/Resources/Bookmarks_V1.sqlite", "\(bookmarks)"),
    ("\(stores)/BookmarksTests/Resources/Bookmarks_V2.sqlite", "\(bookmarks) 2"),
    ("\(stores)/BookmarksTests/Resources/Bookmarks_V3.sqlite", "\(bookmarks) 3"),
    ("\(stores)/BookmarksTests/Resources/Bookmarks_V4.sqlite", "\(bookmarks) 4"),
    ("\(stores)/BookmarksTests/Resources/Bookmarks_V5.sqlite", "\(bookmarks) 5"),
    ("\(stores)/DDGSyncTests/Resources/SyncMetadata_V3.sqlite", "\(sync) 3"),
    (
      "\(plus)/SampleModel/Fixtures/SampleModel_V1.sqlite",
      "\(plus)/SampleModel/SampleModel.xcdatamodeld/SampleModel"
    ),
    (
      "\(plus)/SampleModel/Fixtures/SampleModel_V2.sqlite",
      "\(plus)/SampleModel/SampleModel.xcdatamodeld/SampleModel2"
    ),
    (
      "\(plus)/SampleModel3/Fixtures/SampleModel3_V1.sqlite",
      "\(plus)/SampleModel3/SampleModel3.xcdatamodeld/SampleModel3"
    ),
  ].map { ($0, "\($1).xcdatamodel/contents") }

  @Test(arguments: files.indices)
  func `a compiled model equals its source`(index: Int) throws {
    let (file, source) = Self.files[index]
    let compiled = try CompiledModel(contentsOf: Corpus.root.appending(path: file))
    #expect(compiled.model.name == URL(filePath: file).deletingPathExtension().lastPathComponent)
    #expect(compiled.diagnostics == [])
    try expectEqual(compiled.model, source: source)
  }

  @Test(arguments: caches.indices)
  func `a model inside a store equals its source, and has the store's version hashes`(index: Int) throws {
    let (store, source) = Self.caches[index]
    let blobs = try StoreBlobs(Corpus.root.appending(path: store))
    let compiled = try CompiledModel(modelCache: #require(blobs.modelCache))
    #expect(compiled.diagnostics == [])
    // The program that wrote this store removed the classes from its model first.
    let hasClasses = !store.hasSuffix("SampleModel_V2.sqlite")
    #expect(compiled.model.entities.allSatisfy { ($0.managedObjectClassName != nil) == hasClasses })
    try expectEqual(compiled.model, source: source, withClasses: hasClasses)
    #expect(compiled.model.versionHashes == (try versionHashes(blobs)))
  }

  @Test func `the compiled models that the corpus has are all compared`() {
    #expect(Corpus.files(endingWith: ".mom").map(Corpus.name) == Self.files.map(\.compiled).sorted())
    let compared = Set(Self.caches.map(\.store))
    let others = Corpus.files(endingWith: ".sqlite").map(Corpus.name).filter { !compared.contains($0) }
    // The first is too old for a model cache; the others' models were created or changed in code, or their version
    // has no source.
    #expect(
      others == [
        "BookMigration/Model1.sqlite", "CareKit/SampleStore2.1.sqlite", "CartKit/CoreData/CartStorage_v1.sqlite",
        "CartKit/SwiftData/CartKitSwiftData_v1.sqlite",
        "\(Self.plus)/SampleModel2/Fixtures/SampleModel2_V1.sqlite",
        "\(Self.plus)/SampleModel2/Fixtures/SampleModel2_V2.sqlite",
        "FreezeRay/1.0.0/App-1_0_0.sqlite", "FreezeRay/2.0.0/App-2_0_0.sqlite",
      ])
  }

  @Test func `checksum and digest of every store are those of its hashes`() throws {
    var checksums = 0
    for store in Corpus.files(endingWith: ".sqlite") {
      let blobs = try StoreBlobs(store)
      let metadata = try #require(PropertyList(data: blobs.metadata).dictionary)
      let hashes = try versionHashes(blobs)
      if let checksum = metadata["NSStoreModelVersionChecksumKey"]?.string {
        #expect(hashes.versionChecksum == checksum, "\(store.lastPathComponent)")
        checksums += 1
      }
      guard let digest = metadata["NSStoreModelVersionHashesDigest"]?.string else {
        #expect(store.lastPathComponent == "Model1.sqlite")
        continue
      }
      #expect(hashes.versionHashesDigest == digest, "\(store.lastPathComponent)")
    }
    #expect(checksums == 10)
  }

  @Test func `a model that was made in code is read out of its store, all that it holds`() throws {
    let store = Corpus.root.appending(path: "\(Self.plus)/SampleModel2/Fixtures/SampleModel2_V1.sqlite")
    let blobs = try StoreBlobs(store)
    let compiled = try CompiledModel(modelCache: #require(blobs.modelCache))
    #expect(
      compiled.diagnostics.map(\.description) == [
        "warning[archive.validation-left-out]: the model cache has a validation rule for attribute 'title' of entity "
          + "'Book' that no model file can express: SELF CONTAINS \"title\"",
        "warning[archive.opaque-default]: the model cache has a default value of class 'CoreDataPlus_Tests.Cover' "
          + "for attribute 'cover' of entity 'Book'; it is skipped",
      ])
    let model = compiled.model
    #expect(model.entities.map(\.name) == ["Author", "Book", "Feedback", "GraphicNovel", "Page", "Writer"])
    #expect(
      model.configurations == [
        ConfigurationDescription(
          name: "SampleConfigurationV1",
          entityNames: ["Author", "Book", "Feedback", "GraphicNovel", "Page", "Writer"])
      ])
    let author = try #require(model.entity(named: "Author"))
    #expect(author.superentityName == "Writer")
    #expect(author.attributes.map(\.name) == ["alias", "siteURL"])
    #expect(author.uniquenessConstraints == [.init(["alias"])])
    #expect(
      author.fetchedProperties.map(\.fetchRequest) == [
        FetchRequestDescription(
          name: "fetchedPropertyFetchRequest", entityName: "Feedback",
          predicateString: "authorAlias == $FETCH_SOURCE.alias "
            + "AND comment CONTAINS[c] $FETCHED_PROPERTY.userInfo.search"),
        FetchRequestDescription(
          name: "fetchedPropertyFetchRequest", entityName: "Feedback",
          predicateString: "authorAlias == $FETCH_SOURCE.alias", sortKeys: [.init(keyPath: "rating")]),
      ])
    #expect(author.fetchedProperties.map(\.userInfo) == [["search": "great"], [:]])
    let book = try #require(model.entity(named: "Book"))
    #expect(book.attribute(named: "pagesCount")?.derivationExpression == "count:(pages)")
    #expect(book.attribute(named: "title")?.validation == AttributeValidation(minimumLength: 3, maximumLength: 50))
    #expect(book.attribute(named: "cover")?.attributeValueClassName == "Cover")
    #expect(book.attribute(named: "cover")?.valueTransformerName == "CoverTransformer")
    #expect(
      book.relationship(named: "pages")
        == RelationshipDescription(
          name: "pages", destinationEntityName: "Page", inverseName: "book", inverseEntityName: "Page",
          isOptional: false, minCount: 1, maxCount: 10000, deleteRule: .cascade))
    #expect(model.entity(named: "GraphicNovel")?.attributes.map(\.name) == ["isBlackAndWhite"])
    #expect(model.entity(named: "GraphicNovel")?.attribute(named: "isBlackAndWhite")?.defaultValue == false)
    #expect(model.entity(named: "Writer")?.isAbstract == true)

    let stated = try versionHashes(blobs)
    let computed = model.entityVersionHashes()
    // One attribute is derived from a count.
    #expect(computed.mapValues(\.hash) == stated)
    #expect(!computed.values.contains { $0.isAssumed })
    let settled = compiled.stating(stated, by: "the store")
    #expect(settled.model.versionHashes == stated)
    #expect(settled.diagnostics == compiled.diagnostics)
  }

  private func expectEqual(_ model: ManagedObjectModel, source: String, withClasses: Bool = true) throws {
    var source = try ModelReader.read(contentsOf: Corpus.root.appending(path: source)).model
    if !withClasses {
      for index in source.entities.indices { source.entities[index].managedObjectClassName = nil }
    }
    let (read, written) = (model.factsHeldByCompiledModels, source.factsHeldByCompiledModels)
    #expect(read == written)
    // If they differ, this names the entity in fewer words.
    for entity in written.entities { #expect(read.entity(named: entity.name) == entity) }
    #expect(model.versionHashes == source.versionHashes)
  }

  private func versionHashes(_ blobs: StoreBlobs) throws -> [String: VersionHash] {
    let metadata = try #require(PropertyList(data: blobs.metadata).dictionary)
    let hashes = try #require(metadata["NSStoreModelVersionHashes"]?.dictionary)
    return hashes.compactMapValues { $0.data.map(VersionHash.init(bytes:)) }
  }
}
