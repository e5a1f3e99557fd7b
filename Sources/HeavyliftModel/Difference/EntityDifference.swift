/// The changes to an entity from one version of a model to the next.
package struct EntityDifference: Hashable, Sendable {
  /// The name in the old version; nil if the entity was added.
  package var oldName: String?
  /// The name in the new version; nil if the entity was removed.
  package var newName: String?
  /// The changes to the entity itself, including its name; empty if it was added or removed.
  package var changes: [ParameterChange]
  /// The changes to the entity's own properties; empty if it was added or removed.
  package var properties: [PropertyDifference]
  /// The version hash in the old version; nil if the entity was added.
  package var oldVersionHash: VersionHash?
  /// The version hash in the new version; nil if the entity was removed.
  package var newVersionHash: VersionHash?
  /// The reasons why the version hash differs; empty if and only if it is the same.
  package var versionHashReasons: [VersionHashReason]

  /// Creates a difference.
  package init(
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

  /// The new name, or the old name of a removed entity.
  package var name: String { newName ?? oldName ?? "" }

  /// The sort key among entities of the same name: those with an old name come first.
  var order: (Int, String) { oldName.map { (0, $0) } ?? (1, "") }

  /// The kind of change.
  package var difference: DifferenceKind { DifferenceKind(from: oldName, to: newName) }

  /// A Boolean value that indicates whether the version hash differs.
  package var changesVersionHash: Bool { !versionHashReasons.isEmpty }

  /// True if both versions state the same facts about the entity itself. The hash can still differ, because of the
  /// parent's hash or a hash that a file states.
  package var statesSameFacts: Bool { difference == .changed && changes.isEmpty && properties.isEmpty }

  /// A one-line summary: `entity 'Book': 3 changes; its version hash changes`.
  package var summary: String {
    let hash = changesVersionHash ? "its version hash changes" : "its version hash is unchanged"
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
