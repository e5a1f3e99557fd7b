import HeavyliftMapping
import HeavyliftModel

/// Computes the key of a destination object from the key of its source object, and vice versa.
package struct KeyRule: Hashable, Sendable {
  /// The number that is added to a source object's key. 0 keeps the key, and with it all saved object URIs.
  package var offset: Int64

  func destinationKey(ofSource key: Int64) -> Int64 { key + offset }

  func sourceKey(ofDestination key: Int64) -> Int64 { key - offset }
}

/// The keys that the entity mappings of a migration assign.
///
/// Entity mappings of different entities in one source hierarchy share a range of keys: each source object belongs to
/// one entity, so their keys cannot collide. Every other mapping into the same destination hierarchy gets the next
/// range.
package struct KeyPlan: Hashable, Sendable {
  /// The rules, by entity mapping index. A mapping without a source or a destination has none.
  package private(set) var rules: [Int: KeyRule] = [:]
  /// The entity mappings that keep keys regardless of the store's objects, because theirs is the first range.
  private(set) var firstRanges: Set<Int> = []
  /// The first key for objects that policies create, by the root entity of each destination hierarchy.
  private(set) var firstFreeKeys: [String: Int64] = [:]
  /// The highest key ever assigned in the source, by the root entity of each destination hierarchy that keeps keys. New
  /// objects must get higher keys.
  private(set) var reservedKeys: [String: Int64] = [:]

  /// A range of keys, and the source entities whose objects use it.
  private struct Lane {
    var sourceRoot: String
    var sourceEntities: Set<String>
    var offset: Int64
  }

  /// Assigns a range of keys to each entity mapping.
  ///
  /// - Parameter highestKeys: The highest key ever assigned in each source hierarchy, by its root entity.
  /// - Throws: `Diagnostic` if the keys do not fit in 64 bits.
  package init(
    mappings: [CompleteEntityMapping], source: ManagedObjectModel, destination: ManagedObjectModel,
    highestKeys: [String: Int64]
  ) throws {
    func root(of name: String?, in model: ManagedObjectModel) -> String? {
      model.entity(named: name).map { model.rootEntity(of: $0).name }
    }
    var lanes: [String: [Lane]] = [:]
    var ends: [String: Int64] = [:]
    for (mappingIndex, mapping) in mappings.enumerated() {
      guard let sourceName = mapping.sourceEntityName, let sourceRoot = root(of: sourceName, in: source),
        let destinationRoot = root(of: mapping.destinationEntityName, in: destination)
      else { continue }
      let shared = lanes[destinationRoot, default: []].firstIndex {
        $0.sourceRoot == sourceRoot && !$0.sourceEntities.contains(sourceName)
      }
      if let shared {
        lanes[destinationRoot]?[shared].sourceEntities.insert(sourceName)
        rules[mappingIndex] = KeyRule(offset: lanes[destinationRoot]?[shared].offset ?? 0)
        if shared == 0 { firstRanges.insert(mappingIndex) }
        continue
      }
      let offset = ends[destinationRoot] ?? 0
      let (end, isTooFar) = offset.addingReportingOverflow(max(0, highestKeys[sourceRoot] ?? 0))
      guard !isTooFar, end < Int64.max else { throw Self.tooManyKeys(mapping, sourceRoot) }
      if lanes[destinationRoot] == nil { firstRanges.insert(mappingIndex) }
      lanes[destinationRoot, default: []].append(
        Lane(sourceRoot: sourceRoot, sourceEntities: [sourceName], offset: offset))
      ends[destinationRoot] = end
      rules[mappingIndex] = KeyRule(offset: offset)
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
