import HeavyliftModel

extension CompiledMapping {
  /// Returns a diagnostic for each entity that has changed in the two models since the mapping was compiled.
  ///
  /// A compiled mapping records the version hash of every entity that it maps; Core Data uses these hashes to find the
  /// mapping for two models. A hash does not show what changed within an entity; to find out, compare the models.
  package func changes(source: ManagedObjectModel, destination: ManagedObjectModel) -> [Diagnostic] {
    Self.changes(sourceEntityVersionHashes, source, "source")
      + Self.changes(destinationEntityVersionHashes, destination, "destination")
  }

  private static func changes(
    _ stated: [String: VersionHash], _ model: ManagedObjectModel, _ kind: String
  ) -> [Diagnostic] {
    let hashes = model.entityVersionHashes()
    return stated.sorted { $0.key < $1.key }.compactMap { name, hash in
      guard let own = hashes[name] else {
        return Diagnostic(
          .warning, code: "mapping-file.model-changed", problem: "\(kind) entity '\(name)' is no longer in the model",
          remedy: model.entities.map(\.name).suggestion(for: name, kind: "entity"))
      }
      if own.hash == hash { return nil }
      return Diagnostic(
        own.isAssumed ? .note : .warning, code: "mapping-file.model-changed",
        problem: "\(kind) entity '\(name)' has a different version hash than when the mapping was compiled",
        remedy: own.isAssumed
          ? "part of this model's hash is an assumption, so the two hashes may still be the same"
          : "pass the model version that the mapping was compiled for, or check that the mapping fits this one")
    }
  }
}
