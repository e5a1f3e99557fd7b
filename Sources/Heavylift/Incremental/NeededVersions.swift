import HeavyliftConcurrency
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore
import HeavyliftXML

/// The versions of a bundle that the plan for a store depends on, as far as no mapping file leads to others: those from
/// the store's version to the requested one, and all that have the same version hashes as one of them.
struct NeededVersions {
  /// The indexes of the versions, in order.
  let places: [Int]
  /// True if the store has the requested version, so that no hop is needed.
  let areOfCurrentStore: Bool

  /// Reads the versions. Returns `nil` if no version hashes show that the store has one of the versions before the
  /// requested one.
  init?(for file: StoreFile, to target: Int, among versions: [ModelVersions.Version]) throws {
    let stored = file.metadata.versionHashes
    func fit(_ place: Int) throws -> StoreVersion.Fit? {
      versions[place].mayHave(stored) ? file.fitByHashes(try versions[place].model()) : nil
    }
    var found: (place: Int, fit: StoreVersion.Fit)?
    for place in (0...target).reversed() {
      guard let fit = try fit(place) else { continue }
      found = (place, fit)
      break
    }
    guard let found else { return nil }
    let held = found.fit.model.restricted(to: found.fit.configuration)
    var range = found.place...target
    while true {
      let others = versions.indices.filter { !range.contains($0) }
      let models = try versions[range].map { try $0.model() }
      var names = HashedNames(commonTo: models + [held])
      let twins = try others.filter { place in
        let version = versions[place]
        guard version.mayHave(stored) || models.contains(where: { version.mayHave($0.versionHashes) }),
          version.mayHave(&names)
        else { return false }
        let model = try version.model()
        return models.contains { $0.hasSameVersionHashes(as: model) } || file.fitByHashes(model) != nil
      }
      if twins.isEmpty || found.place == target {
        places = (Array(range) + twins).sorted()
        areOfCurrentStore = found.place == target
        return
      }
      // The hops from a twin to its neighbors start from the version itself, too.
      range = min(range.lowerBound, twins[0])...max(range.upperBound, twins[twins.count - 1])
    }
  }
}

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

extension [ManagedObjectModel] {
  /// Returns the index of the version that drops the fewest entities and properties of another model; if there are
  /// several such versions, the last one that differs the least.
  func indexOfNearest(to model: ManagedObjectModel) -> Int? {
    let own = ModelReference(fingerprints: model.fingerprints)
    let ranks = indices.map { place -> (place: Int, lost: Int, changed: Int) in
      let changes = own.changes(in: self[place])
      let lost = changes.count { change in
        switch change {
        case .entityRemoved, .propertyRemoved: true
        default: false
        }
      }
      return (place, lost, changes.count)
    }
    return ranks.min { ($0.lost, $0.changed, $1.place) < ($1.lost, $1.changed, $0.place) }?.place
  }
}
