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
    let names = versions.compactMap(\.model.name)
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

  private static func resolved(
    _ reference: ModelReference, _ side: MappingSide, among names: [String], in mapping: MappingModel
  ) -> (isUnknown: Bool, likely: String?, mistake: Diagnostic?) {
    // A checksum is more specific than a name; a model pinned by its checksum may have any name.
    guard let name = reference.name, reference.checksum == nil else { return (false, nil, nil) }
    if names.contains(name) { return (false, name, nil) }
    // 'Music 4' is not a misspelled 'Music 3'.
    func digits(_ name: String) -> String { name.filter(\.isNumber) }
    guard let likely = names.filter({ digits($0) == digits(name) }).nearest(to: name) else { return (true, nil, nil) }
    return (
      true, likely,
      Diagnostic(
        .error, code: "mapping.unknown-version",
        problem: "the mapping's \(side.rawValue) is \(name.quotedName), but no version of the model has that name",
        remedy: "did you mean \(likely.quotedName)?", location: mapping.markup.location(of: side.rawValue))
    )
  }
}
