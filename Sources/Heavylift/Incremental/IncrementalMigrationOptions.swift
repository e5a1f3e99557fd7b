public import Foundation

/// How a store is brought to another version.
public struct IncrementalMigrationOptions: Hashable, Sendable {
  /// Where the old store stays, with its large values; it must be free. By a second name for its file where the disk
  /// allows that, which takes no time and no room.
  public var backup: URL?
  /// Where to leave a file that tells which objects of the last version came of which of the first, for
  /// `MigrationProvenance`, or as lines of JSON if its name ends in `.jsonl`; it must be free. It appears just before the
  /// store does, and does not stay if the store does not come. With it the store of every hop is written.
  public var provenance: URL?
  /// Names what hops depend on besides models, mappings and the store: another revision of the policies does not go on
  /// with what an earlier one has begun.
  public var revision = ""
  /// Whether hops that need no objects are read through instead of written, which gives the same store sooner.
  public var fusesHops = true
  /// Migrates a damaged store as far as it can be read, and reports each row that could not be; without it a damaged store
  /// is refused. Such a run starts from the beginning, whatever an earlier one has done.
  public var acceptsDamage = false

  /// Creates options.
  public init(
    backup: URL? = nil, provenance: URL? = nil, revision: String = "", fusesHops: Bool = true,
    acceptsDamage: Bool = false
  ) {
    self.backup = backup
    self.provenance = provenance
    self.revision = revision
    self.fusesHops = fusesHops
    self.acceptsDamage = acceptsDamage
  }
}
