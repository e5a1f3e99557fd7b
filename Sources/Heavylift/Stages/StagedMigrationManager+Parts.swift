package import HeavyliftModel

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
      var isFirst = true
      copy.migrate(handler.entityName) { old, new in
        defer { isFirst = false }
        if firstObjectOnly, !isFirst { try handler.body(old, new) }
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
