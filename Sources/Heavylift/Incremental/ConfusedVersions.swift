import HeavyliftMapping
import HeavyliftModel

/// Versions that a store cannot tell apart, because no version hash covers their differences.
struct ConfusedVersions {
  let models: [ManagedObjectModel]
  let mappings: MappingSearch

  /// Returns a warning for each version of a plan that a store cannot tell from another one, although a migration from
  /// one to the other would change something: it has a mapping file, or renames what they both have. If there is nothing
  /// to migrate, any such version is worth a warning.
  func warnings(_ plan: IncrementalMigrationPlan) -> [Diagnostic] {
    guard !plan.isCurrent else { return [warning(plan.destinationModel)].compactMap(\.self) }
    var seen: Set<[String: VersionHash]> = []
    // Each hop starts from a version with the hashes of the one before.
    let versions = [plan.version] + plan.hops.map(\.destinationModel)
    return versions.compactMap { version in
      let group = group(of: version)
      guard group.count > 1, seen.insert(version.versionHashes).inserted else { return nil }
      let isConfusing = zip(group, group.dropFirst()).contains { old, new in
        ModelDifference(from: old, to: new).hasRenames
          || mappings.candidates.contains {
            $0.mappingModel?.source.name == old.name && $0.mappingModel?.destination.name == new.name
          }
      }
      return isConfusing ? warning(version) : nil
    }
  }

  /// The versions that have the same hashes as a version, including itself, oldest first.
  private func group(of version: ManagedObjectModel) -> [ManagedObjectModel] {
    models.filter { $0.isSameVersion(as: version) }
  }

  private func warning(_ version: ManagedObjectModel) -> Diagnostic? {
    let names = ([version] + group(of: version).filter { $0.name != version.name }).map { $0.name ?? "unnamed" }
    guard names.count > 1 else { return nil }
    return Diagnostic(
      .warning, code: "migration.same-version",
      problem:
        "versions \(names.quotedList) have the same version hashes: a store does not show which one it has, and "
        + "a mapping between them never runs",
      remedy: "if there is something to migrate, give an entity of the newer version a different hash modifier")
  }
}
