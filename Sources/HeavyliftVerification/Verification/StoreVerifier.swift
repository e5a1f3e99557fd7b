public import Heavylift
public import HeavyliftMapping
import HeavyliftModel
public import HeavyliftStore

/// Holds a migrated store against the old one: computes every value again, by a plain interpreter of the mapping that
/// shares no statement with what migrated: only the language of expressions, and the rule by which keys follow from keys.
///
/// ```swift
/// let verifier = StoreVerifier(source: old, destination: new, mappings: [mapping], policies: policies)
/// let report = try verifier.verify()
/// print(report.isClean, report.examples)
/// ```
///
/// Which object came of which is read from the provenance that the migration has left; without one it is what keys say,
/// and what policies associated is not known.
///
/// Both stores are read in order of keys, side by side. A copied column is held against its origin as it is stored, a
/// computed value against its cell, a relationship is followed by keys; objects are made only of what is not seen to be as
/// declared. Memory does not grow with the stores, but for a bit an object.
public struct StoreVerifier {
  /// How many differences of each property are told with their objects.
  public var examplesPerProperty = 5
  /// Values are computed of every so many objects: 1 for all. That none is missing and none too many is always seen to.
  public var stride = 1

  /// Whether rows are looked at where that is enough; without, everything is found out with objects.
  package var usesRows = true

  private let source: PersistentStore
  private let destination: PersistentStore
  private let models: [CompleteMappingModel]
  private let policies: PolicyRegistry
  private let functions: [String: MigrationFunction]
  private let provenance: MigrationProvenance?

  /// Creates a verifier for a pair of stores and the mapping models that led from one to the other, in their order.
  public init(
    source: PersistentStore, destination: PersistentStore, mappings: [MappingModel],
    policies: PolicyRegistry = PolicyRegistry(), functions: [String: MigrationFunction] = [:],
    provenance: MigrationProvenance? = nil
  ) {
    self.source = source
    self.destination = destination
    models = mappings.complete(from: source.model, to: destination.model)
    self.policies = policies
    self.functions = functions
    self.provenance = provenance
  }

  private static func tellsOfChain(_ hops: [MigrationProvenance.Hop]) -> Diagnostic {
    let versions = hops.prefix(1).map(\.sourceVersion) + hops.map(\.destinationVersion)
    return Diagnostic(
      .error, code: "verify.chain",
      problem:
        "the provenance is of \(hops.count) hops, over versions \(versions.quotedList), and one is verified at a time",
      remedy: "give 'verify' the mapping of each hop, and no provenance; or verify while you migrate, with "
        + "'migrate --verify'")
  }

  /// Looks at everything.
  public func verify() throws -> VerificationReport { try counting().report }

  /// The same, and of how many values and objects rows did not tell enough.
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
    let run = VerificationRun(
      interpreters, manager: manager, correspondence: correspondence, source: source, destination: destination,
      examplesPerProperty: examplesPerProperty, stride: max(1, stride), usesRows: usesRows)
    return try source.readingConsistently {
      try destination.readingConsistently { (try run.perform(), run.askedOfObjects) }
    }
  }
}
