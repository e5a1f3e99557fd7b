package import HeavyliftMapping
import HeavyliftModel
package import HeavyliftXML

extension MappingCandidate {
  /// True if the file contains more than names of its versions.
  package var identifiesVersions: Bool {
    kind != .written || mappingModel?.source.checksum != nil && mappingModel?.destination.checksum != nil
  }

  /// True if nothing in the file says that it is for other versions than these.
  package func mayBeFor(_ versions: [ModelSource.Version]) -> Bool {
    MappingSide.allCases.allSatisfy { side in versions.contains { fits(side, $0) ?? true } }
  }

  /// True if the versions also have all entities that the file names.
  package func hasEntities(of versions: [ModelSource.Version]) -> Bool {
    MappingSide.allCases.allSatisfy { side in
      let names = Set(
        (mappingModel?.entityMappings ?? []).compactMap {
          side == .source ? $0.sourceEntityName : $0.destinationEntityName
        })
      return versions.contains { version in
        (fits(side, version) ?? true) && names.isSubset(of: version.model.entities.map(\.name))
      }
    }
  }

  /// True if the file says that it leads from one of the first versions to one of the others.
  package func leads(from sources: [ModelSource.Version], to destinations: [ModelSource.Version]) -> Bool {
    sources.contains { fits(.source, $0) ?? false } && destinations.contains { fits(.destination, $0) ?? false }
  }

  /// True if a version is that of one side of the mapping; nil if the file does not say which one it is.
  package func fits(_ side: MappingSide, _ version: ModelSource.Version) -> Bool? {
    let hashes = mappedHashes(side)
    if !hashes.isEmpty {
      let own = version.model.versionHashes
      return hashes.allSatisfy { own[$0.key] == $0.value }
    }
    let reference = side == .source ? mappingModel?.source : mappingModel?.destination
    if let checksum = reference?.checksum { return version.model.versionChecksum == checksum }
    return reference?.name.map { $0 == version.name }
  }
}
