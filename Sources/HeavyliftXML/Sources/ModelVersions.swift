public import Foundation
import HeavyliftArchive
import HeavyliftConcurrency
public import HeavyliftModel

/// The versions of a model in a bundle, source or compiled, each of which is read when it is first needed.
///
/// ```swift
/// let versions = try ModelVersions(contentsOf: URL(filePath: "Library.xcdatamodeld"))
/// let manager = IncrementalMigrationManager(versions: versions)
/// ```
///
/// To read and check all files, use `ModelSource`.
public struct ModelVersions: Sendable {
  /// One version of the model.
  public struct Version: Sendable {
    /// The name of the version's file or folder, without the extension: `Library 2`.
    public let name: String
    /// The version hashes in `VersionInfo.plist`; `nil` if only the version's own file has them.
    private let statedHashes: [String: VersionHash]?
    /// Returns the contents of the file with the names of all entities and properties, if it is XML.
    private let text: (@Sendable () throws -> Data)?
    private let reading: Deferred<Result<ManagedObjectModel, any Error>>

    init(
      _ name: String, statedHashes: [String: VersionHash]? = nil, text: (@Sendable () throws -> Data)? = nil,
      read: @escaping @Sendable () throws -> ManagedObjectModel
    ) {
      self.name = name
      self.statedHashes = statedHashes
      self.text = text
      reading = Deferred { Result { try read() } }
    }

    /// Returns the version's model; throws if its file cannot be read or has mistakes.
    public func model() throws -> ManagedObjectModel { try reading.value.get() }

    /// Returns false if the version's stated hashes show that it has others than these. Reads no file.
    package func mayHave(_ hashes: [String: VersionHash]) -> Bool {
      // The hash of an entity that is not listed is computed.
      statedHashes.map { stated in hashes.allSatisfy { stated[$0.key] == nil || stated[$0.key] == $0.value } } ?? true
    }

    /// Returns false if the names in the version's file show that it has other hashes than all that cover these names.
    /// Does not parse the file.
    package func mayHave(_ names: inout HashedNames) -> Bool {
      guard statedHashes == nil, let data = try? text?() else { return true }
      return names.mayBe(inXML: data)
    }
  }

  /// The versions, oldest first as far as their names show it: `Library`, `Library 2`, `Library 10`. A name that would follow
  /// the current version's, and does not begin like it, comes first.
  public let versions: [Version]
  /// The name of the current version, which programs are built with; `nil` if the bundle has several versions and names
  /// none as the current one.
  public let currentVersionName: String?

  /// Finds the versions in an `.xcdatamodeld` or a `.momd`, without reading them.
  ///
  /// Throws if the folder cannot be read or has no versions, or if the file that names the current version has mistakes.
  public init(contentsOf url: URL) throws {
    try self.init(path: url.relativePath, url: url)
  }

  /// - Parameters:
  ///   - path: The path to use in messages.
  ///   - observer: Called with the name of each version whose file is read. For tests.
  package init(path: String, url: URL, observer: (@Sendable (String) -> Void)? = nil) throws {
    (versions, currentVersionName) =
      switch try ModelSource.kind(path, url) {
      case .bundle: try Self.sources(in: url, path, observer)
      case .compiledBundle: try Self.compiled(in: url, observer)
      case .model, .contents, .compiledModel: try Self.single(path, url)
      }
  }

  private static func sources(
    in url: URL, _ path: String, _ observer: (@Sendable (String) -> Void)?
  ) throws -> ([Version], String?) {
    let versions = try ModelBundle.versionNames(in: url, name: path).map { name in
      Version(name) {
        try RegularFile.read(url.appending(path: "\(name).xcdatamodel/contents", directoryHint: .notDirectory))
      } read: {
        observer?(name)
        return try ModelBundle.read(name, in: url, name: path).validModel()
      }
    }
    let named = try CurrentVersionFile(in: url, file: "\(path)/\(CurrentVersionFile.name)")?.versionName
    guard let named else { return (versions, versions.count == 1 ? versions[0].name : nil) }
    let names = versions.map(\.name)
    guard names.contains(named) else { throw ModelBundle.unknownCurrentVersion(named, path, among: names) }
    let order = names.orderedAsVersions(current: named)
    return (order.compactMap { name in versions.first { $0.name == name } }, named)
  }

  private static func compiled(
    in url: URL, _ observer: (@Sendable (String) -> Void)?
  ) throws -> ([Version], String?) {
    let (info, files) = try CompiledModelBundle.contents(of: url)
    let versions = files.map { file in
      let name = (file as NSString).deletingPathExtension
      return Version(
        name, statedHashes: info.versionHashes[name],
        read: {
          observer?(name)
          return try CompiledModelBundle.model(url.appending(path: file), info)
        })
    }
    return (versions, info.currentVersionName)
  }

  private static func single(_ path: String, _ url: URL) throws -> ([Version], String?) {
    let versions = try ModelSource(path: path, url: url).validVersions().map { version in
      Version(version.name, read: { version.model })
    }
    return (versions, versions.first?.name)
  }

  /// The current version, or else the last one.
  package var target: Version? { versions.first { $0.name == currentVersionName } ?? versions.last }

  /// Returns the models of all versions; throws the mistakes of all files together.
  public func models() throws -> [ManagedObjectModel] {
    var (models, diagnostics) = ([ManagedObjectModel](), [Diagnostic]())
    for version in versions {
      do {
        models.append(try version.model())
      } catch let list as DiagnosticList {
        diagnostics += list.diagnostics
      } catch let diagnostic as Diagnostic {
        diagnostics.append(diagnostic)
      }
    }
    guard diagnostics.isEmpty else { throw DiagnosticList(diagnostics) }
    return models
  }
}
