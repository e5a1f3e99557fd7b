import HeavyliftModel

/// The evidence that a mapping is for a model. Later cases are stronger.
enum MappingEvidence: Int, Comparable {
  /// The model has every name in the mapping.
  case names
  /// The mapping lists exactly the model's properties, as a mapping made for this model would.
  case everyName
  /// Xcode recorded the name of this version; the model may have been edited since.
  case notedName
  /// The mapping names the model.
  case modelName
  /// A checksum, version hashes, fingerprints or an embedded model identify this version.
  case version

  static func < (lhs: MappingEvidence, rhs: MappingEvidence) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// The decision on whether a mapping is for a model, with the evidence or the reasons against it.
enum MappingVerdict {
  case fits(MappingEvidence)
  /// The reasons in words, most serious first. They are computed only for a message: comparing models property by
  /// property takes time, and most files are for other versions.
  ///
  /// `isMeant` is true for a file that claims to be for these versions but does not match them: another mapping must
  /// not silently replace it.
  case refused(() -> [String], isMeant: Bool)
}

/// A model version that a mapping file may be for.
struct KnownVersion {
  let model: ManagedObjectModel

  init(_ model: ManagedObjectModel) { self.model = model }

  var hashes: [String: VersionHash] { model.versionHashes }

  var shownName: String { model.name.map(\.quotedName) ?? "without a name" }
}

/// Compares a mapping file's information about its models with a pair of versions.
struct MappingTrial {
  let candidate: MappingCandidate
  let mapping: MappingModel
  /// The version hashes of the embedded models.
  let carried: [MappingSide: [String: VersionHash]]
  let source: KnownVersion
  let destination: KnownVersion
  /// Other versions that the file may be for.
  let known: [KnownVersion]
  /// All versions that the file may be for.
  private var versions: [KnownVersion] { known + [source, destination] }

  /// Returns the verdict on both models: the weaker evidence counts.
  func verdict() -> MappingVerdict {
    var (reasons, isMeant) = ([() -> [String]](), true)
    var evidence = MappingEvidence.version
    for side in [MappingSide.source, .destination] {
      switch verdict(side) {
      case .fits(let found):
        evidence = min(evidence, found)
        if found < .notedName { isMeant = false }
      case .refused(let found, let isForThis):
        reasons.append(found)
        if !isForThis { isMeant = false }
      }
    }
    if !reasons.isEmpty { return .refused({ [reasons] in reasons.flatMap { $0() } }, isMeant: isMeant) }
    // Names recorded by Xcode may be out of date, so every name in the mapping must also exist.
    if evidence >= .modelName { return .fits(evidence) }
    let missing = mapping.missingNames(from: source.model, to: destination.model)
    if !missing.isEmpty { return .refused({ missing.map(\.sentence) }, isMeant: isMeant) }
    if evidence != .everyName { return .fits(evidence) }
    return .fits(listsEverything ? .everyName : .names)
  }

  /// Returns true if the file says that it is for the version of one side.
  func isClaim(_ side: MappingSide) -> Bool {
    switch verdict(side) {
    case .fits(let evidence): evidence >= .notedName
    case .refused(_, let isMeant): isMeant
    }
  }

  private func verdict(_ side: MappingSide) -> MappingVerdict {
    let version = side == .source ? source : destination
    let reference = side == .source ? mapping.source : mapping.destination
    if let hashes = candidate.versionHashes[side], !hashes.isEmpty { return verdict(hashes, side, version) }
    if isCarryingVersions, let hashes = carried[side] {
      if hashes == version.hashes { return .fits(.version) }
      if let other = versions.first(where: { $0.hashes == hashes }) {
        return .refused({ ["it contains version \(other.shownName) as its \(side.rawValue) model"] }, isMeant: false)
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

  /// False for a mapping that was added right after a version was duplicated: it embeds the same model twice, which
  /// identifies neither version.
  private var isCarryingVersions: Bool { carried[.source] != carried[.destination] }

  // MARK: Kinds of evidence

  private func verdict(
    written reference: ModelReference, _ side: MappingSide, _ version: KnownVersion
  ) -> MappingVerdict {
    // Without a checksum or fingerprints, only the model's name can be compared.
    guard let name = reference.name, let other = version.model.name else { return .fits(.everyName) }
    return name == other ? .fits(.modelName) : .refused({ mismatch(side) }, isMeant: false)
  }

  private func verdict(
    pinned reference: ModelReference, _ side: MappingSide, _ version: KnownVersion
  ) -> MappingVerdict {
    // If there is a checksum, it decides: differences that only fingerprints show do not matter here.
    let fits = reference.checksum.map { $0 == version.model.versionChecksum } ?? mismatch(side).isEmpty
    if fits { return .fits(.version) }
    let isNamed = reference.name != nil && reference.name == version.model.name
    return .refused({ mismatch(side) }, isMeant: isNamed)
  }

  /// Returns the reason why one side's model is not the one that the mapping was written for; empty if there is none.
  private func mismatch(_ side: MappingSide) -> [String] {
    guard let mismatch = mapping.mismatch(of: side, source: source.model, destination: destination.model),
      mismatch.severity == .error
    else { return [] }
    return [mismatch.problem]
  }

  /// Returns the verdict based on Xcode's records: the model's path, and the model as it was when the mapping was last
  /// edited.
  private func verdict(
    noted reference: ModelReference, _ side: MappingSide, _ version: KnownVersion
  ) -> MappingVerdict {
    if let name = reference.name, versions.contains(where: { $0.model.name == name }) {
      guard version.model.name != name else { return .fits(.notedName) }
      return .refused({ ["its \(side.rawValue) model is \(name.quotedName)"] }, isMeant: false)
    }
    // If no version has that name, those are meant whose entities have the mapped hashes, or else the one most similar to
    // the embedded model.
    guard isCarryingVersions, let model = candidate.carriedModels[side] else { return .fits(.everyName) }
    let mapped = candidate.mappedHashes(side)
    let fitting =
      mapped.isEmpty ? [] : versions.filter { version in mapped.allSatisfy { version.hashes[$0.key] == $0.value } }
    if let other = fitting.first {
      guard fitting.contains(where: { $0.hashes == version.hashes }) else {
        return .refused(
          { ["the entities of its \(side.rawValue) model are those of version \(other.shownName)"] }, isMeant: false)
      }
      if fitting.allSatisfy({ $0.hashes == version.hashes }) { return .fits(.version) }
    }
    let versions = fitting.isEmpty ? versions : fitting
    let embedded = ModelReference(fingerprints: model.fingerprints)
    let distances = versions.map { embedded.changes(in: $0.model).count }
    let own = embedded.changes(in: version.model).count
    guard let nearest = distances.indices.min(by: { distances[$0] < distances[$1] }), distances[nearest] < own else {
      return .fits(.everyName)
    }
    let other = versions[nearest].shownName
    return .refused(
      { ["the \(side.rawValue) model inside it resembles version \(other) more"] }, isMeant: false)
  }

  /// Returns the verdict based on the version hashes that a compiled mapping has for each entity it maps.
  private func verdict(
    _ stated: [String: VersionHash], _ side: MappingSide, _ version: KnownVersion
  ) -> MappingVerdict {
    let reasons = stated.keys.sorted().compactMap { name -> String? in
      guard let hash = version.hashes[name] else {
        return "the \(side.rawValue) model has no entity \(name.quotedName)"
      }
      if hash == stated[name] { return nil }
      return "entity \(name.quotedName) of the \(side.rawValue) model has another version hash"
    }
    if reasons.isEmpty { return .fits(.version) }
    return .refused(
      {
        let missing = mapping.missingNames(from: source.model, to: destination.model).filter { $0.side == side }
        return reasons + missing.filter { $0.property != nil }.map(\.sentence)
      }, isMeant: false)
  }

  /// True if every destination property is listed: Xcode lists all of them.
  private var listsEverything: Bool {
    guard mapping.copying == .listed else { return false }
    let destination = destination.model
    return mapping.entityMappings.allSatisfy { mapping in
      guard let entity = destination.entity(named: mapping.destinationEntityName) else { return true }
      let names =
        destination.allAttributes(of: entity).map(\.name) + destination.allRelationships(of: entity).map(\.name)
      return Set(names) == Set(mapping.propertyMappings.map(\.name))
    }
  }
}
