public import Foundation
public import HeavyliftModel

/// The versions of a model in an `.xcdatamodeld`.
///
/// ```swift
/// var bundle = try ModelBundle(contentsOf: URL(filePath: "Library.xcdatamodeld"))
/// print(bundle.versions.map(\.name), bundle.currentVersionName)
/// bundle.currentVersionName = "Library 3"
/// try bundle.write(to: URL(filePath: "Library.xcdatamodeld"))
/// ```
public struct ModelBundle: Sendable {
  /// One version of the model.
  public struct Version: Sendable {
    /// The name of the version's folder without the extension: `Library 2`.
    public var name: String
    public var model: ManagedObjectModel

    /// Creates a version.
    public init(name: String, model: ManagedObjectModel) {
      self.name = name
      self.model = model
    }
  }

  /// The versions, oldest first as far as their names show it: `Library`, `Library 2`, `Library 10`. A name that would follow
  /// the current version's, and does not begin like it, comes first.
  public var versions: [Version]
  /// The name of the current version, which programs are built with; nil if the bundle has several versions and names
  /// none as the current one, or names one that could not be read.
  public var currentVersionName: String?
  /// Diagnostics about the files.
  public var diagnostics: [Diagnostic]
  /// The file that names the current version, as it was read.
  private var currentVersionFile: CurrentVersionFile?

  /// Creates a bundle.
  public init(versions: [Version], currentVersionName: String?) {
    self.versions = versions
    self.currentVersionName = currentVersionName
    diagnostics = []
  }

  /// The current version, which programs are built with.
  public var currentVersion: Version? { versions.first { $0.name == currentVersionName } }

  /// Reads every version of a bundle.
  ///
  /// Throws if no version can be read at all. A version that cannot be read is omitted; `diagnostics` lists the
  /// reason, along with the mistakes in the other versions.
  public init(contentsOf url: URL, file: String? = nil) throws(DiagnosticList) {
    let name = file ?? url.relativePath
    self.init(versions: [], currentVersionName: nil)
    for version in try Self.versionNames(in: url, name: name) {
      do {
        let reading = try Self.read(version, in: url, name: name)
        versions.append(Version(name: version, model: reading.model))
        diagnostics += reading.diagnostics
      } catch {
        diagnostics += error.diagnostics
      }
    }
    guard !versions.isEmpty else { throw DiagnosticList(diagnostics) }
    findCurrentVersion(in: url, name: name)
    let order = versions.map(\.name).orderedAsVersions(current: currentVersionName)
    versions = order.compactMap { name in versions.first { $0.name == name } }
    diagnostics = diagnostics.sortedByPlace()
  }

  /// Reads a version of the bundle at a URL.
  static func read(_ version: String, in url: URL, name: String) throws(DiagnosticList) -> ModelReading {
    let folder = url.appending(path: "\(version).xcdatamodel", directoryHint: .isDirectory)
    return try ModelReader.read(contentsOf: folder, .found, file: "\(name)/\(version).xcdatamodel")
  }

  /// Returns the names of the versions in the bundle at a URL, in Finder's order.
  static func versionNames(in url: URL, name: String) throws(DiagnosticList) -> [String] {
    let path = url.path(percentEncoded: false)
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw DiagnosticList([unreadable(name, because: error)])
    }
    let versions = names.filter { $0.hasSuffix(".xcdatamodel") }.map { String($0.dropLast(".xcdatamodel".count)) }
    guard !versions.isEmpty else {
      throw DiagnosticList([
        Diagnostic(
          .error, code: "model-file.no-versions", problem: "the folder '\(name)' contains no model version",
          remedy: "pass an .xcdatamodeld folder with .xcdatamodel folders inside")
      ])
    }
    return versions.sorted { $0.precedesAsCounted($1) }
  }

  private static func unreadable(_ name: String, because error: any Error) -> Diagnostic {
    let remedy = "pass an .xcdatamodeld folder"
    return switch SystemErrorNumber(error)?.value {
    case ENOENT: Diagnostic(.error, code: "file.missing", problem: "there is no folder '\(name)'", remedy: remedy)
    case ENOTDIR: Diagnostic(.error, code: "file.not-a-folder", problem: "'\(name)' is not a folder", remedy: remedy)
    default: .unreadable("the folder '\(name)'", because: error)
    }
  }

  private mutating func findCurrentVersion(in url: URL, name: String) {
    let file = "\(name)/\(CurrentVersionFile.name)"
    // Xcode does not write the file until a second version is added.
    let onlyOne = versions.count == 1 ? versions[0].name : nil
    do {
      currentVersionFile = try CurrentVersionFile(in: url, file: file)
    } catch {
      diagnostics += error.diagnostics
      currentVersionName = onlyOne
      return
    }
    guard let named = currentVersionFile?.versionName else {
      currentVersionName = onlyOne
      if onlyOne == nil {
        report(
          .warning, "no-current-version", "'\(name)' has several versions, none of which is marked as current",
          "name one in \(CurrentVersionFile.name), or choose a version")
      }
      return
    }
    if versions.contains(where: { $0.name == named }) {
      currentVersionName = named
    } else if !FileManager.default.fileExists(
      atPath: url.appending(path: "\(named).xcdatamodel").path(percentEncoded: false))
    {
      diagnostics.append(Self.unknownCurrentVersion(named, name, among: versions.map(\.name)))
    }
  }

  static func unknownCurrentVersion(_ version: String, _ bundle: String, among names: [String]) -> Diagnostic {
    Diagnostic(
      .error, code: "model-file.unknown-current-version",
      problem: "'\(bundle)/\(CurrentVersionFile.name)' names version '\(version)', which does not exist",
      remedy: names.suggestion(forVersion: version))
  }

  private mutating func report(
    _ severity: Diagnostic.Severity, _ code: String, _ problem: String, _ remedy: String
  ) {
    diagnostics.append(Diagnostic(severity, code: "model-file.\(code)", problem: problem, remedy: remedy))
  }

  /// Returns the current version alone, for callers that want one model.
  func currentReading() throws(DiagnosticList) -> ModelReading {
    if let currentVersion {
      return ModelReading(model: currentVersion.model, diagnostics: diagnostics)
    }
    let errors = diagnostics.filter { $0.severity == .error || $0.code == "model-file.no-current-version" }
    throw DiagnosticList(errors)
  }
}

extension ModelBundle {
  /// Writes every version and the name of the current one; each file is replaced atomically.
  ///
  /// Unknown files in the folder are not touched, and neither are versions that the bundle no longer has: removing
  /// models is the user's decision.
  ///
  /// Throws, and writes nothing, if a version's name is a duplicate or cannot be the name of a folder, or if no
  /// version has the current version's name.
  public func write(to url: URL) throws(DiagnosticList) {
    let obstacles = obstaclesToWriting(url)
    guard obstacles.isEmpty else { throw DiagnosticList(obstacles) }
    for version in versions {
      let folder = url.appending(path: "\(version.name).xcdatamodel", directoryHint: .isDirectory)
      try ModelWriter.write(version.model, to: folder)
    }
    let isNeeded = versions.count > 1 || currentVersionFile != nil
    guard let currentVersionName, isNeeded else { return }
    try (currentVersionFile ?? CurrentVersionFile()).naming(currentVersionName).write(in: url)
  }

  private func obstaclesToWriting(_ url: URL) -> [Diagnostic] {
    var obstacles: [Diagnostic] = []
    func refuse(_ problem: String, _ remedy: String?) {
      obstacles.append(
        Diagnostic(.error, code: "model-file.unwritable-bundle", problem: problem, remedy: remedy))
    }
    var names: Set<String> = []
    for name in versions.map(\.name) {
      if ["", ".", ".."].contains(name) || name.contains("/") || name.contains("\0") {
        refuse(
          "version '\(name)' cannot be the name of a folder",
          "choose a name that is not empty, '.' or '..', and contains no '/'")
      } else if !names.insert(name).inserted {
        refuse("two versions are named '\(name)'", "rename one of them")
      }
    }
    // The folder may contain the current version even if that version could not be read.
    if obstacles.isEmpty, let currentVersionName, !names.contains(currentVersionName) {
      let folder = url.appending(path: "\(currentVersionName).xcdatamodel").path(percentEncoded: false)
      if !FileManager.default.fileExists(atPath: folder) {
        refuse(
          "the current version '\(currentVersionName)' does not exist",
          versions.map(\.name).suggestion(forVersion: currentVersionName))
      }
    }
    return obstacles
  }
}
