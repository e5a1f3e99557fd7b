import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite

extension StoreFile {
  /// Finds out which model the store was written with: by its version hashes; failing that by the model that it carries;
  /// failing that by its tables and columns. Never guesses.
  public func version(among models: [ManagedObjectModel]) throws -> StoreVersion {
    let byHashes = models.flatMap { model in
      let hashes = model.versionHashes
      return configurations(of: model).filter { hashesMatch(hashes, in: $0.map(model.entityNames(of:))) }.prefix(1)
        .map { StoreVersion.Fit(model: model, evidence: .versionHashes, configuration: $0) }
    }
    if let answer = Self.answer(byHashes) { return answer }
    if case .current(let own) = try carriedModel() {
      return .one(StoreVersion.Fit(model: own, evidence: .modelCache, configuration: nil))
    }
    let byStructure = try models.flatMap { model in
      // Tables say less than hashes do: a store that was certainly written with another version stays one.
      let hashes = model.entityVersionHashes()
      return try configurations(of: model).filter {
        guard !isContradicted(by: hashes, in: $0.map(model.entityNames(of:))) else { return false }
        return try structureDifferences(model.restricted(to: $0)).isEmpty
      }
      .prefix(1).map { StoreVersion.Fit(model: model, evidence: .structure, configuration: $0) }
    }
    if let answer = Self.answer(byStructure) { return answer }
    let misfits = try models.map { StoreVersion.Misfit(model: $0, reasons: try reasonsAgainst($0)) }
    return .none(misfits.sorted { $0.reasons.count < $1.reasons.count })
  }

  /// The model that the store was written with, or an error that says why there is none or more than one.
  public func model(among models: [ManagedObjectModel]) throws -> StoreVersion.Fit {
    switch try version(among: models) {
    case .one(let fit): return fit
    case .several(let fits): throw ambiguity(of: fits)
    case .none(let misfits): throw refusal(of: misfits)
    }
  }

  /// The model that the store carries; nil if it carries none, or a stale one that is not the store's version.
  ///
  /// Throws if the store carries a model that cannot be read.
  public func cachedModel() throws -> ManagedObjectModel? {
    switch try carriedModel() {
    case .none, .stale: return nil
    case .current(let model): return model
    case .unreadable(let reason): throw reason
    }
  }

  /// One fit is an answer, and so are several that state the same; otherwise there is none yet.
  private static func answer(_ fits: [StoreVersion.Fit]) -> StoreVersion? {
    guard let first = fits.first else { return nil }
    return fits.allSatisfy { $0.model == first.model } ? .one(first) : .several(fits)
  }

  private func configurations(of model: ManagedObjectModel) -> [String?] {
    [nil] + model.configurations.map(\.name)
  }

  /// Whether the store states a hash that the model certainly does not have.
  private func isContradicted(by hashes: [String: EntityVersionHash], in members: Set<String>?) -> Bool {
    metadata.versionHashes.contains { name, stored in
      guard members?.contains(name) ?? true, let own = hashes[name] else { return true }
      return own.hash != stored && !own.isAssumed
    }
  }

  private func hashesMatch(_ hashes: [String: VersionHash], in members: Set<String>?) -> Bool {
    let compared = members.map { members in hashes.filter { members.contains($0.key) } } ?? hashes
    return !metadata.versionHashes.isEmpty && compared == metadata.versionHashes
  }
}
