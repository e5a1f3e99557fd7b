/// The differences between two versions of a model, down to single parameters, and the reasons for different version
/// hashes.
///
/// ```swift
/// let difference = ModelDifference(from: library1, to: library2)
/// print(difference)
/// // entity 'Book': 2 changes; its version hash changes
/// //   * attribute 'pages'      attributeType  Integer 16 → Integer 32
/// //     relationship 'author'  deletionRule   Nullify → Cascade
/// //
/// // * changes the version hash
///
/// for reason in difference.versionHashReasons(forEntity: "Book") { print(reason) }
/// // attribute 'pages': attributeType: Integer 16 → Integer 32
/// ```
///
/// A part with a new name counts as renamed if a renaming identifier connects it to the old name, as in Core Data's
/// lightweight migration; otherwise the old part counts as removed and the new one as added.
public struct ModelDifference: Hashable, Sendable {
  /// The changes to the model itself.
  package let changes: [ParameterChange]
  /// The entities whose facts or version hash differ, sorted by name.
  package let entities: [EntityDifference]
  /// The composite types, configurations and fetch request templates that differ, each kind sorted by name.
  package let parts: [PartDifference]

  /// Compares two models.
  public init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
    if old == new, old.statedVersionHashes == new.statedVersionHashes {
      (changes, entities, parts) = ([], [], [])
      return
    }
    let comparison = ModelComparison(from: old, to: new)
    changes = comparison.changes
    entities = comparison.entities
    parts = comparison.parts
  }

  /// A Boolean value that indicates whether both models state the same facts, that is, whether they are equal.
  ///
  /// `entities` can still have members: hashes that files state can differ even if no known fact does.
  public var isEmpty: Bool { changes.isEmpty && parts.isEmpty && entities.allSatisfy(\.statesSameFacts) }

  /// A Boolean value that indicates whether stores of the two models have different version hashes.
  public var changesVersionHashes: Bool { entities.contains(where: \.changesVersionHash) }

  /// True if an entity, attribute or relationship, or an element of a composite type, has another name than before.
  package var hasRenames: Bool {
    let properties = entities.flatMap(\.properties) + parts.flatMap(\.elements)
    return entities.contains { $0.difference == .renamed }
      || properties.contains { $0.difference == .renamed && $0.kind != .fetchedProperty }
  }

  /// Returns the difference of the entity that has that name in either model; nil if the entity is unchanged.
  package func entity(named name: String) -> EntityDifference? {
    entities.first { $0.newName == name } ?? entities.first { $0.oldName == name }
  }

  /// Returns the reasons why the two hashes of an entity differ; empty if and only if they are equal.
  package func versionHashReasons(forEntity name: String) -> [VersionHashReason] {
    entity(named: name)?.versionHashReasons ?? []
  }
}
