import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite

extension StoreFile {
  /// Finds the model that the store was written with: by its version hashes, or else by the model that it embeds, or
  /// else by its tables and columns. Never guesses.
  ///
  /// Models that differ only in parameters that a store does not record, such as default values and class names, are
  /// one version: the result is the preferred model, or else the last of them, with the others as its twins.
  ///
  /// Some hashes can only be assumed. Where no other hash differs, the store's own model decides, or else its columns.
  ///
  /// - Parameters:
  ///   - models: The versions, the oldest first.
  ///   - preferred: The model to choose if the store cannot distinguish it from others.
  public func version(
    among models: [ManagedObjectModel], preferring preferred: ManagedObjectModel? = nil
  ) throws -> StoreVersion {
    let byHashes = models.compactMap(fitByHashes)
    // The hashes, and perhaps an identifier, are all that a store records about its model.
    if !byHashes.isEmpty {
      let identified = try withFittingColumns(identified(byHashes))
      guard identified.isEmpty else { return .one(Self.choice(among: identified, preferred)) }
      let stored = metadata.versionID ?? ""
      return .none(
        byHashes.map { fit in
          StoreVersion.Misfit(
            model: fit.model,
            reasons: [
              "the store has the version ID \(stored.quotedName), and not \((fit.model.versionID ?? "").quotedName)"
            ])
        })
    }
    let own: ManagedObjectModel? = if case .current(let model) = try carriedModel() { model } else { nil }
    let ownHashes = own?.entityVersionHashes(ignoringStated: true).mapValues(\.hash)
    let byStructure = try models.flatMap { model in
      // Tables prove less than hashes: a model is excluded if its hashes show that the store has another version.
      let hashes = model.entityVersionHashes()
      return try configurations(of: model).filter {
        let members = $0.map(model.entityNames(of:))
        guard !isContradicted(by: hashes, in: members) else { return false }
        guard let ownHashes else { return try structureDifferences(model.restricted(to: $0)).isEmpty }
        let computed = model.entityVersionHashes(ignoringStated: true).filter { members?.contains($0.key) ?? true }
        return computed.mapValues(\.hash) == ownHashes
      }
      .prefix(1).map { StoreVersion.Fit(model: model, evidence: .structure, configuration: $0) }
    }
    if let first = byStructure.first {
      let areTwins = byStructure.allSatisfy { $0.model.hasSameVersionHashes(as: first.model) }
      return areTwins ? .one(Self.choice(among: byStructure, preferred)) : .several(byStructure)
    }
    if let own { return .one(StoreVersion.Fit(model: own, evidence: .modelCache, configuration: nil)) }
    let misfits = try models.map { (model: $0, reasons: try reasonsAgainst($0)) }.sorted { one, other in
      let (count, otherCount) = (one.reasons.reduce(0) { $0 + $1.count }, other.reasons.reduce(0) { $0 + $1.count })
      return (one.reasons.count, count) < (other.reasons.count, otherCount)
    }
    return .none(misfits.map { StoreVersion.Misfit(model: $0.model, reasons: $0.reasons.map(\.text)) })
  }

  /// Returns the fit of a model that has the store's version hashes, all of them or those of a configuration; `nil` if it
  /// has others.
  package func fitByHashes(_ model: ManagedObjectModel) -> StoreVersion.Fit? {
    let stored = metadata.versionHashes
    guard !stored.isEmpty, stored.keys.allSatisfy({ model.entity(named: $0) != nil }) else { return nil }
    return configurations(of: model).first { configuration in
      let members = configuration.map(model.entityNames(of:))
      // Most versions have other entities, which takes no hash to find out.
      let names = Set(model.entities.lazy.map(\.name).filter { members?.contains($0) ?? true })
      return names.count == stored.count && stored.allSatisfy { names.contains($0) && model.versionHashes[$0] == $1 }
    }
    .map { StoreVersion.Fit(model: model, evidence: .versionHashes, configuration: $0) }
  }

  /// Returns the model that the store was written with; throws if none or more than one matches.
  public func model(
    among models: [ManagedObjectModel], preferring preferred: ManagedObjectModel? = nil
  ) throws -> StoreVersion.Fit {
    switch try version(among: models, preferring: preferred) {
    case .one(let fit): return fit
    case .several(let fits): throw ambiguity(of: fits)
    case .none(let misfits): throw refusal(of: misfits)
    }
  }

  /// Returns the model that the store embeds; nil if it has none, or a stale one of another version.
  ///
  /// Throws if the embedded model cannot be read.
  public func cachedModel() throws -> ManagedObjectModel? {
    switch try carriedModel() {
    case .none, .stale: return nil
    case .current(let model): return model
    case .unreadable(let reason): throw reason
    }
  }

  /// Returns the models that have the store's version ID.
  ///
  /// A store without one was written before the author had to distinguish versions, or by another program: it has the
  /// oldest version. A model without one accepts every store, unless another model has the store's ID.
  private func identified(_ fits: [StoreVersion.Fit]) -> [StoreVersion.Fit] {
    guard let stored = metadata.versionID else {
      return fits.filter { $0.model.versionID == fits.first?.model.versionID }
    }
    let exact = fits.filter { $0.model.versionID == stored }
    return exact.isEmpty ? fits.filter { $0.model.versionID == nil } : exact
  }

  /// Returns those models whose columns the store has, or all of them if there are none.
  ///
  /// The names of derived and composite attributes are not hashed, nor does a hash show if a relationship without an
  /// inverse has become its own inverse. So models with the same hashes can have different columns.
  private func withFittingColumns(_ fits: [StoreVersion.Fit]) throws -> [StoreVersion.Fit] {
    guard fits.count > 1 else { return fits }
    let fitting = try fits.filter { try structureDifferences($0.model.restricted(to: $0.configuration)).isEmpty }
    return fitting.isEmpty ? fits : fitting
  }

  /// Returns one of several models that the store cannot distinguish.
  private static func choice(
    among fits: [StoreVersion.Fit], _ preferred: ManagedObjectModel?
  ) -> StoreVersion.Fit {
    let place = fits.lastIndex { $0.model.name == preferred?.name && $0.model == preferred } ?? fits.count - 1
    var fit = fits[place]
    fit.twins = fits.indices.filter { $0 != place }.map { fits[$0].model }
    return fit
  }

  private func configurations(of model: ManagedObjectModel) -> [String?] {
    [nil] + model.configurations.map(\.name)
  }

  /// Returns true if the store records a hash that the model certainly does not have.
  private func isContradicted(by hashes: [String: EntityVersionHash], in members: Set<String>?) -> Bool {
    metadata.versionHashes.contains { name, stored in
      guard members?.contains(name) ?? true, let own = hashes[name] else { return true }
      return own.hash != stored && !own.isAssumed
    }
  }
}
