public import HeavyliftModel

/// What became of what a mapping says about one destination property.
public struct PropertyMappingDifference: Hashable, Sendable {
  /// Attribute or relationship.
  public var kind: PropertyMappingDescription.Kind
  /// Of the destination property.
  public var name: String
  /// Added, removed or changed.
  public var difference: DifferenceKind
  /// What differs; for what was added or removed, what is said or was said.
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
