import Foundation
import Heavylift
import HeavyliftXML

extension HistoryCheck {
  /// The model in the project for each released one: the one at its place, or one that was moved or renamed.
  var counterparts: [ModelSource?] {
    var taken: Set<String> = []
    var found = baseline.models.map { released -> ModelSource? in
      guard !released.versions.isEmpty else { return nil }
      let source = sources.first { io.url($0.path).standardizedFileURL == io.url(released.path).standardizedFileURL }
      // A release may have had another model there.
      if let source, !released.namesInBaseline.isEmpty { taken.insert(source.path) }
      return source
    }
    for (place, released) in baseline.models.enumerated() where found[place] == nil && !released.versions.isEmpty {
      let candidates = sources.filter { places.areReleased($0.path) && !isInOtherRepository($0.path) }
      func rank(_ source: ModelSource) -> (Int, Int) {
        let isNamesake = MigrationCode.modelName(path: source.path) == MigrationCode.modelName(path: released.path)
        return (sameVersions(source, released), isNamesake ? 1 : 0)
      }
      let free = candidates.filter { !taken.contains($0.path) }.max { rank($0) < rank($1) }
      if let free, rank(free) > (0, 0) {
        found[place] = free
        if !released.namesInBaseline.isEmpty { taken.insert(free.path) }
      } else if released.namesInBaseline.isEmpty, let shared = candidates.max(by: { rank($0) < rank($1) }),
        rank(shared) > (0, 1)
      {
        // A release had it elsewhere.
        found[place] = shared
      }
    }
    return found
  }

  /// True for a file in another clone or working tree of a repository, inside the project's.
  private func isInOtherRepository(_ path: String) -> Bool {
    guard let root = baseline.root else { return false }
    var folder = CheckedPlaces.absolute(path, io.directory).deletingLastPathComponent
    while folder.count > root.count {
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: "\(folder)/.git", isDirectory: &isFolder) {
        // A submodule has a file that leads to its repository in that of the project.
        let isWorkingTree = (try? String(contentsOfFile: "\(folder)/.git", encoding: .utf8))?.contains("/worktrees/")
        return isFolder.boolValue || isWorkingTree == true
      }
      folder = folder.deletingLastPathComponent
    }
    return false
  }

  private func sameVersions(_ source: ModelSource, _ released: ReleasedModel) -> Int {
    released.versions.count { version in source.versions.contains { $0.model.isSameVersion(as: version.model) } }
  }
}
