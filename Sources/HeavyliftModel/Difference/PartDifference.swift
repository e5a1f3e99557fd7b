/// What became of a part of a model that is no entity, from one version to the next. Of these
/// only the elements of composite types are in version hashes, and the entities that have them tell so.
public struct PartDifference: Hashable, Sendable {
  /// What kind of part it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case composite
    case configuration
    case fetchRequest = "fetch request template"
  }

  public var kind: Kind
  /// The name before; nil if the part was added.
  public var oldName: String?
  /// The name after; nil if the part was removed.
  public var newName: String?
  /// What differs; empty for what was added or removed.
  public var changes: [ParameterChange]
  /// What differs about a composite type's elements.
  public var elements: [PropertyDifference]

  /// Creates a difference.
  public init(
    kind: Kind, oldName: String?, newName: String?, changes: [ParameterChange] = [],
    elements: [PropertyDifference] = []
  ) {
    self.kind = kind
    self.oldName = oldName
    self.newName = newName
    self.changes = changes
    self.elements = elements
  }

  /// The name after, or for what was removed the one before.
  public var name: String { newName ?? oldName ?? "" }

  public var difference: DifferenceKind { DifferenceKind(from: oldName, to: newName) }

  /// The part in one line: `configuration 'Cloud': 2 changes`.
  public var summary: String {
    let thing = "\(kind.rawValue) \(name.quotedName)"
    switch difference {
    case .added, .removed: return "\(thing): \(difference.rawValue)"
    case .renamed, .changed:
      let count = changes.count + elements.reduce(0) { $0 + max(1, $1.changes.count) }
      return "\(thing): \(count) change\(count == 1 ? "" : "s")"
    }
  }
}
