import Foundation
import Heavylift

/// The frozen versions of a schema: a bundle of models, a file with their checksums, and small stores next to it.
struct FrozenVersions {
  let path: String
  private let url: URL
  /// The bundle; empty if there is none yet.
  private(set) var bundle: ModelBundle
  private(set) var checksums: ChecksumFile
  /// The names of the versions whose recorded checksum changes.
  private var replaced: Set<String> = []

  init(path: String, _ io: CommandIO) throws {
    guard io.url(path).pathExtension == "xcdatamodeld" else {
      throw Diagnostic(
        .error, code: "schema.not-a-bundle", problem: "\(path.quotedName) is not the name of a bundle of models",
        remedy: "write a name that ends with '.xcdatamodeld'")
    }
    self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
    url = io.url(path)
    let files = FileManager.default
    if files.fileExists(atPath: url.path) {
      bundle = try ModelBundle(contentsOf: url, file: self.path)
      let mistakes = bundle.diagnostics.filter { $0.severity == .error }
      guard mistakes.isEmpty else { throw DiagnosticList(mistakes) }
    } else {
      bundle = ModelBundle(versions: [], currentVersionName: nil)
    }
    checksums = ChecksumFile()
    guard files.fileExists(atPath: checksumURL.path) else { return }
    let data: Data
    do {
      data = try Data(contentsOf: checksumURL)
    } catch {
      throw Diagnostic.unreadable("file \(checksumPath.quotedName)", because: error)
    }
    checksums = try ChecksumFile(text: String(decoding: data, as: UTF8.self), file: checksumPath)
  }

  /// The file of the checksums: `Music.checksums` next to `Music.xcdatamodeld`.
  var checksumPath: String { (path as NSString).deletingPathExtension + ".checksums" }

  private var checksumURL: URL { url.deletingPathExtension().appendingPathExtension("checksums") }

  func model(named name: String) -> ManagedObjectModel? { bundle.versions.first { $0.name == name }?.model }

  /// The path of a version's model, for messages.
  func path(ofVersion name: String) -> String { "\(path)/\(name).xcdatamodel" }

  /// The path of a version's store: `Music 1.sqlite` next to the bundle.
  func storePath(ofVersion name: String) -> String {
    ((path as NSString).deletingLastPathComponent as NSString).appendingPathComponent("\(name).sqlite")
  }

  /// Adds a version, or replaces the one with that name. The bundle's current version is the one that was added last.
  mutating func freeze(_ version: ModelBundle.Version) {
    replaced.formUnion(checksums.checksums[version.name] == version.model.versionChecksum ? [] : [version.name])
    checksums.checksums[version.name] = version.model.versionChecksum
    if let index = bundle.versions.firstIndex(where: { $0.name == version.name }) {
      bundle.versions[index] = version
    } else {
      bundle.versions.append(version)
      bundle.currentVersionName = version.name
    }
  }

  /// Makes the newest version the current one: a bundle of several versions names one.
  mutating func nameCurrentVersion() { bundle.currentVersionName = bundle.versions.last?.name }

  /// Returns the error about a model that does not have its recorded checksum.
  func disagreement(about name: String, _ model: ManagedObjectModel) -> Diagnostic {
    Diagnostic(
      .error, code: "schema.checksum-disagrees",
      problem: "frozen version \(name.quotedName) has changed: its checksum is \(model.versionChecksum), but "
        + "\(checksumPath.quotedName) records \(checksums.checksums[name] ?? "none")",
      remedy:
        "restore \(path(ofVersion: name).quotedName) from your repository; or, if there are no stores of this version "
        + "yet, record the change with 'schema freeze --replace'")
  }

  /// Writes the bundle, then the checksums, so that an interruption leaves versions without a checksum, which
  /// `schema check` reports.
  ///
  /// The checksums of replaced versions are removed first: otherwise, these versions would seem to have been edited. The
  /// other way around, new versions would seem to be missing.
  func write() throws {
    if FileManager.default.fileExists(atPath: checksumURL.path), !replaced.isEmpty {
      try write(checksums.without(replaced))
    }
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw Diagnostic(
        .error, code: "file.unwritable", problem: "the folder \(path.quotedName) cannot be created",
        remedy: "check that you have permission to write there, and that no file has that name")
    }
    try bundle.write(to: url)
    try write(checksums)
  }

  private func write(_ checksums: ChecksumFile) throws {
    try OutputFile.write(to: checksumURL, shownAs: checksumPath) { sink in
      try Data(checksums.text.utf8).withUnsafeBytes { try sink.write($0) }
    }
  }
}
