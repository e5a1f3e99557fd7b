import Heavylift
import HeavyliftModel

/// Deliberate mistakes in stages: handlers that do nothing.
struct StageMutations {
  private(set) var all: [Mutation] = []

  init(_ pair: MigrationPair) {
    guard let stages = pair.stages else { return }
    for stage in pair.edges.map(\.stage) {
      for (index, handler) in stage.handlers.enumerated() {
        let name = "\(handler.title) of \(stage.title)"
        var lack = "an object that \(name) changes"
        if case .objects(let entity) = handler { lack = "an object of \(entity.quotedName) that its handler changes" }
        add("leave out \(name)", pair, stages.silencing(index, ofStage: stage.number), lack: lack)
        guard case .objects = handler else { continue }
        // Without a lack: a handler need not change the first object if it changes another one.
        add(
          "skip the first object in \(name)", pair,
          stages.silencing(index, ofStage: stage.number, firstObjectOnly: true))
      }
    }
  }

  private mutating func add(
    _ name: String, _ pair: MigrationPair, _ stages: StagedMigrationManager, lack: String? = nil
  ) {
    var other = pair
    other.stages = stages
    // The difference may show in any object that the handler would have changed.
    all.append(Mutation(name: name, place: [], kind: .pair(other), lack: lack))
  }
}
