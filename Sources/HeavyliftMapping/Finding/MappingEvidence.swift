import HeavyliftModel

/// Why a mapping is taken to be for a model. What comes later is better.
enum MappingEvidence: Int, Comparable {
  /// The model has all that the mapping names.
  case names
  /// The mapping lists just what the model has, as one does that was made for it.
  case everyName
  /// The mapping names the model.
  case modelName
  /// A checksum, version hashes, fingerprints or a model that the file carries say that it is this version.
  case version

  static func < (lhs: MappingEvidence, rhs: MappingEvidence) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Whether a mapping is for a model, and why or why not.
enum MappingVerdict {
  case fits(MappingEvidence)
  /// Each reason in words, the gravest first.
  case refused([String])
}

/// Compares what a mapping file says of its models with a pair of models.
struct MappingTrial {
  let candidate: MappingCandidate
  let mapping: MappingModel
  let source: ManagedObjectModel
  let destination: ManagedObjectModel

  /// The verdict about both models: the weaker evidence counts.
  func verdict() -> MappingVerdict {
    let sides = [verdict(.source, mapping.source, source), verdict(.destination, mapping.destination, destination)]
    var reasons: [String] = []
    var evidence = MappingEvidence.version
    for side in sides {
      switch side {
      case .fits(let found): evidence = min(evidence, found)
      case .refused(let found): reasons += found
      }
    }
    if !reasons.isEmpty { return .refused(reasons) }
    // The names that Xcode noted may be out of date: all that the mapping names must be there, too.
    let isSure = evidence == .version || evidence == .modelName && candidate.kind == .written
    if isSure { return .fits(evidence) }
    let missing = mapping.missingNames(from: source, to: destination)
    if !missing.isEmpty { return .refused(missing.map { "there is no \($0)" }) }
    if evidence != .everyName { return .fits(evidence) }
    return .fits(listsEverything ? .everyName : .names)
  }

  private func verdict(
    _ side: MappingSide, _ reference: ModelReference, _ model: ManagedObjectModel
  ) -> MappingVerdict {
    if let hashes = candidate.versionHashes[side], !hashes.isEmpty { return verdict(hashes, side, model) }
    if let carried = candidate.carriedModels[side], carried.versionHashes == model.versionHashes {
      return .fits(.version)
    }
    if candidate.kind != .written, reference.checksum == nil, reference.fingerprints.isEmpty {
      return .fits(reference.name != nil && reference.name == model.name ? .modelName : .everyName)
    }
    if let mismatch = mapping.mismatch(of: side, source: source, destination: destination),
      mismatch.severity == .error
    {
      return .refused([mismatch.problem])
    }
    if reference.checksum != nil || !reference.fingerprints.isEmpty { return .fits(.version) }
    return .fits(reference.name != nil && model.name != nil ? .modelName : .everyName)
  }

  /// The entities that a compiled mapping knows are of the version that it knows.
  private func verdict(
    _ stated: [String: VersionHash], _ side: MappingSide, _ model: ManagedObjectModel
  ) -> MappingVerdict {
    let hashes = model.versionHashes
    let reasons = stated.keys.sorted().compactMap { name -> String? in
      guard let hash = hashes[name] else {
        return "there is no entity \(name.quotedName) of the \(side.rawValue) model"
      }
      if hash == stated[name] { return nil }
      return "entity \(name.quotedName) of the \(side.rawValue) model is of another version"
    }
    if reasons.isEmpty { return .fits(.version) }
    let missing = mapping.missingNames(from: source, to: destination).filter { $0.side == side }
    return .refused(reasons + missing.filter { $0.property != nil }.map { "there is no \($0)" })
  }

  /// Whether each destination property is listed: Xcode lists all that there are.
  private var listsEverything: Bool {
    guard mapping.copying == .listed else { return false }
    return mapping.entityMappings.allSatisfy { mapping in
      guard let entity = destination.entity(named: mapping.destinationEntityName ?? "") else { return true }
      let names =
        destination.allAttributes(of: entity).map(\.name) + destination.allRelationships(of: entity).map(\.name)
      return Set(names) == Set(mapping.propertyMappings.map(\.name))
    }
  }
}
