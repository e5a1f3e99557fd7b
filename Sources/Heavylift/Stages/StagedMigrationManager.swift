public import Foundation
import HeavyliftConcurrency
public import HeavyliftModel

/// The stages of a model's history, checked and in order.
///
/// ```swift
/// let stages = try StagedMigrationManager(
///   [
///     LightweightMigrationStage([music1.versionChecksum, music2.versionChecksum]),
///     CustomMigrationStage(
///       migratingFrom: ManagedObjectModelReference(model: music2, versionChecksum: music2.versionChecksum),
///       to: ManagedObjectModelReference(model: music3, versionChecksum: music3.versionChecksum)),
///   ], versions: [music1, music2, music3])
/// try IncrementalMigrationManager(stages: stages).migrate(storeURL)
/// ```
///
/// All mistakes are found when the manager is created: versions that are missing, skipped or listed twice, models whose
/// checksums differ, and stages in the wrong order.
public final class StagedMigrationManager: Sendable {
  /// The stages in the order of their versions.
  public let stages: [MigrationStage]
  /// Opens contexts on the store while a handler runs; `nil` at any other time.
  ///
  /// Handlers get a manager of their own migration, which has a container; the one that you created never has.
  public internal(set) var container: StageContainer? {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }
  private let current = Locked<StageContainer?>(nil)

  let versions: [ManagedObjectModel]
  let steps: [StageOrder.Step]

  /// Creates a manager, and checks the stages.
  ///
  /// - Parameters:
  ///   - stages: The stages in the order of their versions.
  ///   - versions: The models of all versions, oldest first. If empty, the models that custom stages refer to, in the
  ///     order of the stages; lightweight stages can then list no others.
  /// - Throws: `StagedMigrationError` with all mistakes.
  public convenience init(_ stages: [MigrationStage], versions: [ManagedObjectModel] = []) throws {
    let order = StageOrder(stages, versions: versions)
    guard order.mistakes.isEmpty else { throw StagedMigrationError(order.mistakes) }
    self.init(stages: stages, versions: order.versions, steps: order.steps)
  }

  /// Creates a manager from parts of others, which have been checked.
  init(stages: [MigrationStage], versions: [ManagedObjectModel], steps: [StageOrder.Step]) {
    (self.stages, self.versions, self.steps) = (stages, versions, steps)
  }

  /// A manager with the same stages, for the handlers of one migration.
  var forOneRun: StagedMigrationManager { StagedMigrationManager(stages: stages, versions: versions, steps: steps) }

  /// The versions, and the steps between them, with the handlers that the stages have now.
  public var history: MigrationHistory {
    MigrationHistory(
      versions: versions,
      edges: steps.map { step in
        MigrationHistory.Edge(
          source: step.source, destination: step.destination,
          stage: stages[step.stage].summary(number: step.stage + 1))
      })
  }

  /// The reasons why steps cannot be carried out, unless there are mapping files for their versions.
  ///
  /// - Parameter code: Returns the remedy for a lightweight stage: code that does what cannot be inferred. `nil` for a
  ///   handler.
  package func mistakesOfInference(
    orCode code: (MigrationHistory.Stage) -> String? = { _ in nil }
  ) -> [Diagnostic] {
    history.hops.flatMap { hop -> [Diagnostic] in
      guard case .broken(let list) = hop.edge(orCode: code(hop.stage) ?? StageHop.handlerRemedy) else { return [] }
      return list.diagnostics
    }
  }

  /// Returns the custom stage that has the code of a stage.
  func customStage(_ stage: MigrationHistory.Stage) -> CustomMigrationStage? {
    stages.indices.contains(stage.number - 1) ? stages[stage.number - 1] as? CustomMigrationStage : nil
  }
}

extension StagedMigrationManager {
  /// Returns the steps that lead from one version to another, in order; `nil` if there is a gap.
  package func edges(from source: ManagedObjectModel, to destination: ManagedObjectModel) -> [MigrationHistory.Edge]? {
    let history = history
    var found: [MigrationHistory.Edge] = []
    var identity = source.stageIdentity
    while identity != destination.stageIdentity {
      guard
        let edge = history.edges.first(where: { history.versions[$0.source].stageIdentity == identity }),
        found.count < history.edges.count
      else { return nil }
      found.append(edge)
      identity = history.versions[edge.destination].stageIdentity
    }
    return found
  }

  /// Returns the manager of a history that consists of steps of several managers.
  ///
  /// - Parameters:
  ///   - parts: The managers, each with some of its steps.
  ///   - versions: The versions, oldest first.
  package static func joining(
    _ parts: [(manager: StagedMigrationManager, edges: [MigrationHistory.Edge])], versions: [ManagedObjectModel]
  ) -> StagedMigrationManager {
    var stages: [MigrationStage] = []
    var steps: [StageOrder.Step] = []
    for (manager, edges) in parts {
      func place(_ version: Int) -> Int? {
        versions.firstIndex { $0.stageIdentity == manager.versions[version].stageIdentity }
      }
      for edge in edges {
        let stage = manager.stages[edge.stage.number - 1]
        if !stages.contains(where: { $0 === stage }) { stages.append(stage) }
        guard let source = place(edge.source), let destination = place(edge.destination),
          let index = stages.firstIndex(where: { $0 === stage })
        else { continue }
        steps.append(StageOrder.Step(source: source, destination: destination, stage: index))
      }
    }
    return StagedMigrationManager(stages: stages, versions: versions, steps: steps)
  }

  /// Returns a manager in which one handler of a stage does nothing: a mistake that a test of the stage should detect.
  ///
  /// - Parameters:
  ///   - handler: The index of the handler.
  ///   - number: The number of the stage, starting at 1.
  ///   - firstObjectOnly: True to skip only the first object of a handler for single objects.
  package func silencing(
    _ handler: Int, ofStage number: Int, firstObjectOnly: Bool = false
  ) -> StagedMigrationManager {
    var stages = stages
    if let stage = stages[number - 1] as? CustomMigrationStage {
      stages[number - 1] = stage.silencing(handler, firstObjectOnly: firstObjectOnly)
    }
    return StagedMigrationManager(stages: stages, versions: versions, steps: steps)
  }
}

extension CustomMigrationStage {
  /// Returns a copy in which a handler does nothing. The handler is still there, so that the plan stays the same.
  fileprivate func silencing(_ index: Int, firstObjectOnly: Bool) -> CustomMigrationStage {
    let copy = CustomMigrationStage(migratingFrom: currentModel, to: nextModel, label: label)
    copy.revision = revision
    copy.willMigrateHandler = willMigrateHandler
    copy.didMigrateHandler = didMigrateHandler
    let firstOfObjects = willMigrateHandler == nil ? 0 : 1
    for (place, handler) in objectHandlers.enumerated() {
      guard place + firstOfObjects == index else {
        copy.migrate(handler.entityName, handler.body)
        continue
      }
      let isFirst = Locked(true)
      copy.migrate(handler.entityName) { old, new in
        let isSkipped = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst || !firstObjectOnly
        }
        if !isSkipped { try handler.body(old, new) }
      }
    }
    switch handlers[index] {
    case .willMigrate: copy.willMigrateHandler = { _, _ in }
    case .didMigrate: copy.didMigrateHandler = { _, _ in }
    case .objects: break
    }
    return copy
  }
}

/// The mistakes in a list of stages. All of them are found before a store is opened.
///
/// ```swift
/// do {
///   let manager = try StagedMigrationManager(stages, versions: models)
/// } catch let error as StagedMigrationError {
///   for diagnostic in error.diagnostics { print(diagnostic) }
/// }
/// ```
public struct StagedMigrationError: Error, Hashable, Sendable {
  /// The mistakes in the order of the stages.
  public let diagnostics: [Diagnostic]
  /// Core Data's error number for the first mistake: 134504 if a version is missing or its checksum differs, 134506 if
  /// stages lead backward or are in the wrong order, and 134110 for everything else.
  public let number: Int

  init(_ mistakes: [StageMistake]) {
    diagnostics = mistakes.map(\.diagnostic)
    number = mistakes.first?.number ?? 134_110
  }
}

extension StagedMigrationError: CustomStringConvertible {
  /// All mistakes, one after another.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

extension StagedMigrationError: LocalizedError {
  /// The problem.
  public var errorDescription: String? { diagnostics.compactMap(\.errorDescription).joined(separator: "\n") }
  /// The remedy, if one is known.
  public var recoverySuggestion: String? { diagnostics.first?.remedy }
}
