/// The changes to a part of a model other than an entity, from one version to the next. Of these parts, version hashes
/// include only the elements of composite types. A changed hash is reported for the entities that use such a type.
package struct PartDifference: Hashable, Sendable {
  /// The kind of part.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A composite type.
    case composite
    /// A named group of entities.
    case configuration
    /// A fetch request template.
    case fetchRequest = "fetch request template"
  }

  /// The kind of part.
  package var kind: Kind
  /// The old name; nil if the part was added.
  package var oldName: String?
  /// The new name; nil if the part was removed.
  package var newName: String?
  /// The changes; empty if the part was added or removed.
  package var changes: [ParameterChange]
  /// The changes to a composite type's elements.
  package var elements: [PropertyDifference]

  /// Creates a difference.
  package init(
    kind: Kind, oldName: String?, newName: String?, changes: [ParameterChange] = [],
    elements: [PropertyDifference] = []
  ) {
    self.kind = kind
    self.oldName = oldName
    self.newName = newName
    self.changes = changes
    self.elements = elements
  }

  /// The new name, or the old name of a removed part.
  package var name: String { newName ?? oldName ?? "" }

  /// The kind of change.
  package var difference: DifferenceKind { DifferenceKind(from: oldName, to: newName) }

  /// A one-line summary: `configuration 'Cloud': 2 changes`.
  package var summary: String {
    let thing = "\(kind.rawValue) \(name.quotedName)"
    switch difference {
    case .added, .removed: return "\(thing): \(difference.rawValue)"
    case .renamed, .changed:
      let count = changes.count + elements.reduce(0) { $0 + max(1, $1.changes.count) }
      return "\(thing): \(count) change\(count == 1 ? "" : "s")"
    }
  }
}
