public import HeavyliftModel

/// The differences in one property mapping between two mapping models.
public struct PropertyMappingDifference: Hashable, Sendable {
  /// The kind of property: attribute or relationship.
  public var kind: PropertyMappingDescription.Kind
  /// The name of the destination property.
  public var name: String
  /// The kind of difference: added, removed or changed.
  public var difference: DifferenceKind
  /// The changes; all contents if the mapping was added or removed.
  public var changes: [MappingChange]

  /// Creates a difference.
  public init(
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
  public var description: String {
    let thing = "\(kind.rawValue) \(name.quotedName)"
    let told = changes.map(\.description).joined(separator: ", ")
    return difference == .changed ? "\(thing): \(told)" : "\(thing): \(difference.rawValue), \(told)"
  }
}
