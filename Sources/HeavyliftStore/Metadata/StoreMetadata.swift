import Foundation
import HeavyliftArchive
import HeavyliftModel

/// A store's metadata: its identifier, the version of its model, and the application's own values.
///
/// Unknown keys are kept and written back.
public struct StoreMetadata: Hashable, Sendable {
  /// The names of Core Data's keys.
  public enum Key {
    /// A version hash for each entity, by which a store finds its model.
    public static let versionHashes = "NSStoreModelVersionHashes"
    /// The version of the hash algorithm.
    public static let versionHashesVersion = "NSStoreModelVersionHashesVersion"
    /// The digest of all version hashes.
    public static let versionHashesDigest = "NSStoreModelVersionHashesDigest"
    /// The model's checksum, as in a compiled model.
    public static let versionChecksum = "NSStoreModelVersionChecksumKey"
    /// The model's identifiers, which nothing compares.
    public static let versionIdentifiers = "NSStoreModelVersionIdentifiers"
    /// The version of Core Data that created the store.
    public static let frameworkVersion = "NSPersistenceFrameworkVersion"
    /// The kind of store; `SQLite`.
    public static let storeType = "NSStoreType"
    /// The value of SQLite's `auto_vacuum`, as a string.
    public static let autoVacuumLevel = "_NSAutoVacuumLevel"
    /// Heavylift's own key, for tables and columns that are waiting to be dropped.
    public static let deferredCleanup = "HeavyliftDeferredCleanup"

    /// Heavylift's own key, for the identifier of a version that has the same hashes as another one.
    public static let versionID = "HeavyliftVersionID"

    static let all: Set<String> = [
      versionHashes, versionHashesVersion, versionHashesDigest, versionChecksum, versionIdentifiers, frameworkVersion,
      storeType, autoVacuumLevel, deferredCleanup, versionID,
    ]
  }

  /// The store's UUID in upper case, which is part of every object's URI.
  public var identifier: String
  /// All entries of the property list.
  public var values: [String: PropertyList]

  /// Creates the metadata of an existing store.
  public init(identifier: String, values: [String: PropertyList]) {
    self.identifier = identifier
    self.values = values
  }

  /// Creates the metadata of a new store of the model.
  ///
  /// The framework version is that of the newest public store that was examined: Core Data uses the number to determine
  /// in which form a store was written, and Heavylift writes stores in that form.
  public init(model: ManagedObjectModel, entityNames: Set<String>? = nil, identifier: String = UUID().uuidString) {
    self.init(identifier: identifier, values: [:])
    values[Key.storeType] = .string("SQLite")
    values[Key.frameworkVersion] = .integer(1344)
    values[Key.autoVacuumLevel] = .string("2")
    setVersion(of: model, entityNames: entityNames)
  }

  /// Sets the version to that of the model. If `entityNames` is set, includes the hashes of only these entities.
  public mutating func setVersion(of model: ManagedObjectModel, entityNames: Set<String>? = nil) {
    let hashes = model.versionHashes.filter { entityNames?.contains($0.key) ?? true }
    values[Key.versionHashes] = .dictionary(hashes.mapValues { .data($0.bytes) })
    values[Key.versionHashesVersion] = .integer(3)
    values[Key.versionHashesDigest] = .string(hashes.versionHashesDigest)
    values[Key.versionChecksum] = .string(hashes.versionChecksum)
    values[Key.versionIdentifiers] = .array(model.versionIdentifiers.sorted().map(PropertyList.string))
    values[Key.versionID] = model.versionID.map(PropertyList.string)
  }

  /// The version hashes of the store's entities; empty if the metadata has none.
  public var versionHashes: [String: VersionHash] {
    (values[Key.versionHashes]?.dictionary ?? [:]).compactMapValues { $0.data.map(VersionHash.init(bytes:)) }
  }

  /// True if the entry for version hashes is valid; ignoring an invalid one could misidentify the store's version.
  var hasSoundHashes: Bool {
    guard let hashes = values[Key.versionHashes] else { return true }
    return hashes.dictionary?.values.allSatisfy { $0.data?.count == 32 } ?? false
  }

  /// The identifiers that developers gave to the version.
  public var versionIdentifiers: Set<String> {
    Set((values[Key.versionIdentifiers]?.array ?? []).compactMap(\.string))
  }

  /// The identifier of the version among those with the same hashes; see `ManagedObjectModel.versionID`.
  public var versionID: String? { values[Key.versionID]?.string }

  /// The model's checksum, in newer stores.
  public var versionChecksum: String? { values[Key.versionChecksum]?.string }

  /// The digest of the hashes, in all but old stores.
  public var versionHashesDigest: String? { values[Key.versionHashesDigest]?.string }

  /// The version of Core Data that wrote the store.
  public var frameworkVersion: Int64? { values[Key.frameworkVersion]?.integer }

  /// The application's own values.
  public var applicationValues: [String: PropertyList] { values.filter { !Key.all.contains($0.key) } }
}

extension StoreMetadata {
  /// Reads the property list of `Z_METADATA`; nil if it is damaged.
  init?(identifier: String, propertyList: Data) {
    guard case .dictionary(let values)? = try? PropertyList(data: propertyList) else { return nil }
    self.init(identifier: identifier, values: values)
  }

  /// The metadata as a binary property list for `Z_METADATA`.
  var propertyList: Data { PropertyList.dictionary(values).binaryData }
}

/// A row of `Z_PRIMARYKEY`: an entity's number and, for a root, the highest key ever assigned.
package struct PrimaryKeyRow: Hashable, Sendable {
  /// The entity's number, `Z_ENT`.
  package var number: Int
  /// The entity's name, which may be stale after an in-place migration that renamed the entity.
  package var name: String
  /// The number of the parent, `Z_SUPER`; 0 for a root.
  package var superNumber: Int
  /// The highest key ever assigned, `Z_MAX`; 0 for an entity that is not a root.
  package var maximum: Int64

  /// The first number of Core Data's own entities for persistent history.
  static let firstHistoryNumber = 16001

  /// A Boolean value that indicates whether the row belongs to persistent history and not to the model.
  package var isHistory: Bool { number >= Self.firstHistoryNumber }
}
