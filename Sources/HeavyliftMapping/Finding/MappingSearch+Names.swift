import HeavyliftModel

/// A mapping file that names at least one unknown model version.
package struct UnmatchedMapping: Hashable, Sendable {
  package var file: String
  /// The names as written in the file.
  package var source: String?
  package var destination: String?
  /// The names of the versions that were probably meant: identical or similar to the names in the file.
  package var likelySource: String?
  package var likelyDestination: String?
  /// A diagnostic for each misspelled name; empty if no version has a similar name.
  package var mistakes: [Diagnostic]
}

extension MappingSearch {
  /// The hand-written files that name an unknown model version.
  ///
  /// Such files would be skipped for every pair of versions. If the name is merely misspelled, inferring a mapping
  /// instead would ignore everything in the file.
  package var unmatched: [UnmatchedMapping] {
    let names = versionNames
    return candidates.compactMap { candidate in
      guard candidate.kind == .written, let mapping = candidate.mappingModel else { return nil }
      let sides = [MappingSide.source, .destination].map { side in
        let reference = side == .source ? mapping.source : mapping.destination
        return Self.resolved(reference, side, among: names, in: mapping)
      }
      guard sides.contains(where: \.isUnknown) else { return nil }
      return UnmatchedMapping(
        file: candidate.file, source: mapping.source.name, destination: mapping.destination.name,
        likelySource: sides[0].likely, likelyDestination: sides[1].likely, mistakes: sides.compactMap(\.mistake))
    }
  }

  /// Returns the mistake of a hand-written file that states other versions although it fits these two: one of them is
  /// unknown, or they are in reverse order. Nothing may be inferred in its place.
  package func misnamed(from source: ManagedObjectModel, to destination: ManagedObjectModel) -> Diagnostic? {
    let names = Set(versionNames)
    for candidate in candidates where candidate.kind == .written {
      guard let mapping = candidate.mappingModel, !mapping.entityMappings.isEmpty,
        mapping.source.checksum == nil, mapping.destination.checksum == nil
      else { continue }
      let (start, end) = (mapping.source.name, mapping.destination.name)
      let isUnknown = [start, end].map { name in name.map { !names.contains($0) } ?? false }
      // If both names are unknown, the file is for another model.
      let isMisnamed = start == source.name && isUnknown[1] || isUnknown[0] && end == destination.name
      let isSwapped = start != nil && start == destination.name && end == source.name
      // Looking up all names in the file takes longer than comparing those of the versions.
      guard isMisnamed || isSwapped,
        mapping.missingNames(from: source, to: destination, suggestsNames: false).isEmpty
      else { continue }
      let location = mapping.markup.location(of: "source")
      let stated =
        "mapping file \(candidate.file.quotedName) leads from \((start ?? "any").quotedName) to "
        + (end ?? "any").quotedName
      if isMisnamed {
        let unknown = isUnknown[0] ? start : end
        let way = "\((source.name ?? "").quotedName) → \((destination.name ?? "").quotedName)"
        return Diagnostic(
          .error, code: "mapping.unknown-version",
          problem: "\(stated), but no version of the model has the name \((unknown ?? "").quotedName); the "
            + "entities and properties in it fit \(way), which has no mapping file",
          remedy: "correct 'source' and 'destination' of 'mapping-model', or move the file to another folder",
          location: location)
      }
      guard !mapping.missingNames(from: destination, to: source, suggestsNames: false).isEmpty else { continue }
      return Diagnostic(
        .error, code: "mapping.swapped-models",
        problem: "\(stated), but the names in it fit only the opposite direction",
        remedy: "swap 'source' and 'destination' of 'mapping-model'", location: location)
    }
    return nil
  }

  /// Returns warnings about hand-written files that state two unknown versions although they fit these two: they are for
  /// another model, or the versions were renamed.
  package func possiblyMisnamed(from source: ManagedObjectModel, to destination: ManagedObjectModel) -> [Diagnostic] {
    let names = Set(versionNames)
    return candidates.compactMap { candidate in
      guard candidate.kind == .written, let mapping = candidate.mappingModel, !mapping.entityMappings.isEmpty,
        mapping.source.checksum == nil, mapping.destination.checksum == nil,
        let start = mapping.source.name, let end = mapping.destination.name,
        !names.contains(start), !names.contains(end),
        mapping.missingNames(from: source, to: destination, suggestsNames: false).isEmpty
      else { return nil }
      return Diagnostic(
        .warning, code: "mapping.unknown-version",
        problem: "mapping file \(candidate.file.quotedName) leads from \(start.quotedName) to \(end.quotedName), which "
          + "are no versions of the model, so it is not used; but the entities and properties in it fit",
        remedy: "if it is for this model, correct 'source' and 'destination' of 'mapping-model'",
        location: mapping.markup.location(of: "source"))
    }
  }

  private static func resolved(
    _ reference: ModelReference, _ side: MappingSide, among names: [String], in mapping: MappingModel
  ) -> (isUnknown: Bool, likely: String?, mistake: Diagnostic?) {
    // A checksum is more specific than a name; a model pinned by its checksum may have any name.
    guard let name = reference.name, reference.checksum == nil else { return (false, nil, nil) }
    if names.contains(name) { return (false, name, nil) }
    guard let likely = names.nearestVersion(to: name) else { return (true, nil, nil) }
    return (
      true, likely,
      Diagnostic(
        .error, code: "mapping.unknown-version",
        problem: "the mapping's \(side.rawValue) is \(name.quotedName), but no version of the model has that name",
        remedy: "did you mean \(likely.quotedName)?", location: mapping.markup.location(of: side.rawValue))
    )
  }
}
