import HeavyliftModel

/// The differences in one entity mapping between two mapping models.
package struct EntityMappingDifference: Hashable, Sendable {
  /// The old name; nil if the mapping was added.
  package var oldName: String?
  /// The new name; nil if the mapping was removed.
  package var newName: String?
  /// True if the mapping moved relative to the other mappings that both models contain.
  package var isMoved: Bool
  /// Changes to the mapping itself; all its contents if it was added.
  package var changes: [MappingChange]
  /// The changed properties.
  package var properties: [PropertyMappingDifference]

  /// Creates a difference.
  package init(
    oldName: String?, newName: String?, isMoved: Bool = false, changes: [MappingChange] = [],
    properties: [PropertyMappingDifference] = []
  ) {
    self.oldName = oldName
    self.newName = newName
    self.isMoved = isMoved
    self.changes = changes
    self.properties = properties
  }

  /// The new name, or the old one if the mapping was removed.
  package var name: String { newName ?? oldName ?? "" }

  /// The kind of difference: added, removed, renamed or changed.
  package var difference: DifferenceKind {
    switch (oldName, newName) {
    case (nil, _): .added
    case (_, nil): .removed
    case (let old?, let new?): old == new ? .changed : .renamed
    }
  }

  /// A one-line summary: `entity mapping 'TrackToSong': 3 changes`.
  package var summary: String {
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
