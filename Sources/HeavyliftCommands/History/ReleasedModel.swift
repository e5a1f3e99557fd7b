import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// A model as users have it: in a revision of the repository, or in a copy of the released app.
struct ReleasedModel {
  struct Version {
    var name: String
    /// The revision that has it, for messages: `v1.2`.
    var release: String
    /// The revision for commands of git.
    var revision = ""
    var place = ReleasePlace.beforeBaseline
    /// True if the version was changed or removed before the baseline.
    var wasLostBefore = false
    /// True if the baseline has the same file.
    var isInBaseline = true
    /// The number of the first release that has it; 0 if there are no releases.
    var firstRelease = 0
    var model: ManagedObjectModel
  }

  /// The path in the project: `App/Music.xcdatamodeld`.
  var path: String
  /// The path in the repository; `nil` without one.
  var restoringPath: String?
  /// The root of the repository; `nil` without one.
  var repository: String?
  /// The released versions. A name that different releases use for different versions occurs several times.
  var versions: [Version]
  /// The names of all versions that are released, including those that cannot be read.
  var knownNames: Set<String>
  /// The names of the versions in the baseline, which need not be released.
  var namesInBaseline: Set<String> = []
  /// The names of the released versions that are current in the baseline or in a release, that of the baseline first, then
  /// those of the newest releases.
  var currentNames: [String] = []
  var currentNameInBaseline: String?

  /// The released versions, oldest first as far as their releases and names show it.
  var history: [Version] {
    let order = Array(Set(versions.map(\.name))).orderedAsVersions(current: currentNameInBaseline ?? currentNames.first)
    return versions.enumerated().sorted { one, other in
      (one.element.firstRelease, order.firstIndex(of: one.element.name) ?? 0, one.offset)
        < (other.element.firstRelease, order.firstIndex(of: other.element.name) ?? 0, other.offset)
    }.map(\.element)
  }

  /// The released versions that are current somewhere, those that most users have first.
  var currentVersions: [Version] { currentNames.flatMap { name in versions.filter { $0.name == name } } }
}

/// The place of a release in the history of a repository.
enum ReleasePlace {
  case beforeBaseline
  /// Between the baseline and the checked commit.
  case sinceBaseline
  case otherBranch
  /// After the checked commit, or newer than the baseline on the branch to merge into: the release only shows which of the
  /// checked commit's versions are released.
  case later
}

/// A mapping of a file that was changed or removed, as it was.
struct RemovedMapping {
  /// The revision that has it, for messages.
  var release: String
  /// Its path is that in the project.
  var mapping: MappingSource
}

/// The state that a project is compared with.
struct Baseline {
  /// In words, for messages: `'main' (1b2c3d4)`.
  var title: String
  var models: [ReleasedModel]
  /// The mappings of files that were changed or removed, as they were.
  var removedMappings: [RemovedMapping] = []
  /// Notes about files that could not be compared, each with the path.
  var notes: [(name: String, diagnostic: Diagnostic)] = []
  /// Those about what is gone since before the baseline.
  var oldNotes: [Diagnostic] = []
  /// The absolute paths of the files and folders that differ; `nil` if all count as changed.
  var changedFiles: Set<String>?
  /// The folder that paths in reports of a repository start from.
  var root: String?
  /// True if only the versions of releases count.
  var hasReleases = false

  /// True if a file, or something in a folder, differs from the baseline.
  func isChanged(_ path: String) -> Bool {
    guard let changedFiles else { return true }
    // Git names a new submodule only as a whole.
    return changedFiles.contains(path)
      || changedFiles.contains { $0.hasPrefix("\(path)/") || path.hasPrefix("\($0)/") }
  }
}
