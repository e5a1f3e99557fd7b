import HeavyliftMapping
import HeavyliftModel

/// How the keys of destination objects follow from those of their sources.
package struct KeyRule: Hashable, Sendable {
  /// What is added to a source object's key. 0 keeps it, and with it every URI that somebody saved.
  package var offset: Int64

  func destinationKey(ofSource key: Int64) -> Int64 { key + offset }

  func sourceKey(ofDestination key: Int64) -> Int64 { key - offset }
}

/// The keys that the entity mappings of a migration give.
///
/// Mappings of different entities of one source hierarchy cannot give one key twice, for an object is of one entity: they
/// share a range. Every other mapping into the same destination hierarchy gets the next range.
package struct KeyPlan: Hashable, Sendable {
  /// By the mapping's place; none for a mapping that has no source or no destination.
  package private(set) var rules: [Int: KeyRule] = [:]
  /// The mappings whose keys are kept however many objects the store has: no range of another mapping comes before theirs.
  private(set) var firstRanges: Set<Int> = []
  /// The first key for objects that policies make, by the root of each destination hierarchy.
  private(set) var firstFreeKeys: [String: Int64] = [:]
  /// Keys up to these were given in the source, and must not be given again where keys are kept.
  private(set) var reservedKeys: [String: Int64] = [:]

  /// A range of keys, and whose objects use it.
  private struct Lane {
    var sourceRoot: String
    var sourceEntities: Set<String>
    var offset: Int64
  }

  /// Plans the keys.
  ///
  /// - Parameter highestKeys: The highest key that each source hierarchy ever gave, by its root.
  /// - Throws: `Diagnostic` if there are not enough keys.
  package init(
    mappings: [CompleteEntityMapping], source: ManagedObjectModel, destination: ManagedObjectModel,
    highestKeys: [String: Int64]
  ) throws {
    func root(of name: String?, in model: ManagedObjectModel) -> String? {
      name.flatMap(model.entity(named:)).map { model.rootEntity(of: $0).name }
    }
    var lanes: [String: [Lane]] = [:]
    var ends: [String: Int64] = [:]
    for (place, mapping) in mappings.enumerated() {
      guard let sourceName = mapping.sourceEntityName, let sourceRoot = root(of: sourceName, in: source),
        let destinationRoot = root(of: mapping.destinationEntityName, in: destination)
      else { continue }
      let shared = lanes[destinationRoot, default: []].firstIndex {
        $0.sourceRoot == sourceRoot && !$0.sourceEntities.contains(sourceName)
      }
      if let shared {
        lanes[destinationRoot]?[shared].sourceEntities.insert(sourceName)
        rules[place] = KeyRule(offset: lanes[destinationRoot]?[shared].offset ?? 0)
        if shared == 0 { firstRanges.insert(place) }
        continue
      }
      let offset = ends[destinationRoot] ?? 0
      let (end, isTooFar) = offset.addingReportingOverflow(max(0, highestKeys[sourceRoot] ?? 0))
      guard !isTooFar, end < Int64.max else { throw Self.tooManyKeys(mapping, sourceRoot) }
      if lanes[destinationRoot] == nil { firstRanges.insert(place) }
      lanes[destinationRoot, default: []].append(
        Lane(sourceRoot: sourceRoot, sourceEntities: [sourceName], offset: offset))
      ends[destinationRoot] = end
      rules[place] = KeyRule(offset: offset)
      if offset == 0 { reservedKeys[destinationRoot] = end }
    }
    firstFreeKeys = ends.mapValues { $0 + 1 }
  }

  private static func tooManyKeys(_ mapping: CompleteEntityMapping, _ root: String) -> Diagnostic {
    Diagnostic(
      .error, code: "migration.keys-exhausted",
      problem: "entity mapping '\(mapping.name)' has no keys left: the keys of '\(root)' objects are too large",
      remedy: "first give the source objects smaller keys, with a migration that does not keep keys")
  }
}
