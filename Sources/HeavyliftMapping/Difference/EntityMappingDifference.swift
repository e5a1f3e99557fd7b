public import HeavyliftModel

/// What became of an entity mapping from one mapping model to the next.
public struct EntityMappingDifference: Hashable, Sendable {
  /// The name before; nil if the mapping was added.
  public var oldName: String?
  /// The name after; nil if the mapping was removed.
  public var newName: String?
  /// Whether it runs at another place among those that both have.
  public var isMoved: Bool
  /// What differs about the mapping itself; for what was added, what it says.
  public var changes: [MappingChange]
  /// Those of its properties that differ.
  public var properties: [PropertyMappingDifference]

  /// Creates a difference.
  public init(
    oldName: String?, newName: String?, isMoved: Bool = false, changes: [MappingChange] = [],
    properties: [PropertyMappingDifference] = []
  ) {
    self.oldName = oldName
    self.newName = newName
    self.isMoved = isMoved
    self.changes = changes
    self.properties = properties
  }

  /// The name after, or for what was removed the one before.
  public var name: String { newName ?? oldName ?? "" }

  /// Added, removed or changed.
  public var difference: DifferenceKind {
    switch (oldName, newName) {
    case (nil, _): .added
    case (_, nil): .removed
    case (let old?, let new?): old == new ? .changed : .renamed
    }
  }

  /// The mapping in one line: `entity mapping 'TrackToSong': 3 changes`.
  public var summary: String {
    let thing = "entity mapping \(name.quotedName)"
    let count = changes.count + properties.reduce(0) { $0 + max(1, $1.changes.count) }
    switch difference {
    case .added, .removed: return "\(thing): \(difference.rawValue)"
    case .renamed, .changed:
      let renamed = difference == .renamed ? "renamed from \((oldName ?? "").quotedName), " : ""
      return "\(thing): \(renamed)\(count == 1 ? "1 change" : "\(count) changes")"
    }
  }
}
