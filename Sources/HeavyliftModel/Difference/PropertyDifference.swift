/// The changes to a property from one version of its entity to the next.
package struct PropertyDifference: Hashable, Sendable {
  /// The kind of property.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An attribute of an entity.
    case attribute
    /// A relationship.
    case relationship
    /// A fetched property.
    case fetchedProperty = "fetched property"
    /// An attribute of a composite type.
    case element
  }

  /// The kind of property.
  package var kind: Kind
  /// The old name; nil if the property was added.
  package var oldName: String?
  /// The new name; nil if the property was removed.
  package var newName: String?
  /// The changes, including a new name; empty if the property was added or removed.
  package var changes: [ParameterChange]
  /// The most important facts about an added or removed property: `Integer 32, optional`.
  package var facts: String?
  /// A Boolean value that indicates whether this difference affects the entity's version hash.
  package var changesVersionHash: Bool

  /// Creates a difference.
  package init(
    kind: Kind, oldName: String?, newName: String?, changes: [ParameterChange] = [], facts: String? = nil,
    changesVersionHash: Bool
  ) {
    self.kind = kind
    self.oldName = oldName
    self.newName = newName
    self.changes = changes
    self.facts = facts
    self.changesVersionHash = changesVersionHash
  }

  /// The new name, or the old name of a removed property.
  package var name: String { newName ?? oldName ?? "" }

  /// The sort key among properties of the same name: those with an old name come first.
  var order: (Int, String) { oldName.map { (0, $0) } ?? (1, "") }

  /// The kind of change.
  package var difference: DifferenceKind { DifferenceKind(from: oldName, to: newName) }

  /// A one-line summary: `attribute 'pages': attributeType: Integer 16 → Integer 32`.
  package var summary: String {
    let thing = "\(kind.rawValue) \(name.quotedName)"
    switch difference {
    case .added, .removed: return "\(thing): \(difference.rawValue)"
    case .renamed, .changed:
      // If the hash differs, show only the changes that affect it.
      let shown = changesVersionHash ? changes.filter(\.changesVersionHash) : changes
      return "\(thing): \(shown.map(\.description).joined(separator: ", "))"
    }
  }
}
