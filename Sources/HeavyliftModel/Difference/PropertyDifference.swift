/// What became of a property from one version of its entity to the next.
public struct PropertyDifference: Hashable, Sendable {
  /// What kind of property it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case attribute
    case relationship
    case fetchedProperty = "fetched property"
    /// An attribute of a composite type.
    case element
  }

  public var kind: Kind
  /// The name before; nil if the property was added.
  public var oldName: String?
  /// The name after; nil if the property was removed.
  public var newName: String?
  /// What differs, a new name included; empty for what was added or removed.
  public var changes: [ParameterChange]
  /// The most important facts of what was added or removed: `Integer 32, optional`.
  public var facts: String?
  /// Whether the version hash of the entity differs for this.
  public var changesVersionHash: Bool

  /// Creates a difference.
  public init(
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

  /// The name after, or for what was removed the one before.
  public var name: String { newName ?? oldName ?? "" }

  /// Among parts of one name: what was there before comes first.
  var order: (Int, String) { oldName.map { (0, $0) } ?? (1, "") }

  public var difference: DifferenceKind { DifferenceKind(from: oldName, to: newName) }

  /// `attribute 'pages': attributeType: Integer 16 → Integer 32`.
  public var summary: String {
    let thing = "\(kind.rawValue) \(name.quotedName)"
    switch difference {
    case .added, .removed: return "\(thing): \(difference.rawValue)"
    case .renamed, .changed:
      // Where the hash differs, what made it differ.
      let shown = changesVersionHash ? changes.filter(\.changesVersionHash) : changes
      return "\(thing): \(shown.map(\.description).joined(separator: ", "))"
    }
  }
}
