import Heavylift
import HeavyliftModel

extension GitBaseline {
  /// Returns the paths that submodules had in releases, by the path in the baseline, and reports those that it does not have.
  mutating func formerPathsOfSubmodules(
    in releases: [(Release, [GitRepository.Entry])], now entries: [GitRepository.Entry], _ repository: GitRepository
  ) -> [String: [String]] {
    let present = entries.filter(\.isSubmodule)
    var (seen, found) = (Set(present.map(\.path)), [String: [String]]())
    for (release, entries) in releases where release.place != .later {
      for entry in entries where entry.isSubmodule && places.concern("\(repository.root.path)/\(entry.path)") {
        guard seen.insert(entry.path).inserted else { continue }
        let moved = present.first { (try? repository.submodule($0.path)?.commit(entry.object)) != nil }
        if let moved {
          found[moved.path, default: []].append(entry.path)
        } else {
          let removed = Self.removedSubmodule(entry.path, release)
          if release.place == .beforeBaseline { oldNotes.append(removed) } else { notes.append((entry.path, removed)) }
        }
      }
    }
    return found
  }

  private static func removedSubmodule(_ path: String, _ release: Release) -> Diagnostic {
    Diagnostic(
      .warning, code: "history.removed-submodule",
      problem: "submodule '\(path)' of '\(release.name)' was removed, so its models were not compared",
      remedy: "if the app's models were in it, compare with a copy: --baseline PATH; if not, accept this finding")
  }

  /// - Parameter present: The submodules that the project has now.
  mutating func readSubmodule(
    _ entry: GitRepository.Entry, _ formerPaths: [String], of part: Part, _ present: [GitRepository.Entry]
  ) {
    do {
      guard present.contains(where: { $0.path == entry.path }) else {
        // It may be elsewhere now.
        for other in present {
          if let submodule = part.repository.submodule(other.path), let commit = try? submodule.commit(entry.object) {
            return try read(submodule, commit, [entry.path, other.path] + formerPaths, of: part)
          }
        }
        throw Self.removedSubmodule(entry.path, part.base)
      }
      guard let submodule = part.repository.submodule(entry.path) else {
        throw Diagnostic(
          .note, code: "history.missing-submodule",
          problem: "submodule '\(entry.path)' is not there, so its models were not compared",
          remedy: "fetch it with 'git submodule update --init'")
      }
      guard let commit = try? submodule.commit(entry.object) else {
        throw Self.missingCommit(entry.path, part.base.name)
      }
      try read(submodule, commit, [entry.path] + formerPaths, of: part)
    } catch {
      notes += ErrorReport(error).diagnostics.map { (entry.path, $0) }
    }
  }

  /// Reads a submodule at the commits that the releases name.
  ///
  /// - Parameter paths: The paths that the submodule has or had.
  private mutating func read(_ submodule: GitRepository, _ commit: String, _ paths: [String], of part: Part) throws {
    let base = Release(name: part.base.name, commit: commit, revision: String(commit.prefix(10)))
    let hasModels = try submodule.files(of: commit).contains { ModelFilePath($0.path) != nil }
    guard let releases = part.releases, hasModels else { return try read(Part(repository: submodule, base: base)) }
    var (released, seen, missing) = ([Release](), Set<String>(), String?.none)
    for release in releases {
      let names = try paths.lazy.compactMap { try part.repository.submoduleCommit($0, in: release.commit) }
      guard let commit = names.first, seen.insert(commit).inserted else { continue }
      if (try? submodule.commit(commit)) == nil {
        missing = missing ?? release.name
      } else {
        released.append(
          Release(
            name: release.name, commit: commit, revision: String(commit.prefix(10)), place: release.place,
            number: release.number))
      }
    }
    if let missing { notes.append((paths[0], Self.missingCommit(paths[0], missing))) }
    try read(Part(repository: submodule, base: base, head: try? submodule.commit("HEAD"), releases: released))
  }

  private static func missingCommit(_ path: String, _ release: String) -> Diagnostic {
    Diagnostic(
      .note, code: "history.missing-submodule",
      problem: "submodule '\(path)' does not have the commit that '\(release)' names, so its models were not compared",
      remedy: "fetch its history: 'git submodule update --init --no-single-branch', without '--depth'")
  }
}
