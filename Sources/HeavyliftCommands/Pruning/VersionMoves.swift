import Foundation
import Heavylift
import HeavyliftModel

/// The files that leave an app's bundle, and their new places.
struct VersionMoves {
  struct Move: Hashable {
    var from: String
    var to: String
  }

  /// The folders of the versions, then the mapping files.
  let files: [Move]
  private let versions: [ModelBundle.Version]
  private var frozen: FrozenVersions
  private let bundle: String

  init(_ pruning: VersionPruning, _ history: BundleHistory, to frozen: FrozenVersions, _ io: CommandIO) throws {
    self.frozen = frozen
    bundle = history.source.path.hasSuffix("/") ? String(history.source.path.dropLast()) : history.source.path
    versions = pruning.pruned.map { ModelBundle.Version(name: $0.name, model: $0.model) }
    let folder = (frozen.path as NSString).deletingLastPathComponent as NSString
    let models = versions.map { [bundle] in
      Move(from: "\(bundle)/\($0.name).xcdatamodel", to: frozen.path(ofVersion: $0.name))
    }
    let mappings = pruning.files.map { file in
      let path = history.path(of: file)
      return Move(from: path, to: folder.appendingPathComponent((path as NSString).lastPathComponent))
    }
    files = models + mappings.filter { io.url($0.from).standardizedFileURL != io.url($0.to).standardizedFileURL }
  }

  /// Returns the errors about places that are taken, and names that the file of the checksums cannot contain.
  func obstacles(_ io: CommandIO) -> [Diagnostic] {
    let taken = files.filter { FileManager.default.fileExists(atPath: io.url($0.to).path) }
    var obstacles = taken.map { move in
      Diagnostic(
        .error, code: "prune.taken",
        problem: "\(move.from.quotedName) cannot be moved: there is already \(move.to.quotedName)",
        remedy: "move to another bundle, or remove one of the two if they are the same")
    }
    let places = Dictionary(grouping: files) { io.url($0.to).standardizedFileURL.path }
    obstacles += places.values.filter { $0.count > 1 }.map { moves in
      Diagnostic(
        .error, code: "prune.taken",
        problem: "\(moves.map(\.from).quotedPaths) would have the same place: \(moves[0].to.quotedName)",
        remedy: "rename one of them")
    }
    if io.url(frozen.path).standardizedFileURL == io.url(bundle).standardizedFileURL {
      obstacles = [
        Diagnostic(
          .error, code: "prune.taken", problem: "the versions are in \(bundle.quotedName) already",
          remedy: "move them to another bundle")
      ]
    }
    obstacles += versions.filter { !ChecksumFile.canList($0.name) }.map { version in
      Diagnostic(
        .error, code: "schema.impossible-version-name",
        problem: "the file of the checksums cannot contain a version named \(version.name.quotedName)",
        remedy: "rename the version: a name has no line breaks and does not begin with a space")
    }
    return obstacles
  }

  /// Moves all files, and records the versions' checksums. If one of them cannot be moved, moves the others back.
  func carryOut(_ io: CommandIO) throws {
    guard !files.isEmpty else { return }
    let manager = FileManager.default
    var done: [Move] = []
    do {
      try manager.createDirectory(at: io.url(frozen.path), withIntermediateDirectories: true)
      for move in files {
        try manager.moveItem(at: io.url(move.from), to: io.url(move.to))
        done.append(move)
      }
      var frozen = try FrozenVersions(path: frozen.path, io)
      for version in versions { frozen.freeze(version) }
      if frozen.bundle.currentVersionName == nil { frozen.nameCurrentVersion() }
      try frozen.write()
    } catch {
      let stuck = done.reversed().filter { (try? manager.moveItem(at: io.url($0.to), to: io.url($0.from))) == nil }
      let failed = files.dropFirst(done.count).first
      throw Diagnostic(
        .error, code: "prune.not-moved",
        problem: failed.map { "\($0.from.quotedName) cannot be moved to \($0.to.quotedName): " } ?? ""
          + ErrorReport(error).diagnostics.map(\.problem).joined(separator: "; "),
        remedy: stuck.isEmpty
          ? "check the permissions of both folders; nothing was moved"
          : "check the permissions of both folders, and move these back: \(stuck.map(\.to).quotedPaths)")
    }
  }

  /// The Xcode projects near the bundle that name one of the moved files.
  func projects(_ io: CommandIO) -> [String] {
    let names = files.map { ($0.from as NSString).lastPathComponent }
    var folder = (bundle as NSString).deletingLastPathComponent
    // A bundle is a few folders below its project.
    for _ in 0..<4 {
      let contents =
        (try? FileManager.default.contentsOfDirectory(atPath: io.url(folder.isEmpty ? "." : folder).path)) ?? []
      let found = contents.filter { $0.hasSuffix(".xcodeproj") }.sorted().map {
        (folder as NSString).appendingPathComponent("\($0)/project.pbxproj")
      }
      if !found.isEmpty {
        return found.filter { path in
          let text = (try? String(contentsOf: io.url(path), encoding: .utf8)) ?? ""
          return names.contains { text.contains($0) }
        }
      }
      folder = (folder as NSString).appendingPathComponent("..")
    }
    return []
  }
}
