public import Foundation
public import HeavyliftModel

/// What it takes to bring a store to a version; nothing is decided afterwards.
public struct IncrementalMigrationPlan: Hashable, Sendable {
  /// The store, past symbolic links.
  public var store: URL
  /// The model that the store was written with.
  public var version: ManagedObjectModel
  /// Other versions that a store cannot tell from it: they have the same version hashes.
  public var twins: [ManagedObjectModel] = []
  /// What shows that.
  public var evidence: StoreVersion.Evidence
  /// The version that is wanted.
  public var destinationModel: ManagedObjectModel
  /// In the order in which they run; none if the store is of the wanted version.
  public var hops: [MigrationHop]
  /// Of each hop, why its store is written whatever it holds; nil if the next hop reads through it unless the store's data
  /// or its model stand against that, which the hop itself finds out.
  public internal(set) var reasonsToWrite: [String?] = []
  /// The size of the store, large values not counted: they are shared, not copied.
  public var storeBytes: Int64
  /// About how much room is needed for a time.
  public var neededBytes: Int64
  /// How much is free; nil if that cannot be known.
  public var availableBytes: Int64?

  /// The store's version with the names of its twins: `'Library 2' (the same as 'Library 3')`.
  public var versionTitle: String { StoreVersion.title(of: version, twins) }

  /// Whether the store is of the wanted version.
  public var isCurrent: Bool { hops.isEmpty }

  /// A digest of all that decides what comes of it, but for the store.
  var digest: String { hops.map(\.digest).joined(separator: "\n").digestText }
}

extension IncrementalMigrationPlan: CustomStringConvertible {
  /// The plan as a person reads it.
  public var description: String {
    let known = "store '\(store.path)' is of version \(versionTitle), by its \(evidence.rawValue)"
    guard !isCurrent else { return "\(known): nothing is to be done" }
    let lines = hops.enumerated().map { number, hop in
      let isFused = number < reasonsToWrite.count && reasonsToWrite[number] == nil
      return "\n  \(number + 1). \(hop.title), \(hop.reason)"
        + (isFused ? "; the next hop reads through it if it can" : "")
    }
    let free = availableBytes.map { "\($0) are free" } ?? "how much is free is not known"
    return known + lines.joined() + "\n  takes about \(neededBytes) bytes on disk for a time; \(free)"
  }
}
