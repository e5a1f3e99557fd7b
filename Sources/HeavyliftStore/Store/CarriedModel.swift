import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite

/// The model in a store's `Z_MODELCACHE`.
package enum CarriedModel {
  case none
  /// A model whose version hashes match the store's.
  case current(ManagedObjectModel)
  /// A model of another version than the store.
  case stale
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
    guard Set(compiled.model.entities.map(\.name)) == Set(metadata.versionHashes.keys) else { return .stale }
    let computed = compiled.model.entityVersionHashes(ignoringStated: true)
    let isCurrent = metadata.versionHashes.allSatisfy { name, hash in
      computed[name].map { $0.hash == hash || $0.isAssumed } ?? false
    }
    guard isCurrent else { return .stale }
    var model = compiled.model
    model.name = url.deletingPathExtension().lastPathComponent
    return .current(model)
  }
}
