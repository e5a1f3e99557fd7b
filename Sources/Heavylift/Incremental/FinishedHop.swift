public import Foundation

/// A hop that is done, with the stores before and after it.
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
  /// The versions, and the mappings that led from one to the other.
  public var hop: MigrationHop
  /// The hop's place in the chain, from 1.
  public var number: Int
  /// The store before the hop. Only read it.
  public var source: URL
  /// The store after the hop. Only read it.
  public var destination: URL
  /// The provenance of this hop alone, a database; nil if the execution leaves none.
  public var provenance: URL?
}
