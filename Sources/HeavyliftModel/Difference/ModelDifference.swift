/// What differs between two versions of a model, down to the parameter, and why version hashes differ.
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
/// Something that has another name is the same thing if a renaming identifier says so, as in Core Data's lightweight
/// migration; otherwise it was removed, and another one added.
public struct ModelDifference: Hashable, Sendable {
  /// What differs about the model itself.
  public let changes: [ParameterChange]
  /// The entities whose facts or whose version hash differ, in order of name.
  public let entities: [EntityDifference]
  /// The composite types, configurations and fetch request templates that differ, each kind in order of name.
  public let parts: [PartDifference]

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

  /// Whether both models state the same facts, which is when they are equal.
  ///
  /// `entities` can hold something all the same: hashes that files state can differ where nothing that is known does.
  public var isEmpty: Bool { changes.isEmpty && parts.isEmpty && entities.allSatisfy(\.statesSameFacts) }

  /// Whether a store of one model has other version hashes than a store of the other.
  public var changesVersionHashes: Bool { entities.contains(where: \.changesVersionHash) }

  /// What became of the entity of that name, in either model; nil if nothing did.
  public func entity(named name: String) -> EntityDifference? {
    entities.first { $0.newName == name } ?? entities.first { $0.oldName == name }
  }

  /// Why the two hashes of an entity differ; empty exactly if they do not.
  public func versionHashReasons(forEntity name: String) -> [VersionHashReason] {
    entity(named: name)?.versionHashReasons ?? []
  }
}
