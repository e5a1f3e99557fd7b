import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite

/// The result of looking for the model that a store was written with.
public enum StoreVersion: Sendable {
  /// The evidence that a model fits.
  public enum Evidence: String, Hashable, Sendable {
    /// The hashes in the metadata are those of the model.
    case versionHashes = "version hashes"
    /// The store contains the model, and its tables fit it.
    case modelCache = "own model"
    /// The tables and columns are the model's; the store records no hashes.
    case structure
  }

  /// A model that fits.
  public struct Fit: Hashable, Sendable {
    /// The model.
    public var model: ManagedObjectModel
    /// The reason to believe that the model fits.
    public var evidence: Evidence
    /// The configuration of the model that the store holds; nil for all entities.
    public var configuration: String?
    /// Other models that fit as well, because they differ only in parameters that a store does not record.
    public var twins: [ManagedObjectModel] = []
    /// The names of the model and its twins: `'Library 2' (the same as 'Library 3')`.
    public var title: String { StoreVersion.title(of: model, twins) }
  }

  /// A model that does not fit, and the reasons.
  public struct Misfit: Hashable, Sendable {
    /// The model.
    public var model: ManagedObjectModel
    /// The reasons in words, one per entity: how the store's entity differs from the model's.
    public var reasons: [String]
  }

  package static func title(of model: ManagedObjectModel, _ twins: [ManagedObjectModel]) -> String {
    let name = model.title.quotedName
    let others = twins.map { $0.title.quotedName }.filter { $0 != name }
    return others.isEmpty ? name : "\(name) (the same as \(others.joined(separator: ", ")))"
  }

  /// Exactly one model fits.
  case one(Fit)
  /// Several models fit equally well.
  case several([Fit])
  /// The nearest model first.
  case none([Misfit])
}

/// The model in a store's `Z_MODELCACHE`.
package enum CarriedModel {
  case none
  /// A model whose version hashes match the store's.
  case current(ManagedObjectModel)
  /// A model of another version than the store, and the entities that differ, sorted by name.
  case stale(differing: [String])
  case unreadable(Diagnostic)
}

extension StoreFile {
  /// Reads the model that the store embeds.
  package func carriedModel() throws -> CarriedModel {
    guard hasModelCache, case .blob(let content)? = try database.firstValue("SELECT Z_CONTENT FROM Z_MODELCACHE") else {
      return .none
    }
    let compiled: CompiledModel
    do {
      // The hashes in the store's metadata override computed hashes that are only assumed.
      compiled = try CompiledModel(modelCache: content, subject: "the model that '\(url.lastPathComponent)' contains")
        .stating(metadata.versionHashes, by: "the store's metadata")
    } catch {
      return .unreadable(error)
    }
    let computed = compiled.model.entityVersionHashes(ignoringStated: true)
    let differing = Set(computed.keys).union(metadata.versionHashes.keys).filter {
      computed[$0]?.hash != metadata.versionHashes[$0]
    }
    let certain = differing.filter { metadata.versionHashes[$0] == nil || computed[$0]?.isAssumed != true }
    guard certain.isEmpty else { return .stale(differing: certain.sorted()) }
    // An assumed hash proves nothing: the columns decide.
    guard try differing.isEmpty || hasColumns(of: compiled.model) else { return .stale(differing: differing.sorted()) }
    var model = compiled.model
    model.name = url.deletingPathExtension().lastPathComponent
    return .current(model)
  }

  /// True if the store has every table and column of a model. It may have more: in-place migrations leave some behind.
  private func hasColumns(of model: ManagedObjectModel) throws -> Bool {
    do {
      _ = try layout(of: model, configuration: nil)
      return true
    } catch let diagnostic as Diagnostic
      where ["store.missing-table", "store.missing-column", "store.missing-entity"].contains(diagnostic.code)
    {
      return false
    }
  }
}

extension ManagedObjectModel {
  /// Returns the entities of a configuration; empty if there is no such configuration.
  func entityNames(of configuration: String) -> Set<String> {
    configurations.first { $0.name == configuration }?.entityNames ?? []
  }

  /// Throws for an unknown configuration: a typo must not create a store without entities.
  package func requireConfiguration(_ name: String) throws {
    guard !configurations.contains(where: { $0.name == name }) else { return }
    throw Diagnostic(
      .error, code: "store.unknown-configuration", problem: "the model has no configuration '\(name)'",
      remedy: configurations.map(\.name).suggestion(for: name, kind: "configuration"))
  }

  /// Returns the model with only the entities of a configuration; the whole model for nil.
  package func restricted(to configuration: String?) -> ManagedObjectModel {
    guard let configuration else { return self }
    let members = entityNames(of: configuration)
    var model = self
    model.entities = entities.filter { members.contains($0.name) }
    return model
  }
}
