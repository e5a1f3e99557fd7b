import Heavylift
import HeavyliftModel

/// A model as users have it: in a revision of the repository, or in a copy of the released app.
struct ReleasedModel {
  struct Version {
    var name: String
    /// The revision that has it, for messages: `v1.2`.
    var release: String
    var model: ManagedObjectModel
  }

  /// The path in the project: `App/Music.xcdatamodeld`.
  var path: String
  /// The released versions, in Finder's order.
  var versions: [Version]
  /// The names of all versions that were there, released or not.
  var knownNames: Set<String>
  var currentVersionName: String?

  var currentVersion: Version? { versions.first { $0.name == currentVersionName } }
}

/// The state that a project is compared with.
struct Baseline {
  /// In words, for messages: `'main' (1b2c3d4)`.
  var title: String
  var models: [ReleasedModel]
  /// Notes about what could not be compared.
  var notes: [Diagnostic] = []
  /// The absolute paths of the files that differ; `nil` if all count as changed.
  var changedFiles: Set<String>?
  /// The folder that paths in reports of a repository start from.
  var root: String?

  /// True if a file, or something in a folder, differs from the baseline.
  func isChanged(_ path: String) -> Bool {
    guard let changedFiles else { return true }
    return changedFiles.contains(path) || changedFiles.contains { $0.hasPrefix("\(path)/") }
  }
}
