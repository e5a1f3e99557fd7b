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
public final class StagedMigrationManager {
  /// The stages in the order of their versions.
  public let stages: [MigrationStage]
  /// Opens contexts on the store while a handler runs; `nil` at any other time.
  public internal(set) var container: StageContainer?

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
