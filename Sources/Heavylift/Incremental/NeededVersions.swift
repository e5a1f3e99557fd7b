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
