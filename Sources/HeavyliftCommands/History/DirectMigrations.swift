import Heavylift
import HeavyliftMapping
import HeavyliftModel

/// The migrations from older versions straight to the newest one, as Core Data infers them for an app that does not migrate
/// version by version.
struct DirectMigrations {
  /// A consequence, and the versions whose stores have it.
  struct Consequence {
    var versions: [String]
    /// True if no mapping can be inferred.
    var isFailure: Bool
    var words: String
  }

  private(set) var consequences: [Consequence] = []

  /// Finds what a new version adds to the consequences.
  ///
  /// - Parameters:
  ///   - models: The versions, oldest first, between which only inferred mappings lead.
  ///   - former: The last version before the new ones; an index into the models.
  init(_ models: [ManagedObjectModel], since former: Int) {
    let lineages = VersionLineages(models)
    let last = models.count - 1
    // The consequences for what the new versions do not change are those of the former version.
    let changed = Set(ModelDifference(from: models[former], to: models[last]).entities.map(\.newName))
    // From the version before the last one, there is only one way.
    for version in models.indices.dropLast(2) where !models[version].isSameVersion(as: models[last - 1]) {
      let name = models[version].name ?? "version \(version + 1)"
      func refusals(_ other: Int) -> [Diagnostic] {
        guard other > version else { return [] }
        do {
          _ = try MappingModel.inferred(from: models[version], to: models[other])
          return []
        } catch {
          return error.diagnostics
        }
      }
      let refused = refusals(last)
      if !refused.isEmpty {
        guard refusals(former).isEmpty else { continue }
        for refusal in refused { add(refusal.problem, isFailure: true, name) }
      } else {
        let found = JumpComparison(lineages, version...last).differences { changed.contains($0.name) }
        let isKnown = !found.isEmpty && version < former
        let known = isKnown ? JumpComparison(lineages, version...former).differences { _ in true } : []
        for difference in found where !known.contains(difference) { add(difference, isFailure: false, name) }
      }
    }
  }

  private mutating func add(_ words: String, isFailure: Bool, _ version: String) {
    if let place = consequences.firstIndex(where: { $0.words == words && $0.isFailure == isFailure }) {
      consequences[place].versions.append(version)
    } else {
      consequences.append(Consequence(versions: [version], isFailure: isFailure, words: words))
    }
  }
}
