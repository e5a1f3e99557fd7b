import Foundation
import HeavyliftModel

/// A `.momd` folder: all compiled versions of a model, and the name of the current one.
///
/// ```swift
/// let bundle = try CompiledModelBundle(contentsOf: URL(filePath: "Library.momd"))
/// let current = bundle.currentVersion
/// ```
package struct CompiledModelBundle: Hashable, Sendable {
  /// The versions, oldest first as far as their names show it, each with the hashes that `VersionInfo.plist` states for it.
  package var versions: [CompiledModel]
  package var versionInfo: VersionInfo
  /// Diagnostics about the folder itself; each version has diagnostics of its own.
  package var diagnostics: [Diagnostic]

  /// Reads the folder. If versions cannot be read, throws the errors for all of them together.
  package init(contentsOf url: URL) throws {
    let files = try Self.files(in: url)
    let contents = try Self.contents(of: url, files)
    versionInfo = contents.info
    versions = []
    diagnostics = []
    var errors: [Diagnostic] = []
    for file in contents.versions {
      do {
        var version = try CompiledModel(contentsOf: url.appending(path: file), .found)
        if let name = version.model.name, let hashes = versionInfo.versionHashes[name] {
          version = version.stating(hashes, by: "'VersionInfo.plist'")
          checkChecksum(of: version.model, name: name)
        } else {
          warn("unlisted-version", "'VersionInfo.plist' does not list '\(file)'; its version hashes are computed")
        }
        versions.append(version)
      } catch let diagnostic as Diagnostic {
        errors.append(diagnostic)
      }
    }
    guard errors.isEmpty else { throw DiagnosticList(errors) }
    noteWhatIsMissing(files)
  }

  /// Returns the contents of `VersionInfo.plist`, and the names of the versions' files, oldest first.
  package static func contents(of url: URL) throws -> (info: VersionInfo, versions: [String]) {
    try contents(of: url, files(in: url))
  }

  private static func contents(of url: URL, _ files: [String]) throws -> (info: VersionInfo, versions: [String]) {
    guard files.contains("VersionInfo.plist") else {
      throw Diagnostic(
        .error, code: "archive.no-version-info", problem: "'\(url.lastPathComponent)' has no 'VersionInfo.plist'",
        remedy: "pass a folder that Xcode compiled, or a single .mom file from it")
    }
    let info = try VersionInfo(contentsOf: url.appending(path: "VersionInfo.plist"))
    // Without the extension: a space precedes a period, so `Library 2.mom` would precede `Library.mom`.
    let names = files.filter { $0.hasSuffix(".mom") }.map { String($0.dropLast(".mom".count)) }
    guard !names.isEmpty else {
      throw Diagnostic(
        .error, code: "archive.no-versions", problem: "'\(url.lastPathComponent)' has no compiled model (.mom)",
        remedy: "'VersionInfo.plist' lists \(list(info.versionHashes.keys.sorted()))")
    }
    return (info, names.orderedAsVersions(current: info.currentVersionName).map { "\($0).mom" })
  }

  /// Reads the model of a version, with the hashes that `VersionInfo.plist` states for it.
  package static func model(_ url: URL, _ info: VersionInfo) throws -> ManagedObjectModel {
    let version = try CompiledModel(contentsOf: url, .found)
    guard let name = version.model.name, let hashes = info.versionHashes[name] else { return version.model }
    return version.stating(hashes).model
  }

  /// The current version; nil if the folder does not name one.
  package var currentVersion: CompiledModel? {
    versionInfo.currentVersionName.flatMap { name in versions.first { $0.model.name == name } }
  }

  private static func files(in url: URL) throws -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    } catch {
      let name = "'\(url.lastPathComponent)'"
      throw switch SystemErrorNumber(error)?.value {
      case ENOENT:
        Diagnostic(
          .error, code: "file.missing", problem: "\(name) does not exist",
          remedy: "looked for it in '\(url.deletingLastPathComponent().path)'")
      case ENOTDIR:
        Diagnostic(
          .error, code: "file.not-a-folder", problem: "\(name) is not a folder",
          remedy: "a .momd is a folder of .mom files")
      default: Diagnostic.unreadable(name, because: error)
      }
    }
  }

  private mutating func checkChecksum(of model: ManagedObjectModel, name: String) {
    guard let stated = versionInfo.versionChecksums[name], stated != model.versionChecksum else { return }
    warn("stated-checksum", "'VersionInfo.plist' has a checksum for '\(name)' that does not match its version hashes")
  }

  private mutating func noteWhatIsMissing(_ files: [String]) {
    let names = Set(versions.compactMap(\.model.name))
    for name in versionInfo.versionHashes.keys.sorted() where !names.contains(name) {
      warn("missing-version", "'VersionInfo.plist' lists '\(name)', but there is no '\(name).mom'")
    }
    if let current = versionInfo.currentVersionName, !names.contains(current) {
      warn("missing-version", "the current version '\(current)' is not among the versions")
    }
    for file in files where file.hasSuffix(".omo") {
      diagnostics.append(
        Diagnostic(
          .note, code: "archive.optimized-model",
          problem: "'\(file)' is an optimized copy of a version, in an unsupported format"))
    }
  }

  private mutating func warn(_ code: String, _ problem: String) {
    diagnostics.append(Diagnostic(.warning, code: "archive.\(code)", problem: problem))
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.map { "'\($0)'" }.joined(separator: ", ")
  }
}
