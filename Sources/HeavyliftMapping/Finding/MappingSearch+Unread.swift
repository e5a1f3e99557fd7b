import HeavyliftModel

extension MappingSearch {
  /// True if no file can lead from one of the models to another version, of which only the name is known.
  ///
  /// Then a path between two of the models does not depend on the other versions.
  package func staysWithin(_ models: [ManagedObjectModel], unread names: [String]) -> Bool {
    let inside = Set(models.compactMap(\.name))
    let all = inside.sorted() + names
    func isInside(_ reference: ModelReference) -> Bool {
      guard let checksum = reference.checksum else { return reference.name.map(inside.contains) ?? false }
      return models.contains { $0.versionChecksum == checksum }
    }
    return candidates.allSatisfy { candidate in
      // A file that cannot be read prevents every hop that has no other file.
      guard let mapping = candidate.mappingModel else { return true }
      let references = [mapping.source, mapping.destination]
      // A file of Xcode, or one that names no versions, is for those that fit best among all of them.
      guard candidate.kind == .written,
        references.allSatisfy({ $0.name != nil && ($0.checksum != nil || $0.fingerprints.isEmpty) })
      else { return false }
      let unknown = references.compactMap(\.name).filter { !all.contains($0) }
      // A misspelled name may be that of any version. If both are unknown, the file is for another model.
      if unknown.count == 1 || unknown.contains(where: { all.nearestVersion(to: $0) != nil }) { return false }
      let startsInside = isInside(mapping.source) || mapping.source.name.map(inside.contains) ?? false
      return !startsInside || isInside(mapping.destination)
    }
  }
}
