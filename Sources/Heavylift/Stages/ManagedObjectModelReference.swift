public import Foundation
public import HeavyliftModel
import HeavyliftXML

/// A version of a model: the model, or where to find it, and the checksum that it must have.
///
/// ```swift
/// let music2 = ManagedObjectModelReference(name: "Music 2", in: bundleURL, versionChecksum: "kk8XL4OkE7gYLFHTrH6W…")
/// print(try music2.resolvedModel.entities.map(\.name))
/// ```
public struct ManagedObjectModelReference: Hashable, Sendable {
  private enum Place: Hashable, Sendable {
    case model(ManagedObjectModel)
    case file(URL)
    case named(String, in: URL)
    case hashes([String: VersionHash], in: URL)
    /// Among the versions of the manager.
    case listed
  }

  private let place: Place
  /// The checksum that the model must have, as in a store's metadata and in `VersionInfo.plist`.
  public let versionChecksum: String
  /// The version's ID, if other versions have the same checksum; see `ManagedObjectModel.versionID`.
  public let versionID: String?

  /// Creates a reference to a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - versionChecksum: The checksum that it must have.
  ///   - versionID: The ID that the version gets, to distinguish it from others with the same checksum.
  public init(model: ManagedObjectModel, versionChecksum: String, versionID: String? = nil) {
    (place, self.versionChecksum, self.versionID) = (.model(model), versionChecksum, versionID ?? model.versionID)
  }

  /// Creates a reference to the model in a file.
  ///
  /// - Parameters:
  ///   - fileURL: An `.xcdatamodel` or `.mom`, or a bundle of several versions, of which the checksum selects one.
  ///   - versionChecksum: The checksum that the model must have.
  ///   - versionID: The ID that the version gets, to distinguish it from others with the same checksum.
  public init(fileURL: URL, versionChecksum: String, versionID: String? = nil) {
    (place, self.versionChecksum, self.versionID) = (.file(fileURL), versionChecksum, versionID)
  }

  /// Creates a reference to a model with a name.
  ///
  /// - Parameters:
  ///   - name: The version's name, without an extension.
  ///   - folder: An `.xcdatamodeld` or `.momd`, or a folder that contains models.
  ///   - versionChecksum: The checksum that the model must have.
  ///   - versionID: The ID that the version gets, to distinguish it from others with the same checksum.
  public init(name: String, in folder: URL, versionChecksum: String, versionID: String? = nil) {
    (place, self.versionChecksum, self.versionID) = (.named(name, in: folder), versionChecksum, versionID)
  }

  /// Creates a reference to the model whose entities have certain version hashes.
  ///
  /// - Parameters:
  ///   - entityVersionHashes: The version hashes by entity name.
  ///   - folder: An `.xcdatamodeld` or `.momd`, or a folder that contains models.
  ///   - versionChecksum: The checksum that the model must have.
  ///   - versionID: The ID that the version gets, to distinguish it from others with the same checksum.
  public init(
    entityVersionHashes: [String: VersionHash], in folder: URL, versionChecksum: String, versionID: String? = nil
  ) {
    (place, self.versionChecksum, self.versionID) = (
      .hashes(entityVersionHashes, in: folder), versionChecksum, versionID
    )
  }

  /// Creates a reference to the model with a checksum, which must be among the versions of the
  /// ``StagedMigrationManager``.
  ///
  /// A tool of your own gets these versions from the models that it is run with.
  ///
  /// - Parameters:
  ///   - versionChecksum: The model's checksum.
  ///   - versionID: The version's ID, if several versions have the same checksum.
  public init(versionChecksum: String, versionID: String? = nil) {
    (place, self.versionChecksum, self.versionID) = (.listed, versionChecksum, versionID)
  }

  /// The model, whose checksum has been checked.
  ///
  /// - Throws: `StagedMigrationError` if there is no such model, or its checksum differs.
  public var resolvedModel: ManagedObjectModel {
    get throws {
      do {
        return try resolve()
      } catch let mistake as StageMistake {
        throw StagedMigrationError([mistake])
      }
    }
  }

  /// Returns the model. Throws a `StageMistake` if there is no such model, or its checksum differs.
  ///
  /// - Parameter versions: The versions that a reference without a place can refer to.
  func resolve(among versions: [ManagedObjectModel] = []) throws -> ManagedObjectModel {
    switch place {
    case .model(let model): return try checked([model], "model \(model.title.quotedName)")
    case .file(let url): return try checked(Self.models(at: url), "\(url.path.quotedName)")
    case .named(let name, let folder):
      let all = try Self.models(at: folder)
      let named = all.filter { $0.name == name }
      guard !named.isEmpty else {
        throw StageMistake.missingModel(
          "\(folder.path.quotedName) has no model \(name.quotedName)",
          remedy: all.compactMap(\.name).suggestion(for: name, kind: "model"))
      }
      return try checked(named, "model \(name.quotedName) in \(folder.path.quotedName)")
    case .hashes(let hashes, let folder):
      let fitting = try Self.models(at: folder).filter { $0.versionHashes == hashes }
      guard !fitting.isEmpty else {
        throw StageMistake.missingModel(
          "no model in \(folder.path.quotedName) has the given version hashes of entities "
            + hashes.keys.sorted().quotedList,
          remedy: "compare them with those of the models: 'heavylift inspect \(folder.lastPathComponent)'")
      }
      return try checked(fitting, "the model with these version hashes in \(folder.path.quotedName)")
    case .listed:
      let fitting = versions.filter { $0.versionChecksum == versionChecksum }
      // Models that were read from files have no ID. The oldest version needs none.
      if let model = fitting.first(where: { versionID == nil || $0.versionID == versionID }) { return model }
      if let model = fitting.last(where: { $0.versionID == nil }) { return try checked([model], "") }
      throw StageMistake.unlistedVersion(
        versionChecksum, known: versions.map { ($0.title, $0.versionChecksum) })
    }
  }

  private func checked(_ models: [ManagedObjectModel], _ title: String) throws -> ManagedObjectModel {
    if var model = models.last(where: { $0.versionChecksum == versionChecksum }) {
      model.versionID = versionID
      return model
    }
    throw StageMistake.wrongChecksum(
      title, expected: versionChecksum, found: models.map { ($0.title, $0.versionChecksum) })
  }

  /// Reads all models at a path: a model, a bundle, or a folder that contains some.
  private static func models(at url: URL) throws -> [ManagedObjectModel] {
    do {
      return try read(url)
    } catch let diagnostic as Diagnostic where diagnostic.code == "model-file.not-a-model" {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
      let files = names.sorted().filter {
        ["xcdatamodeld", "momd", "xcdatamodel", "mom"].contains(($0 as NSString).pathExtension)
      }
      guard !files.isEmpty else { throw StageMistake.unreadableModel(diagnostic) }
      return try files.flatMap { try models(at: url.appending(path: $0)) }
    } catch let diagnostic as Diagnostic {
      throw StageMistake.unreadableModel(diagnostic)
    } catch let list as DiagnosticList {
      throw StageMistake.unreadableModel(list.diagnostics[0])
    }
  }

  private static func read(_ url: URL) throws -> [ManagedObjectModel] {
    try ModelSource(path: url.path, url: url).validVersions().map(\.model)
  }
}
