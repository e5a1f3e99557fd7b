import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore
import HeavyliftEngine

/// Carries out a hop of a custom stage: the handlers before it, the change of structure, and the handlers after it.
///
/// The journal is written before handlers start, with the identity of the store that they work on, and again when they
/// are done. If the process dies in between, the mark in that store decides whether they have run, and has their report.
struct StageExecution {
  let run: ChainRun
  let hop: MigrationHop
  let number: Int
  let source: URL
  private let manager: StagedMigrationManager
  private let stage: CustomMigrationStage
  private let summary: MigrationHistory.Stage
  private var files: FileOperations { run.files }
  private var work: WorkFolder { run.work }
  private var cancellation: MigrationCancellation { run.session.monitor.cancellation }

  init(run: ChainRun, hop: MigrationHop, number: Int, source: URL) throws {
    (self.run, self.hop, self.number, self.source) = (run, hop, number, source)
    guard let manager = run.session.manager.stages, let summary = hop.stage, let stage = manager.customStage(summary)
    else { preconditionFailure("hop \(hop.title) has handlers, but no stage") }
    (self.manager, self.summary, self.stage) = (manager.forOneRun, summary, stage)
  }

  /// Carries out the hop. Returns its report; `nil` if an interrupted earlier run ran all handlers, and has left its
  /// report in the journal.
  func perform(_ journal: inout MigrationJournal) throws -> MigrationReport? {
    if journal.handlers == nil { journal.handlers = .init(hop: number) }
    let hasSourceHandler = stage.willMigrateHandler != nil
    let before = hasSourceHandler ? work.handledSource(number) : source
    var report: MigrationReport?
    if journal.handlers?.after?.isDone != true {
      let earlier = try stage.willMigrateHandler.flatMap { try handleSource($0, before, &journal) }
      let span: ClosedRange<Float> = (hasSourceHandler ? 0.3 : 0)...(handlesResult ? 0.6 : 1)
      run.record(number, .preparing, fraction: span.lowerBound)
      let done = try run.migrate(hop, number, from: before, in: span)
      try run.check(work.hop(number), hop)
      try run.handOver(hop, number, from: before, done)
      if hasSourceHandler, number == 1 { try removeOrigins(.source, absentFrom: source) }
      try run.composeProvenance(number)
      report = handlesResult ? try handleResult(of: before, done, since: earlier, &journal) : done
    }
    if handlesResult {
      try HandlerMark(journal, hop: number, isBefore: false).remove(from: work.hop(number))
      // A handler may have deleted objects, and a save may have been undone.
      try StoreFamily.removeUnusedFiles(of: work.hop(number), files)
      try removeOrigins(.destination, absentFrom: work.hop(number))
      let counts = try objectCounts()
      report?.objects = counts
      journal.handlers?.report?.objects = counts
    }
    run.record(number, .finishing, fraction: 1)
    try run.finishProvenance(number)
    return report
  }

  private var handlesResult: Bool { !stage.objectHandlers.isEmpty || stage.didMigrateHandler != nil }

  // MARK: Before the hop

  /// Returns the container of the handler's contexts; nil if the handler ran in another process.
  private func handleSource(
    _ handler: CustomMigrationStage.Handler, _ copy: URL, _ journal: inout MigrationJournal
  ) throws -> StageContainer? {
    let mark = HandlerMark(journal, hop: number, isBefore: true)
    var used: StageContainer?
    if journal.handlers?.before?.isDone != true {
      do {
        try StoreCopy(files: files, cancellation: cancellation).copy(source, to: copy)
      } catch {
        throw cancellation.reason(for: error) ?? error
      }
      try files.synchronize(copy)
      try note(\.before, copy, &journal)
      reporting(.willMigrate, 0...0.3)(0, 0)
      used = try transaction(copy, hop.sourceModel, mark).run(report: reporting(.willMigrate, 0...0.3)) { container in
        try naming(MigrationHistory.Handler.willMigrate.title) {
          try handler(manager, stage)
          try container.refuseUnsavedChanges()
        }
      }
      try noteDone(\.before, &journal)
    }
    try mark.remove(from: copy)
    return used
  }

  // MARK: After the hop

  /// Runs the handlers after the hop. Returns the hop's report with what they left.
  private func handleResult(
    of before: URL, _ report: MigrationReport, since earlier: StageContainer?, _ journal: inout MigrationJournal
  ) throws -> MigrationReport {
    let result = work.hop(number)
    if run.session.provenance != nil { try files.synchronize(work.provenance(number)) }
    try note(\.after, result, &journal)
    let old = try PersistentStore(url: before, models: [hop.sourceModel], mode: .readOnly)
    defer { try? old.close() }
    old.handledProperties = HandledProperties(of: old)
    var handler = MigrationHistory.Handler.didMigrate
    let mark = HandlerMark(journal, hop: number, isBefore: false)
    var whole = report
    func refuseLostChanges(_ container: StageContainer) throws {
      try container.refuseUnsavedChanges()
      try earlier?.refuseLateUse(afterHandler: MigrationHistory.Handler.willMigrate.title)
    }
    try transaction(result, hop.destinationModel, mark).run(
      report: { done, total in reporting(handler, 0.6...1)(done, total) }
    ) { container in
      for (entityName, body) in stage.objectHandlers {
        handler = .objects(entityName: entityName)
        reporting(handler, 0.6...1)(0, 0)
        let pairs = try ObjectPairs(old: old, new: container.store, report)
        try naming(handler.title) {
          try container.enumerate(FetchRequest(entityName: entityName), willVisit: pairs.prepare) { object in
            try pairs.call(body, for: object)
          }
          try refuseLostChanges(container)
        }
      }
      guard let last = stage.didMigrateHandler else { return }
      handler = .didMigrate
      reporting(handler, 0.6...1)(0, 0)
      try naming(handler.title) {
        try last(manager, stage)
        try refuseLostChanges(container)
      }
    } check: { store in
      try refuseObjectsOfVacatedEntities(store)
      whole.notes += try naming("its handlers") { try ForgottenValues(hop: hop, old: old, store: store).check() }
      if case .stage(_, .whole) = hop.origin {
        // No further hop checks what the handlers left.
        _ = try DerivedValues.fill(ManagedObjectContext(store: store), hop.destinationModel)
        try StoreValidation(store).perform()
      }
      return whole
    }
    journal.handlers?.report = whole
    try noteDone(\.after, &journal)
    return whole
  }

  /// Throws if there are objects that the next hop would remove.
  private func refuseObjectsOfVacatedEntities(_ store: PersistentStore) throws {
    let counts = try store.objectCounts()
    for name in hop.intermediate?.vacatedEntities ?? [] {
      guard let count = counts[name], count > 0 else { continue }
      throw HopError(
        .migration,
        problem:
          "\(count.grouped) × \(name) \(count == 1 ? "is" : "are") left, and entity \(name.quotedName) is abstract in version "
          + (hop.intermediate?.destination.title ?? "unnamed").quotedName,
        remedy: "replace each object with one of a sub-entity, or delete it")
    }
  }

  private func transaction(_ store: URL, _ model: ManagedObjectModel, _ mark: HandlerMark) -> HandlerTransaction {
    HandlerTransaction(store: store, model: model, mark: mark, manager: manager, cancellation: cancellation)
  }

  private func reporting(
    _ handler: MigrationHistory.Handler, _ span: ClosedRange<Float>
  ) -> (_ done: Int, _ total: Int) -> Void {
    { done, total in
      let share = total > 0 ? Float(done) / Float(total) : 0
      run.record(
        number,
        .handling(
          HandlerProgress(stage: summary.title, handler: handler, objectsDone: done, objectsExpected: total)),
        fraction: span.lowerBound + share * (span.upperBound - span.lowerBound))
    }
  }

  private func naming<Result>(_ handler: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      if let reason = cancellation.reason { throw reason }
      throw HopError.wrapping(
        error, .migration,
        .init(hook: handler, object: manager.container?.object(of: error), stage: summary.title))
    }
  }

  // MARK: Journal

  private func note(
    _ part: WritableKeyPath<MigrationJournal.Handlers, MigrationJournal.Handled?>, _ store: URL,
    _ journal: inout MigrationJournal
  ) throws {
    try files.synchronize(work.url)
    guard let identity = try FileIdentity(store) else { throw POSIXError(.ENOENT) }
    journal.handlers?[keyPath: part] = .init(identity: identity)
    try work.write(journal)
  }

  private func noteDone(
    _ part: WritableKeyPath<MigrationJournal.Handlers, MigrationJournal.Handled?>, _ journal: inout MigrationJournal
  ) throws {
    journal.handlers?[keyPath: part]?.isDone = true
    try work.write(journal)
  }

  // MARK: Afterwards

  /// Removes objects from the provenance that a handler inserted before the hop, or deleted after it.
  private func removeOrigins(_ side: ProvenanceFilter.Side, absentFrom store: URL) throws {
    let provenance = side == .source ? work.hopProvenance(number) : work.provenance(number)
    guard try files.exists(provenance) else { return }
    let model = side == .source ? hop.sourceModel : hop.destinationModel
    try ProvenanceFilter(provenance: provenance, side: side).removeObjects(absentFrom: store, model)
  }

  private func objectCounts() throws -> [String: Int] {
    let store = try PersistentStore(url: work.hop(number), models: [hop.destinationModel], mode: .readOnly)
    defer { try? store.close() }
    return try store.objectCounts()
  }
}

/// The hops that carry out a stage's step between two neighboring versions.
struct StageHop: Sendable {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let stage: MigrationHistory.Stage

  /// The first hop, with those that follow it as its continuation, or the reasons why there can be none.
  var edge: MigrationGraph.Edge { edge(orCode: Self.handlerRemedy) }

  /// The remedy for a lightweight stage, in the engine's own terms.
  static let handlerRemedy = "use a custom stage with a handler"

  /// - Parameter code: The remedy for a lightweight stage: code that does what cannot be inferred.
  func edge(orCode code: String) -> MigrationGraph.Edge {
    do {
      return .hop(try hop())
    } catch {
      return .broken(DiagnosticList(error.diagnostics.map { refusal($0, orCode: code) }))
    }
  }

  private func hop() throws(DiagnosticList) -> MigrationHop {
    if stage.handlers.isEmpty { return inferred(try MappingModel.inferred(from: source, to: destination)) }
    var refusals: DiagnosticList?
    if stage.handlers == [.willMigrate] {
      // A handler that only prepares the old objects does not need the properties of both versions.
      let (mapping, found) = MappingModel.inferring(from: source, to: destination)
      if found.isEmpty { return inferred(mapping) }
      refusals = DiagnosticList(found)
    }
    let intermediate = try IntermediateModel(from: source, to: destination)
    // No handler could convert the old values.
    if let refusals, !intermediate.conversions.isEmpty { throw refusals }
    guard let contraction = intermediate.contraction else {
      return MigrationHop(
        sourceModel: source, destinationModel: destination, mappings: [intermediate.expansion],
        origin: .stage(stage, .whole))
    }
    var hop = MigrationHop(
      sourceModel: source, destinationModel: intermediate.model, mappings: [intermediate.expansion],
      origin: .stage(stage, .expansion))
    hop.intermediate = intermediate
    hop.continuation = [
      MigrationHop(
        sourceModel: intermediate.model, destinationModel: destination, mappings: [contraction],
        origin: .stage(stage, .contraction))
    ]
    return hop
  }

  private func inferred(_ mapping: MappingModel) -> MigrationHop {
    MigrationHop(
      sourceModel: source, destinationModel: destination, mappings: [mapping], origin: .stage(stage, .whole))
  }

  private func refusal(_ reason: Diagnostic, orCode code: String) -> Diagnostic {
    let versions = "\(source.title.quotedName) → \(destination.title.quotedName)"
    return Diagnostic(
      .error, code: "stage.not-inferred", problem: "\(stage.title) cannot migrate \(versions): \(reason.problem)",
      remedy: (reason.remedy ?? "write a mapping file for these versions")
        + (stage.handlers.contains { $0 != .willMigrate } ? "" : "; or \(code)"),
      location: reason.location)
  }
}

extension MigrationHistory {
  /// The hops of all steps.
  var hops: [StageHop] {
    edges.map { edge in
      StageHop(source: versions[edge.source], destination: versions[edge.destination], stage: edge.stage)
    }
  }
}
