import Foundation
import HeavyliftArchive
import HeavyliftModel

/// What a store says about itself: its identifier, the version of its model, and what the application noted there.
///
/// Keys that nobody here knows are kept and written back.
public struct StoreMetadata: Hashable, Sendable {
  /// Names of the keys that Core Data uses.
  public enum Key {
    public static let versionHashes = "NSStoreModelVersionHashes"
    public static let versionHashesVersion = "NSStoreModelVersionHashesVersion"
    public static let versionHashesDigest = "NSStoreModelVersionHashesDigest"
    public static let versionChecksum = "NSStoreModelVersionChecksumKey"
    public static let versionIdentifiers = "NSStoreModelVersionIdentifiers"
    public static let frameworkVersion = "NSPersistenceFrameworkVersion"
    public static let storeType = "NSStoreType"
    public static let autoVacuumLevel = "_NSAutoVacuumLevel"

    static let all: Set<String> = [
      versionHashes, versionHashesVersion, versionHashesDigest, versionChecksum, versionIdentifiers, frameworkVersion,
      storeType, autoVacuumLevel,
    ]
  }

  /// The store's UUID in upper case; a part of every object's URI.
  public var identifier: String
  /// Everything in the property list.
  public var values: [String: PropertyList]

  /// Takes what a store holds.
  public init(identifier: String, values: [String: PropertyList]) {
    self.identifier = identifier
    self.values = values
  }

  /// What a new store of the model says about itself.
  ///
  /// The framework version is that of the newest public store that was looked at: Core Data reads the number to know in
  /// what way a store was written, and ours are written in that way.
  public init(model: ManagedObjectModel, entityNames: Set<String>? = nil, identifier: String = UUID().uuidString) {
    self.init(identifier: identifier, values: [:])
    values[Key.storeType] = .string("SQLite")
    values[Key.frameworkVersion] = .integer(1344)
    values[Key.autoVacuumLevel] = .string("2")
    setVersion(of: model, entityNames: entityNames)
  }

  /// States that the store now has that version of its model, or of the named entities of it.
  public mutating func setVersion(of model: ManagedObjectModel, entityNames: Set<String>? = nil) {
    let hashes = model.versionHashes.filter { entityNames?.contains($0.key) ?? true }
    values[Key.versionHashes] = .dictionary(hashes.mapValues { .data($0.bytes) })
    values[Key.versionHashesVersion] = .integer(3)
    values[Key.versionHashesDigest] = .string(hashes.versionHashesDigest)
    values[Key.versionChecksum] = .string(hashes.versionChecksum)
    values[Key.versionIdentifiers] = .array(model.versionIdentifiers.sorted().map(PropertyList.string))
  }

  /// The version hashes of the store's entities; empty if it states none.
  public var versionHashes: [String: VersionHash] {
    (values[Key.versionHashes]?.dictionary ?? [:]).compactMapValues { $0.data.map(VersionHash.init(bytes:)) }
  }

  /// Whether what stands in the place of version hashes is some; to pass over one would be to take the store for another.
  var hasSoundHashes: Bool {
    guard let hashes = values[Key.versionHashes] else { return true }
    return hashes.dictionary?.values.allSatisfy { $0.data?.count == 32 } ?? false
  }

  /// Identifiers that people gave to the version.
  public var versionIdentifiers: Set<String> {
    Set((values[Key.versionIdentifiers]?.array ?? []).compactMap(\.string))
  }

  /// The model's checksum, in newer stores.
  public var versionChecksum: String? { values[Key.versionChecksum]?.string }

  /// The digest of the hashes, in all but old stores.
  public var versionHashesDigest: String? { values[Key.versionHashesDigest]?.string }

  /// The version of Core Data that wrote the store.
  public var frameworkVersion: Int64? { values[Key.frameworkVersion]?.integer }

  /// What the application put there.
  public var applicationValues: [String: PropertyList] { values.filter { !Key.all.contains($0.key) } }
}

extension StoreMetadata {
  /// Reads the property list of `Z_METADATA`; nil if it is damaged.
  init?(identifier: String, propertyList: Data) {
    guard case .dictionary(let values)? = try? PropertyList(data: propertyList) else { return nil }
    self.init(identifier: identifier, values: values)
  }

  /// The binary property list for `Z_METADATA`.
  var propertyList: Data { PropertyList.dictionary(values).binaryData }
}
