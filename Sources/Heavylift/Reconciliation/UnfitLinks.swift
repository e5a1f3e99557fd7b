import HeavyliftMapping
import HeavyliftModel

/// Links between migrated objects that a destination relationship cannot hold.
struct UnfitLinks {
  /// The source relationship.
  var end: RelationshipEnd
  /// The destination relationship that is set, and the entity that it leads to.
  var settingEnd: RelationshipEnd
  var wanted: String
  /// The entity mapping that sets it.
  var mapping: CompleteEntityMapping
  var loss: RelationshipLoss
  var count: Int

  private var problem: String {
    "\(count.counted(as: "link")) of relationship '\(end.entity).\(end.name)' would be lost: "
      + "'\(settingEnd.entity).\(settingEnd.name)' of the new version leads to \(wanted.quotedName) objects, which the "
      + (count == 1 ? "linked object does not become" : "linked objects do not become")
  }

  /// - Parameter isWritten: True if an author wrote the mapping.
  private func permission(isWritten: Bool) -> String? {
    guard let permission = loss.permission else { return nil }
    let name = mapping.name.quotedName
    let (source, destination) = (mapping.sourceEntityName ?? "", mapping.destinationEntityName ?? "")
    return isWritten
      ? "\(permission) in entity mapping \(name)"
      : "\(permission) in the entity mapping from \(source.quotedName) to \(destination.quotedName) of a mapping file"
  }

  static func error(_ links: [UnfitLinks], isWritten: Bool) -> MigrationError {
    var seen: Set<String> = []
    let permissions = links.compactMap { $0.permission(isWritten: isWritten) }.filter { seen.insert($0).inserted }
    let wanted = Array(Set(links.map(\.wanted))).sorted().quotedList
    return MigrationError(
      .migration, problem: links.map(\.problem).joined(separator: "; "),
      remedy: [
        permissions.isEmpty ? nil : "to drop them, write \(permissions.joined(separator: ", and "))",
        isWritten
          ? "to keep them, write an entity mapping that creates \(wanted) objects from these objects"
          : "to keep them, write a mapping file that creates \(wanted) objects from these objects, or link the right "
            + "objects in a handler of a custom stage",
      ].compactMap(\.self).joined(separator: "; "))
  }
}
