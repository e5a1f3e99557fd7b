public import Foundation

/// Options for migrating a store to another version.
public struct IncrementalMigrationOptions: Hashable, Sendable {
  /// The path at which to keep the old store, with its large values. No file may exist at the path. The backup is a
  /// hard link if the disk supports that, which takes no time and no space.
  public var backup: URL?
  /// The path for a provenance file, which maps the objects of the last version to those of the first: a file for
  /// `MigrationProvenance`, or lines of JSON if the name ends in `.jsonl`. No file may exist at the path. The file
  /// appears just before the store does, and is removed if the migration fails. If you set this path, the store of
  /// every hop is written.
  public var provenance: URL?
  /// An identifier for everything that hops depend on besides models, mappings and the store. Change it whenever you
  /// change your policies, so that a run does not resume the work of an earlier revision.
  public var revision = ""
  /// True to compose hops where one mapping across their versions has the same result, and to carry out hops that keep
  /// all objects in the store of the hop before. If false, each hop writes a store of its own: the result is the same,
  /// but the migration is slower.
  public var composesHops = true
  /// The place where the new version is made.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// In a new store, which replaces the old one when it is complete. Needs space for another store.
    case copy
    /// In the store itself, in one transaction of SQLite. Only for hops whose mappings are inferred.
    case inPlace
  }

  /// The place where the new version is made.
  public var mode = Mode.copy
  /// True to leave tables and columns that are no longer needed in the store, under other names, because dropping a
  /// column takes as long as writing its table. Only for ``Mode/inPlace``.
  ///
  /// ``IncrementalMigrationManager/finishDeferredLightweightMigration(of:monitor:)`` drops them.
  public var defersCleanup = false
  /// True to migrate everything that can be read from a damaged store, and report each row that cannot be read; false
  /// to refuse a damaged store. If true, a run always starts from the beginning, and a value whose external file is
  /// missing becomes nil where the new version cannot keep the reference to the file.
  public var acceptsDamage = false

  /// Creates options.
  public init(
    backup: URL? = nil, provenance: URL? = nil, revision: String = "", composesHops: Bool = true,
    acceptsDamage: Bool = false, mode: Mode = .copy, defersCleanup: Bool = false
  ) {
    self.backup = backup
    self.provenance = provenance
    self.revision = revision
    self.composesHops = composesHops
    self.acceptsDamage = acceptsDamage
    self.mode = mode
    self.defersCleanup = defersCleanup
  }
}
