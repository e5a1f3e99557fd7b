import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite

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
