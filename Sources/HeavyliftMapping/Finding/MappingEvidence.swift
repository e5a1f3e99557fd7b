import HeavyliftConcurrency
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

/// The model versions that mapping files may be for.
final class KnownVersions: Sendable {
  let models: [ManagedObjectModel]
  let names: Set<String>
  private let placesByHashes: Deferred<[[String: VersionHash]: Int]>

  init(_ models: [ManagedObjectModel]) {
    self.models = models
    names = Set(models.compactMap(\.name))
    placesByHashes = Deferred {
      Dictionary(zip(models.map(\.versionHashes), models.indices), uniquingKeysWith: { first, _ in first })
    }
  }

  /// Returns the first version with these hashes.
  func first(having hashes: [String: VersionHash]) -> ManagedObjectModel? {
    placesByHashes.value[hashes].map { models[$0] }
  }
}

/// The version hashes of the models that a mapping file embeds.
struct CarriedHashes {
  let hashes: [MappingSide: [String: VersionHash]]
  /// False for a mapping that was added right after a version was duplicated: it embeds the same model twice, which
  /// identifies neither version.
  let areVersions: Bool

  init(_ candidate: MappingCandidate) {
    hashes = candidate.carriedModels.mapValues(\.versionHashes)
    areVersions = hashes[.source] != hashes[.destination]
  }
}

/// Compares a mapping file's information about its models with a pair of versions.
struct MappingTrial {
  let candidate: MappingCandidate
  let mapping: MappingModel
  let carried: CarriedHashes
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  /// Other versions that the file may be for.
  let known: KnownVersions

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
    let missing = mapping.missingNames(from: source, to: destination)
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
    if carried.areVersions, let hashes = carried.hashes[side] {
      if hashes == version.versionHashes { return .fits(.version) }
      let others = [source, destination].lazy.filter { $0.versionHashes == hashes }
      if let other = known.first(having: hashes) ?? others.first {
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

  // MARK: Kinds of evidence

  private func verdict(
    written reference: ModelReference, _ side: MappingSide, _ version: ManagedObjectModel
  ) -> MappingVerdict {
    // Without a checksum or fingerprints, only the model's name can be compared.
    guard let name = reference.name, let other = version.name else { return .fits(.everyName) }
    return name == other ? .fits(.modelName) : .refused({ mismatch(side) }, isMeant: false)
  }

  private func verdict(
    pinned reference: ModelReference, _ side: MappingSide, _ version: ManagedObjectModel
  ) -> MappingVerdict {
    // If there is a checksum, it decides: differences that only fingerprints show do not matter here.
    let fits = reference.checksum.map { $0 == version.versionChecksum } ?? mismatch(side).isEmpty
    if fits { return .fits(.version) }
    let isNamed = reference.name != nil && reference.name == version.name
    return .refused({ mismatch(side) }, isMeant: isNamed)
  }

  /// Returns the reason why one side's model is not the one that the mapping was written for; empty if there is none.
  private func mismatch(_ side: MappingSide) -> [String] {
    guard let mismatch = mapping.mismatch(of: side, source: source, destination: destination),
      mismatch.severity == .error
    else { return [] }
    return [mismatch.problem]
  }

  /// Returns the verdict based on Xcode's records: the model's path, and the model as it was when the mapping was last
  /// edited.
  private func verdict(
    noted reference: ModelReference, _ side: MappingSide, _ version: ManagedObjectModel
  ) -> MappingVerdict {
    if let name = reference.name, known.names.contains(name) || [source.name, destination.name].contains(name) {
      guard version.name != name else { return .fits(.notedName) }
      return .refused({ ["its \(side.rawValue) model is \(name.quotedName)"] }, isMeant: false)
    }
    // If no version has that name, those are meant whose entities have the mapped hashes, or else the one most similar to
    // the embedded model.
    guard carried.areVersions, let model = candidate.carriedModels[side] else { return .fits(.everyName) }
    let mapped = candidate.mappedHashes(side)
    let versions = known.models + [source, destination]
    let fitting =
      mapped.isEmpty
      ? [] : versions.filter { version in mapped.allSatisfy { version.versionHashes[$0.key] == $0.value } }
    if let other = fitting.first {
      guard fitting.contains(where: { $0.versionHashes == version.versionHashes }) else {
        return .refused(
          { ["the entities of its \(side.rawValue) model are those of version \(other.shownName)"] }, isMeant: false)
      }
      if fitting.allSatisfy({ $0.versionHashes == version.versionHashes }) { return .fits(.version) }
    }
    let similar = fitting.isEmpty ? versions : fitting
    let embedded = ModelReference(fingerprints: model.fingerprints)
    let distances = similar.map { embedded.changes(in: $0).count }
    let own = embedded.changes(in: version).count
    guard let nearest = distances.indices.min(by: { distances[$0] < distances[$1] }), distances[nearest] < own else {
      return .fits(.everyName)
    }
    let other = similar[nearest].shownName
    return .refused(
      { ["the \(side.rawValue) model inside it resembles version \(other) more"] }, isMeant: false)
  }

  /// Returns the verdict based on the version hashes that a compiled mapping has for each entity it maps.
  private func verdict(
    _ stated: [String: VersionHash], _ side: MappingSide, _ version: ManagedObjectModel
  ) -> MappingVerdict {
    let reasons = stated.keys.sorted().compactMap { name -> String? in
      guard let hash = version.versionHashes[name] else {
        return "the \(side.rawValue) model has no entity \(name.quotedName)"
      }
      if hash == stated[name] { return nil }
      return "entity \(name.quotedName) of the \(side.rawValue) model has another version hash"
    }
    if reasons.isEmpty { return .fits(.version) }
    return .refused(
      {
        let missing = mapping.missingNames(from: source, to: destination).filter { $0.side == side }
        return reasons + missing.filter { $0.property != nil }.map(\.sentence)
      }, isMeant: false)
  }

  /// True if every destination property is listed: Xcode lists all of them.
  private var listsEverything: Bool {
    guard mapping.copying == .listed else { return false }
    return mapping.entityMappings.allSatisfy { mapping in
      guard let entity = destination.entity(named: mapping.destinationEntityName) else { return true }
      let names =
        destination.allAttributes(of: entity).map(\.name) + destination.allRelationships(of: entity).map(\.name)
      return Set(names) == Set(mapping.propertyMappings.map(\.name))
    }
  }
}

extension ManagedObjectModel {
  fileprivate var shownName: String { name.map(\.quotedName) ?? "without a name" }
}
