import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// An execution that can read through hops whose stores nobody needs.
protocol FusingHopExecution: HopExecution {
  /// Why the store of a hop is certainly written, as far as the mappings tell; nil if the next hop may read through it.
  func reasonToWrite(_ hop: MigrationHop, before next: MigrationHop) -> String?

  /// Carries out as many of the hops as can be read through, and the one behind them, whose store is written.
  ///
  /// - Parameters:
  ///   - monitor: Of each hop, counted from the first of them, which is 0.
  ///   - destination: Where the store is written behind so many hops.
  /// - Returns: What is done; nothing if the first hop is to be carried out alone.
  func migrateFused(
    from source: URL, hops: [MigrationHop], monitor: (_ number: Int) -> HopMonitor,
    to destination: (_ count: Int) -> URL
  ) throws -> FusedHops
}

/// What became of an attempt to read through hops.
struct FusedHops {
  /// Of each hop that is done; the last one's store is written.
  var reports: [MigrationReport] = []
  /// Why the next hop does not read through the last one that is done, or the first one if none is.
  var reasonToWrite = "it is the last"
  /// A failure that hops which run one by one may not repeat.
  var note: Diagnostic?
}

extension FusedHops {
  /// Nothing is done, because fusing failed.
  init(_ failure: FusedHopFailure, title: String) {
    reasonToWrite = "\(HopRun.failedReason): \(failure.error)"
    note = Diagnostic(
      .warning, code: "migration.not-fused",
      problem: "fusing hop \(title) with the next one failed, and the hops ran one by one: \(failure.error)",
      remedy: "the new store is complete; report this as a defect")
  }
}

/// One of several fused hops failed.
struct FusedHopFailure: Error {
  /// Counted from the first of them.
  var number: Int
  var error: any Error

  /// True if the hops cannot do better one by one: the disk failed or the migration was cancelled.
  var isFinal: Bool { Self.isFinal(error) }

  private static func isFinal(_ error: any Error) -> Bool {
    switch error {
    case let error as MigrationError: error.code == .cancelled || error.underlying.map(isFinal) ?? false
    case let error as Diagnostic: finalCodes.contains(error.code)
    case let error as SQLiteError:
      error.isFull || error.isInputOutput || error.isInterrupt || error.isCantOpen || error.isReadOnly
        || error.isCorrupt || error.underlyingError.map(isFinal) ?? false
    case is POSIXError, is CocoaError, is CancellationError: true
    default: false
    }
  }

  private static let finalCodes: Set = [
    "store.disk-full", "store.disk-failure", "store.read-only", "store.corrupt", "store.truncated", "store.locked",
  ]
}

extension MappingHopExecution: FusingHopExecution {
  func reasonToWrite(_ hop: MigrationHop, before next: MigrationHop) -> String? {
    if options.forcesObjects { return "objects were asked for" }
    if options.provenance != nil { return "a provenance was asked for" }
    for hop in [hop, next] {
      for mapping in hop.mappings.flatMap(\.entityMappings) {
        if let policy = mapping.policyClassName {
          return "policy '\(policy)' of hop \(hop.title) works with objects"
        }
      }
    }
    return nil
  }

  func migrateFused(
    from url: URL, hops: [MigrationHop], monitor: (Int) -> HopMonitor, to destination: (Int) -> URL
  ) throws -> FusedHops {
    var fused = FusedHops()
    guard hops.count > 1 else { return fused }
    if let reason = reasonToWrite(hops[0], before: hops[1]) { return FusedHops(reasonToWrite: reason) }
    let first = try manager(for: hops[0], monitor(0))
    let (file, base) = try first.openSource(url)
    defer { try? base.close() }
    let watch = try SourceWatch(base)
    do {
      try base.readingOneState { try migrate(base, file, watch, first, hops, monitor, to: destination, &fused) }
      return fused
    } catch {
      throw FusedHopFailure(number: fused.reports.count, error: error)
    }
  }

  private func migrate(
    _ base: PersistentStore, _ file: StoreFile, _ watch: SourceWatch, _ first: MigrationManager,
    _ hops: [MigrationHop], _ monitor: (Int) -> HopMonitor, to destination: (Int) -> URL,
    _ fused: inout FusedHops
  ) throws {
    let unknown = try UnknownContents(of: base, file, options.unknownTables)
    guard unknown.isEmpty else {
      fused.reasonToWrite = "the store holds tables that are not its model's"
      return
    }
    var hop = try PreparedHop(hops[0], first, over: base, options, viewed: nil)
    var (source, views) = (base, [ViewedStore]())
    for (number, following) in hops.dropFirst().enumerated() {
      try hop.checkCancellation()
      do {
        if let reason = reasonToWrite(hops[number], before: following) ?? hop.needsTables {
          throw ViewedStore.Refusal(reason: reason)
        }
        let (viewed, next) = try fuse(hop, source, following, monitor(number + 1))
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
      try hop.manager.migrate(source, unknown, watch, hop, to: destination(fused.reports.count + 1), options))
    // The last hop counts the links of the whole chain.
    for (number, viewed) in views.enumerated() {
      fused.reports[number].links = viewed.links
      fused.reports[number].notes += [viewed.links.danglingLinks.diagnostic(.warning)].compactMap(\.self)
    }
  }

  private func manager(for hop: MigrationHop, _ monitor: HopMonitor) throws -> MigrationManager {
    let manager = try manager(for: hop, cancellation: monitor.cancellation)
    manager.reporter.observer = monitor.tell
    return manager
  }

  /// Reads through a hop; refuses where its store is to be written.
  private func fuse(
    _ hop: PreparedHop, _ source: PersistentStore, _ following: MigrationHop, _ monitor: HopMonitor
  ) throws -> (ViewedStore, PreparedHop) {
    let viewed = try ViewedStore(hop, over: source, options: try hop.manager.creationOptions(like: source, options))
    let next = try PreparedHop(
      following, manager(for: following, monitor), over: viewed.store, options, viewed: viewed)
    if let reason = next.needsRows {
      throw ViewedStore.Refusal(reason: "hop \(following.title) cannot read through it: \(reason)")
    }
    try ViewRules(hop, viewed, before: next).check()
    return (viewed, next)
  }
}

extension ViewedStore {
  /// What the hop would have reported.
  ///
  /// - Throws: `MigrationError` if objects of its source are unaccounted for.
  fileprivate func report(of hop: PreparedHop) throws -> MigrationReport {
    var report = MigrationReport()
    report.mappings = hop.plan.steps.enumerated().map { place, step in
      let count = madeKeys[place]?.count ?? 0
      var mapping = MigrationReport.Mapping(name: step.name, sources: count, declared: count)
      mapping.sourceEntityName = step.sourceEntityName
      mapping.destinationEntityName = step.destinationEntityName
      mapping.keyOffset = step.keyOffset
      return mapping
    }
    report.sourceObjects = hop.planner.sourceCounts
    report.objects = counts
    var made: [String: Int] = [:]
    for mapping in report.mappings { made[mapping.destinationEntityName ?? "", default: 0] += mapping.declared }
    try RowReconciliation.check(counts, made: made)
    report.rows = try RowReconciliation(
      counts: hop.planner.sourceCounts,
      steps: hop.plan.steps.indices.map { place in
        hop.planner.rowStep(place, made: madeKeys[place] ?? KeySet(), hasPolicy: false)
      }, dropsUnmentioned: hop.planner.dropsUnmentioned
    ).rows()
    report.losses = hop.plan.losses
    report.notes = [hop.plan.contradictoryLinks.diagnostic, hop.plan.danglingBackLinks.diagnostic(.warning)]
      .compactMap(\.self)
    return report
  }
}

extension MigrationManager {
  /// Carries out a hop that reads through others.
  fileprivate func migrate(
    _ source: PersistentStore, _ unknown: UnknownContents, _ watch: SourceWatch, _ hop: PreparedHop,
    to url: URL, _ options: MigrationOptions
  ) throws -> MigrationReport {
    defer { reporter.finish() }
    let folder = try DestinationFolder(for: url, files: FileOperations())
    defer { folder.remove() }
    let report = try migrate(source, unknown, watch, in: folder, hop.completes, options, hop.plan, hop.planner)
    try hop.checkCancellation()
    try folder.finish()
    migrationProgress = 1
    tellProgress()
    return report
  }
}
