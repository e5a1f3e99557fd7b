import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// The results of a chain in which each hop writes a store, and of the same chain in which hops are composed, or continue
/// in the store of the hop before.
struct HopChain {
  /// Every row of every table and the whole schema, or the error.
  struct Outcome: Equatable {
    var rows: [String: [String]] = [:]
    var schema: [String] = []
    var files: [String] = []
    var counts: [[String: Int]] = []
    var mappings: [[MigrationReport.Mapping]] = []
    var reconciled: [[MigrationReport.Rows]] = []
    var links: [[MigrationReport.Links]] = []
    var losses: [[MigrationLoss]] = []
    var error: String?

    /// True if a migration with fewer reports had the same result.
    func hasSameStore(as other: Outcome) -> Bool {
      (rows, schema, files) == (other.rows, other.schema, other.files)
        && (error == nil) == (other.error == nil)
    }

    /// A description of the difference to another outcome.
    func difference(_ other: Outcome) -> String {
      let tables = Set(rows.keys).union(other.rows.keys).sorted().filter { rows[$0] != other.rows[$0] }
      let difference = tables.map { "\($0)\n  separate: \(rows[$0] ?? [])\n  combined: \(other.rows[$0] ?? [])" }
      return """
        separate: \(error ?? "done") \(counts) \(mappings) \(reconciled) \(links)
        combined: \(other.error ?? "done") \(other.counts) \(other.mappings) \(other.reconciled) \(other.links)
        \(difference.joined(separator: "\n"))
        \(files) \(other.files)
        \(Set(schema).symmetricDifference(other.schema).sorted().joined(separator: "\n"))
        """
    }
  }

  /// Each hop wrote a store.
  var separate: Outcome
  /// Hops were composed, or continued in the store of the hop before.
  var combined: Outcome
  /// The plan's hops.
  var hops: [MigrationHop]
  /// The number of hops that were composed with the hop before.
  var composed: Int { hops.reduce(0) { $0 + max(0, $1.parts.count - 1) } }

  /// - Parameter sql: Changes the first store in ways that objects could not.
  init(_ candidate: MigrationCase, changingBy sql: String = "") throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let source = folder.appending("old.sqlite")
    let store = try PersistentStore.create(at: source, model: candidate.models[0])
    let context = ManagedObjectContext(store: store)
    try candidate.populate(context)
    try context.save()
    try store.database.execute(sql)
    try store.close()
    let manager = IncrementalMigrationManager(
      models: candidate.models,
      mappings: MappingSearch(
        candidate.mappings.enumerated().map { MappingCandidate(file: "\($0.offset).xml", mappingModel: $0.element) }))
    hops = (try? manager.plan(for: source).hops) ?? []
    separate = try Self.outcome(source, folder.appending("separate.sqlite"), manager, composes: false).outcome
    combined = try Self.outcome(source, folder.appending("combined.sqlite"), manager, composes: true).outcome
  }

  /// The difference between the stores, between the losses, and between the reports unless some were composed.
  var disagreement: String? {
    guard separate != combined else { return nil }
    let parts = hops.map { MigrationSquash.Part(hops: $0.steps) }
    let losses = separate.error == nil ? ComposedLosses(separate, combined, parts).difference : nil
    let isSame = composed > 0 && separate.hasSameStore(as: combined) && losses == nil
    return isSame ? nil : separate.difference(combined) + "\n\(losses ?? "")\n\(hops.map(\.title))"
  }

  static func outcome(
    _ source: URL, _ target: URL, _ manager: IncrementalMigrationManager, composes: Bool,
    ignoring columns: Set<String> = []
  ) throws -> (outcome: Outcome, continued: Int) {
    let report: IncrementalMigrationReport
    do {
      report = try manager.migrate(
        source, into: target, options: IncrementalMigrationOptions(composesHops: composes))
    } catch {
      try? FileManager.default.removeItem(
        at: target.deletingLastPathComponent().appending(path: ".\(target.lastPathComponent).heavylift"))
      let text = "\(error)".replacing(target.lastPathComponent, with: "destination")
        .replacing(#/; \d+ of \d+ hops can be skipped in the next run/#, with: "")
      return (Outcome(error: text), 0)
    }
    let texts = try RowTexts(target, migratedFrom: source)
    let database = try Database(path: target.path, mode: .readOnly)
    var outcome = Outcome(schema: try database.schemaTexts())
    outcome.files = try texts.files()
    for table in try database.schemaObjects() where table.type == .table {
      outcome.rows[table.name] = try texts.rows(MigrationOutcome.query(table.name, database, ignoring: columns))
        .sorted()
    }
    outcome.counts = report.hops.flatMap { [$0.report?.sourceObjects ?? [:], $0.report?.objects ?? [:]] }
    outcome.mappings = report.hops.map { $0.report?.mappings ?? [] }
    outcome.reconciled = report.hops.map { $0.report?.rows ?? [] }
    outcome.links = report.hops.map { $0.report?.links ?? [] }
    outcome.losses = report.hops.map { $0.report?.losses ?? [] }
    // A hop that failed in the store of the hop before runs again, which would hide the failure.
    let notes = report.hops.flatMap { $0.report?.notes ?? [] }
    #expect(!notes.contains { $0.code == "migration.not-continued" }, "\(notes)")
    return (outcome, report.hops.count { $0.inPlaceSteps != nil })
  }
}

extension MigrationCase {
  /// A chain whose hops copy everything that they do not mention.
  static func chain(
    _ models: [ManagedObjectModel], _ hops: [[EntityMappingDescription]],
    fill: @escaping (ManagedObjectContext) throws -> Void
  ) -> MigrationCase {
    var models = models
    for index in models.indices { models[index].name = "V\(index)" }
    let mappings = hops.enumerated().map { hop, entities in
      MappingModel(
        source: ModelReference(name: "V\(hop)"), destination: ModelReference(name: "V\(hop + 1)"),
        copying: .everything, entityMappings: entities)
    }
    return MigrationCase(models, mappings, fill: fill)
  }
}
