import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// Decides which versions of a bundle can go, and what that costs.
struct VersionPruning {
  /// The versions that stay, oldest first.
  private(set) var kept: [ModelSource.Version] = []
  /// The versions that go, oldest first.
  private(set) var pruned: [ModelSource.Version] = []
  /// The mapping files that lead from or to a version that goes, and not from one that stays to another.
  private(set) var files: [String] = []
  /// The mapping file that leads from a version over others, by the version's name.
  private var leaps: [String: String] = [:]

  init(_ history: BundleHistory, keeping: PruneCommand.Kept) throws {
    let versions = history.versions
    let current = try history.source.version(option: "--before")
    let end: Int
    switch keeping {
    case .newest(let count): end = max(versions.count - count, 0)
    case .from(let name):
      let version = try history.source.version(named: name)
      end = versions.firstIndex { $0.name == version.name } ?? 0
    }
    let candidates = Array(versions[..<end])
    guard !candidates.contains(where: { $0.name == current.name }) else {
      throw Diagnostic(
        .error, code: "prune.current-version",
        problem: "'\(current.name)' is the current version of '\(history.source.path)', and would be moved",
        remedy: "keep it, or make a newer version the current one first")
    }
    findLeaps(in: history, from: candidates)
    for version in versions {
      let goes = candidates.contains { $0.name == version.name } && leaps[version.name] == nil
      if goes { pruned.append(version) } else { kept.append(version) }
    }
    files = history.search.candidates.filter { file in
      MappingSide.allCases.contains { side in pruned.contains { file.fits(side, $0) ?? false } }
        && !file.leads(from: kept, to: kept)
    }.map(\.file)
  }

  /// The reason why a version stays, although it is old, in words.
  func reasonToStay(_ version: String) -> String? { leaps[version].map { "\($0.quotedName) leads from it" } }

  /// Finds the mapping files that lead over other versions to one that stays, from the newest version back: one may lead to
  /// the start of another.
  private mutating func findLeaps(in history: BundleHistory, from candidates: [ModelSource.Version]) {
    let versions = history.versions
    for place in candidates.indices.reversed() {
      let goals = versions.indices.filter {
        $0 > place + 1 && ($0 >= candidates.count || leaps[versions[$0].name] != nil)
      }
      let file = history.search.candidates.first {
        $0.leads(from: [versions[place]], to: goals.map { versions[$0] })
      }
      if let file { leaps[versions[place].name] = file.file }
    }
  }

  // MARK: Stores

  /// The versions that go and whose stores have no other version's hashes.
  var stranded: [String] {
    pruned.filter { version in !kept.contains { $0.model.isSameVersion(as: version.model) } }.map(\.name)
  }

  /// The error about versions whose stores would no longer be recognized.
  var refusal: Diagnostic? {
    guard !stranded.isEmpty else { return nil }
    return Diagnostic(
      .error, code: "prune.stranded-stores",
      problem: "the app would no longer recognize stores of \(stranded.quotedList), so it could not migrate them",
      remedy: "keep every version that users may still have; if they must go, add --accept-stranded. Nothing was moved")
  }
}
