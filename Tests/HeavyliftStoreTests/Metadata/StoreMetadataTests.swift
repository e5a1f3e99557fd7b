import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

struct StoreMetadataTests {
  static let everyType: [String: PropertyList] = [
    "string": .string("größer\u{0}"), "empty": .string(""), "integer": .integer(.min), "large": .integer(.max),
    "one": .integer(1), "zero": .integer(0), "real": .real(0.1), "wholeReal": .real(1), "true": .boolean(true),
    "false": .boolean(false), "date": .date(Date(timeIntervalSinceReferenceDate: -1.5)),
    "data": .data(Data([0, 1, 255])),
    "array": .array([.integer(1), .boolean(true), .real(1), .array([]), .dictionary([:])]),
    "dictionary": .dictionary(["inner": .array([.string("x")]), "": .data(Data())]),
  ]

  @Test func `values of every kind that the application put there survive`() throws {
    let folder = try TemporaryFolder()
    var options = PersistentStore.CreationOptions()
    options.applicationValues = Self.everyType
    let store = try PersistentStore.create(at: folder.appending("a.sqlite"), model: Models.library, options: options)
    #expect(store.metadata.applicationValues == Self.everyType)
    try store.close()
    let reopened = try PersistentStore(url: folder.appending("a.sqlite"), models: [Models.library])
    #expect(reopened.metadata.applicationValues == Self.everyType)
    try reopened.updateMetadata { $0.values["added"] = .integer(5) }
    try reopened.close()
    let file = try StoreFile(url: folder.appending("a.sqlite"))
    #expect(file.metadata.applicationValues == Self.everyType.merging(["added": .integer(5)]) { own, _ in own })
  }

  @Test func `a new store's metadata is what Core Data would write`() throws {
    let folder = try TemporaryFolder()
    var options = PersistentStore.CreationOptions()
    options.identifier = "AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE"
    // Applications cannot override Core Data's own keys.
    options.applicationValues = ["NSStoreType": .string("XML")]
    let store = try PersistentStore.create(at: folder.appending("a.sqlite"), model: Models.library, options: options)
    guard case .blob(let plist)? = try store.database.firstValue("SELECT Z_PLIST FROM Z_METADATA") else {
      Issue.record("no property list")
      return
    }
    #expect(plist.starts(with: Data("bplist00".utf8)))
    let values = try #require(try PropertyListSerialization.propertyList(from: plist, format: nil) as? [String: Any])
    #expect(
      values.keys.sorted() == [
        "NSPersistenceFrameworkVersion", "NSStoreModelVersionChecksumKey", "NSStoreModelVersionHashes",
        "NSStoreModelVersionHashesDigest", "NSStoreModelVersionHashesVersion", "NSStoreModelVersionIdentifiers",
        "NSStoreType", "_NSAutoVacuumLevel",
      ])
    #expect(values["NSStoreType"] as? String == "SQLite")
    #expect(values["_NSAutoVacuumLevel"] as? String == "2")
    #expect(values["NSStoreModelVersionHashesVersion"] as? Int == 3)
    #expect(values["NSStoreModelVersionHashes"] as? [String: Data] == Models.library.versionHashes.mapValues(\.bytes))
    #expect(store.metadata.identifier == options.identifier)
    #expect(try store.database.firstValue("SELECT Z_VERSION FROM Z_METADATA") == 1)
  }

  @Test func `a failed change of the metadata leaves it as it was`() throws {
    let folder = try TemporaryFolder()
    let store = try PersistentStore.create(at: folder.appending("a.sqlite"), model: Models.library)
    let before = store.metadata
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try store.updateMetadata {
        $0.values = [:]
        throw Refused()
      }
    }
    #expect(store.metadata == before)
  }

  @Test func `a read-only store's metadata cannot be changed`() throws {
    let folder = try TemporaryFolder()
    try PersistentStore.create(at: folder.appending("a.sqlite"), model: Models.library).close()
    let store = try PersistentStore(url: folder.appending("a.sqlite"), models: [Models.library], mode: .readOnly)
    #expect {
      try store.updateMetadata { $0.values["a"] = .integer(1) }
    } throws: {
      "\($0)"
        == "error[object.read-only]: the store was opened read-only\n  open it with mode .readWrite to save changes"
    }
    #expect(store.metadata.values["a"] == nil)
  }

  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)), arguments: CorpusStore.all)
  func `hashes, digest and checksum of a real store are ours`(store: CorpusStore) throws {
    let folder = try TemporaryFolder()
    let file = try StoreFile(url: folder.copyStore(store.url))
    let model = try store.model()
    let computed = model.entityVersionHashes(ignoringStated: true)
    #expect(file.metadata.versionHashes == computed.mapValues(\.hash))
    #expect(!computed.values.contains { $0.isAssumed })
    let stored = file.metadata.versionHashes
    if let digest = file.metadata.versionHashesDigest { #expect(digest == stored.versionHashesDigest) }
    if let checksum = file.metadata.versionChecksum { #expect(checksum == stored.versionChecksum) }
    #expect(model.versionChecksum == stored.versionChecksum)
    #expect(file.metadata.versionHashesDigest.map { $0 == model.versionHashesDigest } ?? true)
  }

  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)), arguments: CorpusStore.all)
  func `writing a real store's metadata back keeps all of it`(store: CorpusStore) throws {
    let folder = try TemporaryFolder()
    let file = try StoreFile(url: folder.copyStore(store.url), mode: .readWrite)
    func plist() throws -> NSDictionary? {
      guard case .blob(let data)? = try file.database.firstValue("SELECT Z_PLIST FROM Z_METADATA") else { return nil }
      return try PropertyListSerialization.propertyList(from: data, format: nil) as? NSDictionary
    }
    let before = try plist()
    try file.database.writeMetadata(file.metadata)
    #expect(try plist() == before)
    #expect(try file.database.readMetadata(of: file.url) == file.metadata)
  }
}
