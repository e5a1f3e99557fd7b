import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// The results of a chain with every hop written, and with fused hops.
struct FusedChain {
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
    /// The log of the policies.
    var seen: [String] = []
    var error: String?

    /// A description of the difference to an outcome with fused hops.
    func difference(_ fused: Outcome) -> String {
      let tables = Set(rows.keys).union(fused.rows.keys).sorted().filter { rows[$0] != fused.rows[$0] }
      let difference = tables.map { "\($0)\n  written: \(rows[$0] ?? [])\n  fused:   \(fused.rows[$0] ?? [])" }
      return """
        written: \(error ?? "done") \(counts) \(mappings) \(reconciled) \(links)
        fused: \(fused.error ?? "done") \(fused.counts) \(fused.mappings) \(fused.reconciled) \(fused.links)
        \(difference.joined(separator: "\n"))
        \(files) \(fused.files)
        \(Set(schema).symmetricDifference(fused.schema).sorted().joined(separator: "\n"))
        \(zip(seen, fused.seen).first { $0 != $1 }.map { "written: \($0)\nfused:   \($1)" } ?? "")
        """
    }
  }

  var written: Outcome
  var fused: Outcome
  /// The number of fused hops whose stores were not written.
  var readThrough: Int
  /// The reasons why the others were written.
  var reasons: [String?]
  /// The number of their entity mappings that shifted keys.
  var offset: Int
  /// The number of hops that ran in the store of the hop before.
  var continued: Int

  /// - Parameters:
  ///   - sql: Changes the first store in ways that objects could not.
  ///   - policies: The policies that the mappings name.
  ///   - options: The options for every hop.
  ///   - userInfo: The objects that policies find in their managers.
  ///   - mayFail: True if fusing may fail, so that the hops run again without it.
  init(
    _ candidate: MigrationCase, changingBy sql: String = "", policies: PolicyRegistry = PolicyRegistry(),
    options: MigrationOptions = MigrationOptions(), userInfo: [String: Any] = [:],
    mayFail: Bool = false
  ) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let source = folder.appending("old.sqlite")
    let store = try PersistentStore.create(at: source, model: candidate.models[0])
    let context = ManagedObjectContext(store: store)
    try candidate.populate(context)
    try context.save()
    try store.database.execute(sql)
    try store.close()
    var log = LawPolicy.Log()
    let manager = IncrementalMigrationManager(
      models: candidate.models,
      mappings: MappingSearch(
        candidate.mappings.enumerated().map { MappingCandidate(file: "\($0.offset).xml", mappingModel: $0.element) }),
      execution: MappingHopExecution(policies: policies, options: options) { manager, _ in
        manager.userInfo = userInfo
        manager.userInfo["log"] = log
      })
    written = try Self.outcome(source, folder.appending("written.sqlite"), manager, fuses: false).0
    if written.error == nil { written.seen = log.lines }
    log = LawPolicy.Log()
    (fused, readThrough, offset, continued, reasons) = try Self.outcome(
      source, folder.appending("fused.sqlite"), manager, fuses: true, mayFail: mayFail)
    if fused.error == nil { fused.seen = log.lines }
  }

  var disagreement: String? { written == fused ? nil : written.difference(fused) }

  static func outcome(
    _ source: URL, _ target: URL, _ manager: IncrementalMigrationManager, fuses: Bool, composes: Bool = false,
    mayFail: Bool = false, ignoring columns: Set<String> = []
  ) throws -> (
    Outcome, readThrough: Int, offset: Int, continued: Int, reasons: [String?]
  ) {
    var options = IncrementalMigrationOptions.fusing
    (options.fusesHops, options.composesHops) = (fuses, composes)
    let report: IncrementalMigrationReport
    do {
      report = try manager.migrate(source, into: target, options: options)
    } catch {
      try? FileManager.default.removeItem(
        at: target.deletingLastPathComponent().appending(path: ".\(target.lastPathComponent).heavylift"))
      // A policy's own error ends fused hops, before any of them is finished.
      let text = "\(error)".replacing(target.lastPathComponent, with: "destination")
        .replacing(#/; \d+ of \d+ hops can be skipped in the next run/#, with: "")
      return (Outcome(error: text), 0, 0, 0, [])
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
    // A failed hop runs again without fusing, which would hide the failure.
    #expect(
      mayFail || !report.hops.contains { $0.reasonToWrite?.hasPrefix(HopRun.failedReason) ?? false },
      "\(report.hops.map(\.reasonToWrite))")
    let read = report.hops.filter(\.wasReadThrough)
    let offsets = read.flatMap { $0.report?.mappings ?? [] }.filter { $0.keyOffset ?? 0 > 0 && $0.declared > 0 }
    let continued = report.hops.count { $0.inPlaceSteps != nil }
    return (outcome, read.count, offsets.count, continued, report.hops.map(\.reasonToWrite))
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

extension IncrementalMigrationOptions {
  /// Options that fuse hops even if they could be composed.
  static var fusing: IncrementalMigrationOptions {
    var options = IncrementalMigrationOptions()
    options.composesHops = false
    return options
  }
}
