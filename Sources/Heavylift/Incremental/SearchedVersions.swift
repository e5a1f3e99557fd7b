import HeavyliftConcurrency
import HeavyliftModel

/// Versions among which a path is searched, and the graph of the hops between them.
final class SearchedVersions {
  let models: [ManagedObjectModel]
  /// The names of the other versions, whose models are not read.
  let unreadNames: [String]
  /// False if there may be other versions between them, so that neighbors in the list need not be neighbors.
  let areConsecutive: Bool
  /// Most stores are current, and need no graph.
  private let graph = Locked<MigrationGraph?>(nil)

  init(_ models: [ManagedObjectModel], unread names: [String] = [], areConsecutive: Bool = true) {
    (self.models, unreadNames, self.areConsecutive) = (models, names, areConsecutive)
  }

  /// Returns the graph, made on the first call.
  func graph(_ make: () -> MigrationGraph) -> MigrationGraph {
    graph.withLock { graph in
      if let graph { return graph }
      let made = make()
      graph = made
      return made
    }
  }
}
