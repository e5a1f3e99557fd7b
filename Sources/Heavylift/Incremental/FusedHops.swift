import Foundation
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// The result of an attempt to fuse hops.
struct FusedHops {
  /// The reports of the hops that were carried out; the last of them wrote its store.
  var reports: [MigrationReport] = []
  /// The reason the last hop carried out was not fused with the next one, although the plan had none; if no hop was
  /// carried out, the reason the first one was not fused.
  var reasonToWrite: String?
  /// A warning about a failure that might not recur if the hops run one by one.
  var note: Diagnostic?
}

extension FusedHops {
  /// Creates the result of a failed attempt to fuse hops, in which nothing was carried out.
  init(_ failure: FusedHopFailure, title: String) {
    reasonToWrite = "\(HopRun.failedReason): \(failure.error)"
    note = Diagnostic(
      .warning, code: "migration.not-fused",
      problem: "fusing hop \(title) with the next hop failed, so the hops ran one by one: \(failure.error)",
      remedy: "the new store is complete; report this as a bug")
  }
}

/// The failure of one of several fused hops.
struct FusedHopFailure: Error {
  /// The index of the failed hop among the fused ones.
  var number: Int
  var error: any Error

  /// True if running the hops one by one would not help: the disk failed, the migration was cancelled, or a policy threw
  /// an error of its own.
  var isFinal: Bool { error.isOfDiskOrCancellation || isPolicysOwn }

  private var isPolicysOwn: Bool {
    guard let error = error as? MigrationError, error.code == .entityMigrationPolicy, let own = error.underlying else {
      return false
    }
    return !(own is MigrationError || own is Diagnostic || own is SQLiteError || own is ExpressionEvaluationError)
  }
}

extension MappingHopExecution {
  func reasonToWrite(_ hop: MigrationHop, before next: MigrationHop) -> String? {
    if options.forcesObjects { return "object-by-object migration was requested" }
    if options.provenance != nil { return "provenance was requested" }
    for hop in [hop, next] {
      if let stage = hop.stage, !hop.handlers.isEmpty { return "\(stage.title) runs handlers" }
    }
    let policies = hop.mappings.flatMap(\.entityMappings).compactMap(\.policyClassName)
    return policies.first.map { "policy '\($0)' of hop \(hop.title) works with objects" }
  }

  func migrateFused(
    from url: URL, hops: [MigrationHop], monitor: (Int) -> HopMonitor, to destination: (Int) -> URL
  ) throws -> FusedHops {
    var fused = FusedHops()
    let first = try manager(for: hops[0], monitor(0))
    try first.reading(url, monitor(0).caller) { file, base, detector in
      do {
        try base.reporting { try migrate(base, file, detector, first, hops, monitor, to: destination, &fused) }
      } catch {
        throw FusedHopFailure(number: fused.reports.count, error: error)
      }
    }
    return fused
  }

  private func migrate(
    _ base: PersistentStore, _ file: StoreFile, _ detector: ChangeDetector, _ first: MigrationManager,
    _ hops: [MigrationHop], _ monitor: (Int) -> HopMonitor, to destination: (Int) -> URL,
    _ fused: inout FusedHops
  ) throws {
    let unknown = try UnknownContents(of: base, file, options.unknownTables)
    guard unknown.isEmpty else {
      fused.reasonToWrite = "the store contains tables that do not belong to its model"
      return
    }
    var firstOptions = options
    firstOptions.startsFresh = true
    var hop = try PreparedHop(hops[0], first, over: base, detector, firstOptions, viewed: nil)
    var (source, views) = (base, [ViewedStore]())
    for (number, following) in hops.dropFirst().enumerated() {
      try hop.manager.cancellation.check()
      do {
        if let reason = hop.needsTables { throw ViewedStore.Refusal(reason: reason) }
        let (viewed, next) = try fuse(hop, source, detector, following, monitor(number + 1))
        hop.manager.reporter.finish()
        fused.reports.append(try viewed.report(of: hop))
        views.append(viewed)
        (source, hop) = (viewed.store, next)
      } catch let refusal as ViewedStore.Refusal {
        fused.reasonToWrite = refusal.reason
        break
      }
    }
    guard !fused.reports.isEmpty else { return }
    fused.reports.append(
      try hop.manager.migrate(
        source, unknown, detector, hop, to: destination(fused.reports.count + 1), monitor(0).caller.files))
    // The links of all fused hops are counted only when the last hop runs.
    for (number, viewed) in views.enumerated() {
      fused.reports[number].links = viewed.links
      fused.reports[number].notes += [viewed.links.danglingLinks.diagnostic(.warning)].compactMap(\.self)
    }
  }

  /// Fuses a hop with the following one. Throws a refusal if the hop's store must be written.
  private func fuse(
    _ hop: PreparedHop, _ source: PersistentStore, _ detector: ChangeDetector, _ following: MigrationHop,
    _ monitor: HopMonitor
  ) throws -> (ViewedStore, PreparedHop) {
    let viewed = try ViewedStore(hop, over: source, options: try hop.manager.creationOptions(like: source, options))
    let next = try PreparedHop(
      following, manager(for: following, monitor), over: viewed.store, detector, options, viewed: viewed)
    if let reason = next.needsRows {
      throw ViewedStore.Refusal(reason: "hop \(following.title) cannot be fused with it: \(reason)")
    }
    try ViewRules(hop, viewed, before: next).check()
    return (viewed, next)
  }
}

extension ViewedStore {
  /// Returns the report that the hop would have returned if its store had been written.
  ///
  /// - Throws: `MigrationError` if source objects are not accounted for.
  fileprivate func report(of hop: PreparedHop) throws -> MigrationReport {
    var report = MigrationReport()
    report.mappings = hop.plan.steps.enumerated().map { place, step in
      let count = migratedKeys[place]?.count ?? 0
      return MigrationReport.Mapping(
        hop.stores.mappings[place], sources: count, declared: count, keyOffset: step.keyOffset)
    }
    report.sourceObjects = hop.survey.counts
    report.objects = counts
    var created: [String: Int] = [:]
    for mapping in report.mappings { created[mapping.destinationEntityName ?? "", default: 0] += mapping.declared }
    try RowReconciliation.check(counts, created: created)
    report.rows = try RowReconciliation(
      counts: hop.survey.counts,
      steps: hop.plan.steps.indices.map { place in
        hop.survey.rowStep(place, migrated: migratedKeys[place] ?? KeySet(), hasPolicy: false)
      }, dropsUnmentioned: hop.stores.dropsUnmentioned
    ).rows()
    report.losses = hop.plan.losses
    report.notes = [hop.survey.danglingBackLinks.diagnostic(.warning)].compactMap(\.self)
    return report
  }
}

extension MigrationManager {
  /// Carries out the last of several fused hops.
  fileprivate func migrate(
    _ source: PersistentStore, _ unknown: UnknownContents, _ detector: ChangeDetector, _ hop: PreparedHop,
    to url: URL, _ files: FileOperations
  ) throws -> MigrationReport {
    defer { reporter.finish() }
    let folder = try DestinationFolder(for: url, files: files, isSyncedByCaller: true)
    defer { folder.remove() }
    let report = try migrate(source, unknown, detector, in: folder, hop.prepared)
    try hop.manager.cancellation.check()
    try folder.finish()
    migrationProgress = 1
    reportProgress()
    return report
  }
}
