public import Foundation

/// How a store is brought to another version.
public struct IncrementalMigrationOptions: Hashable, Sendable {
  /// Where the old store stays, with its large values; it must be free. By a second name for its file where the disk
  /// allows that, which takes no time and no room.
  public var backup: URL?
  /// Names what hops depend on besides models, mappings and the store: another revision of the policies does not go on
  /// with what an earlier one has begun.
  public var revision = ""
  /// Whether hops that need no objects are read through instead of written, which gives the same store sooner.
  public var fusesHops = true

  /// Creates options.
  public init(backup: URL? = nil, revision: String = "", fusesHops: Bool = true) {
    self.backup = backup
    self.revision = revision
    self.fusesHops = fusesHops
  }
}
