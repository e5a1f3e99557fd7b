public import Foundation

/// A finished hop, with the stores before and after it.
///
/// If a stage's handlers run before the hop, they have changed the source; if some run after it, they have not changed the
/// destination yet.
///
/// ```swift
/// manager.hopHandler = { finished in
///   let models = (finished.hop.sourceModel, finished.hop.destinationModel)
///   let old = try PersistentStore(url: finished.source, models: [models.0], mode: .readOnly)
///   let new = try PersistentStore(url: finished.destination, models: [models.1], mode: .readOnly)
///   defer { (try? old.close(), try? new.close()) }
///   let report = try StoreVerifier(source: old, destination: new, mappings: finished.hop.mappings).verify()
///   print(finished.hop.title, report.isClean)
/// }
/// ```
public struct FinishedHop {
  /// The hop, with its versions and mappings.
  public var hop: MigrationHop
  /// The hop's position in the chain, starting at 1.
  public var number: Int
  /// The store before the hop. Do not write to it.
  public var source: URL
  /// The store after the hop. Do not write to it.
  public var destination: URL
  /// The provenance database of this hop alone; `nil` if the execution writes none.
  public var provenance: URL?
  /// The source entities some of whose objects policies changed or deleted before they were migrated, sorted by name.
  /// `source` does not show these changes.
  public var changedEntities: [String] = []
}
