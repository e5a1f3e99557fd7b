/// What became of an entity from one version of a model to the next.
public struct EntityDifference: Hashable, Sendable {
  /// The name before; nil if the entity was added.
  public var oldName: String?
  /// The name after; nil if the entity was removed.
  public var newName: String?
  /// What differs about the entity itself, a new name included; empty for what was added or removed.
  public var changes: [ParameterChange]
  /// What differs about its own properties; empty for what was added or removed.
  public var properties: [PropertyDifference]
  public var oldVersionHash: VersionHash?
  public var newVersionHash: VersionHash?
  /// Why the version hash is not the same; empty exactly if it is the same.
  public var versionHashReasons: [VersionHashReason]

  /// Creates a difference.
  public init(
    oldName: String?, newName: String?, changes: [ParameterChange] = [], properties: [PropertyDifference] = [],
    oldVersionHash: VersionHash? = nil, newVersionHash: VersionHash? = nil,
    versionHashReasons: [VersionHashReason] = []
  ) {
    self.oldName = oldName
    self.newName = newName
    self.changes = changes
    self.properties = properties
    self.oldVersionHash = oldVersionHash
    self.newVersionHash = newVersionHash
    self.versionHashReasons = versionHashReasons
  }

  /// The name after, or for what was removed the one before.
  public var name: String { newName ?? oldName ?? "" }

  /// Among parts of one name: what was there before comes first.
  var order: (Int, String) { oldName.map { (0, $0) } ?? (1, "") }

  public var difference: DifferenceKind { DifferenceKind(from: oldName, to: newName) }

  /// Whether the version hash is not the same.
  public var changesVersionHash: Bool { !versionHashReasons.isEmpty }

  /// Whether the two versions state the same facts of the entity itself. Its hash can differ all the same: for its
  /// parent's, or for one that a file states.
  public var statesSameFacts: Bool { difference == .changed && changes.isEmpty && properties.isEmpty }

  /// The entity in one line: `entity 'Book': 3 changes; its version hash changes`.
  public var summary: String {
    let hash = changesVersionHash ? "its version hash changes" : "its version hash stays"
    switch difference {
    case .added, .removed: return "entity \(name.quotedName): \(difference.rawValue)"
    case .renamed, .changed:
      let count = changes.count + properties.reduce(0) { $0 + max(1, $1.changes.count) }
      let counted =
        switch count {
        case 0: "no change of its own"
        case 1: "1 change"
        default: "\(count) changes"
        }
      let renamed = difference == .renamed ? "renamed from \((oldName ?? "").quotedName), " : ""
      return "entity \(name.quotedName): \(renamed)\(counted); \(hash)"
    }
  }
}
