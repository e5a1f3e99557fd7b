import HeavyliftModel

/// Why a mapping is taken to be for a model. Later cases are better.
enum MappingEvidence: Int, Comparable {
  /// The model has everything that the mapping names.
  case names
  /// The mapping lists exactly what the model has, as one does that was made for it.
  case everyName
  /// Xcode noted the name of this version, but the model was edited after the mapping.
  case notedName
  /// The mapping names the model.
  case modelName
  /// A checksum, version hashes, fingerprints or a model inside the file identify this version.
  case version

  static func < (lhs: MappingEvidence, rhs: MappingEvidence) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Whether a mapping is for a model, and why or why not.
enum MappingVerdict {
  case fits(MappingEvidence)
  /// Each reason in words, the gravest first.
  ///
  /// `isMeant` is true for a file that says it is for these versions but does not match them as they are: another
  /// mapping must not take its place unnoticed.
  case refused([String], isMeant: Bool)
}

/// A version of the model, with the hashes that it is compared by.
struct KnownVersion {
  let model: ManagedObjectModel
  let hashes: [String: VersionHash]

  init(_ model: ManagedObjectModel) {
    self.model = model
    hashes = model.versionHashes
  }

  var shownName: String { model.name.map(\.quotedName) ?? "without a name" }
}

/// Compares what a mapping file says about its models with a pair of versions.
struct MappingTrial {
  let candidate: MappingCandidate
  let mapping: MappingModel
  /// The version hashes of the models that the file carries.
  let carried: [MappingSide: [String: VersionHash]]
  let source: KnownVersion
  let destination: KnownVersion
  /// Every version that the file may be for, these two among them.
  let versions: [KnownVersion]

  /// The verdict about both models: the weaker evidence counts.
  func verdict() -> MappingVerdict {
    var (reasons, isMeant) = ([String](), true)
    var evidence = MappingEvidence.version
    for side in [MappingSide.source, .destination] {
      switch verdict(side) {
      case .fits(let found):
        evidence = min(evidence, found)
        if found < .notedName { isMeant = false }
      case .refused(let found, let isForThis):
        reasons += found
        if !isForThis { isMeant = false }
      }
    }
    if !reasons.isEmpty { return .refused(reasons, isMeant: isMeant) }
    // Names that Xcode noted may be out of date, so everything that the mapping names must exist, too.
    if evidence >= .modelName { return .fits(evidence) }
    let missing = mapping.missingNames(from: source.model, to: destination.model)
    if !missing.isEmpty { return .refused(missing.map { "there is no \($0)" }, isMeant: isMeant) }
    if evidence != .everyName { return .fits(evidence) }
    return .fits(listsEverything ? .everyName : .names)
  }

  private func verdict(_ side: MappingSide) -> MappingVerdict {
    let version = side == .source ? source : destination
    let reference = side == .source ? mapping.source : mapping.destination
    if let hashes = candidate.versionHashes[side], !hashes.isEmpty { return verdict(hashes, side, version) }
    if isCarryingVersions, let hashes = carried[side] {
      if hashes == version.hashes { return .fits(.version) }
      if let other = versions.first(where: { $0.hashes == hashes }) {
        return .refused(["it carries version \(other.shownName) as its \(side.rawValue) model"], isMeant: false)
      }
    }
    guard candidate.kind != .written || reference.checksum != nil || !reference.fingerprints.isEmpty else {
      return verdict(written: reference, side, version)
    }
    guard reference.checksum == nil, reference.fingerprints.isEmpty else {
      return verdict(pinned: reference, side, version)
    }
    return verdict(noted: reference, side, version)
  }

  /// A mapping that was added right after a version was duplicated carries the same model twice, which says nothing.
  private var isCarryingVersions: Bool { carried[.source] != carried[.destination] }

  // MARK: Kinds of statements

  private func verdict(
    written reference: ModelReference, _ side: MappingSide, _ version: KnownVersion
  ) -> MappingVerdict {
    if let mismatch = mapping.mismatch(of: side, source: source.model, destination: destination.model),
      mismatch.severity == .error
    {
      return .refused([mismatch.problem], isMeant: false)
    }
    return .fits(reference.name != nil && version.model.name != nil ? .modelName : .everyName)
  }

  private func verdict(
    pinned reference: ModelReference, _ side: MappingSide, _ version: KnownVersion
  ) -> MappingVerdict {
    guard let mismatch = mapping.mismatch(of: side, source: source.model, destination: destination.model),
      mismatch.severity == .error
    else { return .fits(.version) }
    let isNamed = reference.name != nil && reference.name == version.model.name
    return .refused([mismatch.problem], isMeant: isNamed)
  }

  /// What Xcode noted: the path of the model, and the model as it was when the mapping was last edited.
  private func verdict(
    noted reference: ModelReference, _ side: MappingSide, _ version: KnownVersion
  ) -> MappingVerdict {
    if let name = reference.name, versions.contains(where: { $0.model.name == name }) {
      guard version.model.name != name else { return .fits(.notedName) }
      return .refused(["its \(side.rawValue) model is \(name.quotedName)"], isMeant: false)
    }
    // No version has that name any more: the version that resembles the embedded model most is the one.
    guard isCarryingVersions, let model = candidate.carriedModels[side] else { return .fits(.everyName) }
    let embedded = ModelReference(fingerprints: model.fingerprints)
    let distances = versions.map { embedded.changes(in: $0.model).count }
    let own = embedded.changes(in: version.model).count
    guard let nearest = distances.indices.min(by: { distances[$0] < distances[$1] }), distances[nearest] < own else {
      return .fits(.everyName)
    }
    return .refused(
      ["the \(side.rawValue) model inside it resembles version \(versions[nearest].shownName) more"], isMeant: false)
  }

  /// A compiled mapping states the version hash of each entity that it maps.
  private func verdict(
    _ stated: [String: VersionHash], _ side: MappingSide, _ version: KnownVersion
  ) -> MappingVerdict {
    let reasons = stated.keys.sorted().compactMap { name -> String? in
      guard let hash = version.hashes[name] else {
        return "there is no entity \(name.quotedName) of the \(side.rawValue) model"
      }
      if hash == stated[name] { return nil }
      return "entity \(name.quotedName) of the \(side.rawValue) model is of another version"
    }
    if reasons.isEmpty { return .fits(.version) }
    let missing = mapping.missingNames(from: source.model, to: destination.model).filter { $0.side == side }
    return .refused(reasons + missing.filter { $0.property != nil }.map { "there is no \($0)" }, isMeant: false)
  }

  /// Whether each destination property is listed: Xcode lists all of them.
  private var listsEverything: Bool {
    guard mapping.copying == .listed else { return false }
    let destination = destination.model
    return mapping.entityMappings.allSatisfy { mapping in
      guard let entity = destination.entity(named: mapping.destinationEntityName ?? "") else { return true }
      let names =
        destination.allAttributes(of: entity).map(\.name) + destination.allRelationships(of: entity).map(\.name)
      return Set(names) == Set(mapping.propertyMappings.map(\.name))
    }
  }
}
