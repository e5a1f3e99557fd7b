public import Heavylift
public import HeavyliftMapping
import HeavyliftModel
public import HeavyliftStore

/// Compares a migrated store with the old one: recomputes every value with a plain interpreter of the mapping that
/// shares no SQL statement with the migration, only the expression language and the rule that derives destination keys
/// from source keys.
///
/// ```swift
/// let verifier = StoreVerifier(source: old, destination: new, mappings: [mapping], policies: policies)
/// let report = try verifier.verify()
/// print(report.isClean, report.examples)
/// ```
///
/// Object pairs come from the provenance that the migration recorded. Without it, they are derived from keys, and the
/// associations that policies made are unknown.
///
/// What the stores contain besides objects is compared, too: the UUID, `user_version`, `application_id`, the application's
/// values in the metadata, and the rows of all tables that are not Core Data's.
///
/// Both stores are read side by side in key order. A copied column is compared with its origin as stored, a computed
/// value with the stored value, and a relationship by keys; objects are created only for rows that do not obviously
/// match the mapping. Memory use does not grow with the stores, except for one bit per object.
public struct StoreVerifier {
  /// The maximum number of differences of each property to report with their objects.
  public var examplesPerProperty = 5
  /// The interval between objects whose values are computed: 1 for all. Missing and extra objects are always detected.
  public var stride = 1

  /// The source entities some of whose objects policies changed or deleted before they were migrated, as
  /// `MigrationReport.changedEntities` lists them. The old store does not show these changes, so differences of values
  /// that come from such objects count as the decision of the policies.
  public var changedEntities: Set<String> = []

  /// The options of the migration. Contents that it left behind, or added to the metadata, are not differences.
  public var options = MigrationOptions()

  /// True to compare rows where that is enough; if false, everything is compared with objects.
  package var usesRows = true

  private let source: PersistentStore
  private let destination: PersistentStore
  private let models: [CompleteMappingModel]
  private let policies: PolicyRegistry
  private let functions: [String: MigrationFunction]
  private let provenance: MigrationProvenance?

  /// Creates a verifier for a pair of stores and the mapping models between them, in order.
  public init(
    source: PersistentStore, destination: PersistentStore, mappings: [MappingModel],
    policies: PolicyRegistry = PolicyRegistry(), functions: [String: MigrationFunction] = [:],
    provenance: MigrationProvenance? = nil
  ) {
    self.source = source
    self.destination = destination
    models = ContainedEntities(
      source: Set(source.layout.entities.map(\.name)), destination: Set(destination.layout.entities.map(\.name)),
      of: destination.model
    ).limit(mappings.complete(from: source.model, to: destination.model))
    self.policies = policies
    self.functions = functions
    self.provenance = provenance
  }

  private static func tellsOfChain(_ hops: [MigrationProvenance.Hop]) -> Diagnostic {
    let versions = hops.prefix(1).map(\.sourceVersion) + hops.map(\.destinationVersion)
    return Diagnostic(
      .error, code: "verify.chain",
      problem:
        "the provenance covers \(hops.count) hops, through versions \(versions.quotedList), but hops are verified "
        + "one at a time",
      remedy: "give 'verify' the mappings of all hops and no provenance, or verify while you migrate, with "
        + "'migrate --verify'")
  }

  /// Verifies the migrated store.
  public func verify() throws -> VerificationReport { try counting().report }

  /// Verifies the store, and also returns how many values and objects could not be verified by rows alone.
  package func counting() throws -> (report: VerificationReport, askedOfObjects: Int) {
    if let hops = provenance?.hops, hops.count != 1 { throw Self.tellsOfChain(hops) }
    let correspondence: Correspondence =
      if let provenance {
        .provenance(provenance)
      } else {
        .keys(
          try KeyPlan(
            mappings: models.flatMap(\.entityMappings), source: source.model, destination: destination.model,
            highestKeys: source.highestKeys()))
      }
    let placed = PlacedMapping.all(of: models, source: source, destination: destination)
    let manager = RecomputedManager(
      source: source, destination: destination, correspondence: correspondence, functions: functions, mappings: placed,
      models: models)
    let interpreters = try placed.map {
      try MappingInterpreter($0, manager: manager, policies: policies, source: source, destination: destination)
    }
    let run = try VerificationRun(
      interpreters, changed: changedEntities, manager: manager, correspondence: correspondence, source: source,
      destination: destination,
      examplesPerProperty: examplesPerProperty, stride: max(1, stride), usesRows: usesRows)
    return try source.readingConsistently {
      try destination.readingConsistently {
        var report = try run.perform()
        report.otherContents = try OtherContentComparison(from: source, to: destination, options).contents
        return (report, run.askedOfObjects)
      }
    }
  }
}
