import HeavyliftModel

/// The differences in one property mapping between two mapping models.
package struct PropertyMappingDifference: Hashable, Sendable {
  /// The kind of property: attribute or relationship.
  package var kind: PropertyMappingDescription.Kind
  /// The name of the destination property.
  package var name: String
  /// The kind of difference: added, removed or changed.
  package var difference: DifferenceKind
  /// The changes; all contents if the mapping was added or removed.
  package var changes: [MappingChange]

  /// Creates a difference.
  package init(
    kind: PropertyMappingDescription.Kind, name: String, difference: DifferenceKind, changes: [MappingChange]
  ) {
    self.kind = kind
    self.name = name
    self.difference = difference
    self.changes = changes
  }
}

extension PropertyMappingDifference: CustomStringConvertible {
  /// `attribute 'duration': value: $source.seconds → $source.seconds * 1000`.
  package var description: String {
    let thing = "\(kind.rawValue) \(name.quotedName)"
    let told = changes.map(\.description).joined(separator: ", ")
    return difference == .changed ? "\(thing): \(told)" : "\(thing): \(difference.rawValue), \(told)"
  }
}
