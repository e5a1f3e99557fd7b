public import Foundation
public import HeavyliftModel
import HeavyliftArchive

/// The models at a path, in any supported format: source or compiled, one version or many.
///
/// ```swift
/// let source = try ModelSource(path: "Library.xcdatamodeld", url: url)
/// print(source.versions.map(\.name), source.currentVersionName ?? "none is current")
/// ```
public struct ModelSource: Sendable {
  /// The kinds of models.
  public enum Kind: String, Hashable, Sendable {
    case bundle = "xcdatamodeld"
    case model = "xcdatamodel"
    case contents
    case compiledBundle = "momd"
    case compiledModel = "mom"
  }

  /// One version of a model.
  public struct Version: Sendable {
    public var name: String
    public var model: ManagedObjectModel
    /// The diagnostics about the version's file, if it was read separately.
    public var diagnostics: [Diagnostic]
  }

  /// The path as given.
  public let path: String
  public let kind: Kind
  public private(set) var versions: [Version] = []
  public private(set) var currentVersionName: String?
  /// The diagnostics about the files; the models themselves are not checked.
  public private(set) var diagnostics: [Diagnostic] = []

  /// Reads the models at a path.
  ///
  /// - Parameters:
  ///   - path: The path to use in messages.
  ///   - url: The location of the file or folder.
  public init(path: String, url: URL) throws {
    self.path = path
    kind = try Self.kind(path, url)
    switch kind {
    case .bundle:
      let bundle = try ModelBundle(contentsOf: url, file: path)
      versions = bundle.versions.map { Version(name: $0.name, model: $0.model, diagnostics: []) }
      currentVersionName = bundle.currentVersionName
      diagnostics = bundle.diagnostics
    case .model, .contents:
      let reading = try ModelReader.read(contentsOf: url, file: path)
      add(reading.model, named: reading.model.name ?? Self.baseName(url), reading.diagnostics)
    case .compiledBundle:
      let bundle = try CompiledModelBundle(contentsOf: url)
      for version in bundle.versions { add(version.model, named: version.model.name ?? "?", version.diagnostics) }
      currentVersionName = bundle.versionInfo.currentVersionName
      diagnostics = bundle.diagnostics + diagnostics
    case .compiledModel:
      var compiled = try CompiledModel(contentsOf: url)
      let name = Self.baseName(url)
      let folder = url.deletingLastPathComponent()
      // `VersionInfo.plist` next to the model has the hashes that the model compiler computed.
      let info = try? VersionInfo(contentsOf: folder.appending(path: "VersionInfo.plist"))
      if folder.pathExtension == "momd", let hashes = info?.versionHashes[name] {
        compiled = compiled.stating(hashes, by: "'VersionInfo.plist'")
      }
      add(compiled.model, named: name, compiled.diagnostics)
    }
    for index in versions.indices where versions[index].model.name == nil {
      versions[index].model.name = versions[index].name
    }
  }

  private mutating func add(_ model: ManagedObjectModel, named name: String, _ diagnostics: [Diagnostic]) {
    versions.append(Version(name: name, model: model, diagnostics: diagnostics))
    self.diagnostics += diagnostics
  }

  /// Returns the versions. Throws the files' mistakes if they have any, because such models may be incomplete.
  public func validVersions() throws(DiagnosticList) -> [Version] {
    guard !diagnostics.hasErrors else { throw DiagnosticList(diagnostics.filter { $0.severity == .error }) }
    return versions
  }

  /// Returns the version with that name; without a name, the only version or the current one.
  ///
  /// - Parameters:
  ///   - name: The name of the version.
  ///   - option: The option that takes a name, such as `--from`, for the message that asks for a name.
  public func version(named name: String? = nil, option: String? = nil) throws -> Version {
    if let name {
      // Shell completion yields the folder's name, including its extension.
      let wanted = name.hasSuffix(".xcdatamodel") ? String(name.dropLast(".xcdatamodel".count)) : name
      if let version = versions.first(where: { $0.name == wanted }) { return version }
      throw Diagnostic(
        .error, code: "model-file.unknown-version", problem: "'\(path)' has no version '\(name)'",
        remedy: versions.map(\.name).suggestion(forVersion: wanted))
    }
    if versions.count == 1 { return versions[0] }
    if let current = versions.first(where: { $0.name == currentVersionName }) { return current }
    throw Diagnostic(
      .error, code: "model-file.no-current-version",
      problem: "'\(path)' has \(versions.count) versions, none of which is marked as current",
      remedy: "choose one: "
        + versions.map { "\(option.map { "\($0) " } ?? "")'\($0.name)'" }.joined(separator: ", "))
  }

  private static func baseName(_ url: URL) -> String { url.deletingPathExtension().lastPathComponent }
}
