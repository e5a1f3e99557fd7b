import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Missing or surplus links in a finished store.
struct LinkFinding {
  var ends: [RelationshipEnd]
  var carrier: RelationshipEnd
  var wanted: Int
  var held: Int
  /// True if an author wrote a mapping, so that the remedy refers to it.
  var isWritten: Bool
  /// Objects that lose links because the destination relationship is to-one.
  var shared: SharedTargets?
  /// True if code has discarded the associations that lead to the links' objects.
  var isAfterReset = false
  /// The warning about objects that were created after their relationships were set.
  var late: Diagnostic?
  /// The entity mappings with a policy that did not call `super` to set the links.
  var unsetBy: [CodeInfluence.PolicyName]?
  /// Links that were overwritten because the source relationships disagree.
  var disagreement: LinkDisagreement?

  var error: HopError {
    let names = ends.map { "'\($0.entity).\($0.name)'" }.joined(separator: " and ")
    let relationship = "\(ends.count == 1 ? "relationship" : "relationships") \(names)"
    if let unsetBy, !unsetBy.isEmpty { return Self.unset(relationship, unsetBy, wanted - held) }
    if let late {
      return HopError(
        .migration,
        problem: "\((wanted - held).counted(as: "link")) of \(relationship) would be lost: \(late.problem)",
        remedy: late.remedy)
    }
    if isAfterReset {
      return HopError(
        .migration, problem: "\((wanted - held).counted(as: "link")) of \(relationship) would be lost",
        remedy: Self.remedyForReset)
    }
    if let shared, shared.count > 0 {
      return Self.narrowed(
        "\(relationship)", "'\(carrier.entity).\(carrier.name)'", shared, lost: wanted - held,
        isWritten: isWritten)
    }
    if let disagreement, disagreement.count > 0 { return overwritten(disagreement, relationship) }
    let isOne = ends.count == 1 && held < wanted
    return HopError(
      .migration,
      problem:
        "\(wanted) links of \(relationship) were migrated to '\(carrier.entity).\(carrier.name)', but the new store "
        + "has \(held)",
      remedy: isOne
        ? "if entity mappings set both ends of the relationship differently, map only one end and write 'copy=\"no\"' "
          + "on the other; otherwise this is a bug in the migration engine: report it with the mapping file"
        : "if entity mappings fill one relationship from several source relationships, choose the objects at one end "
          + "with an expression and write 'copy=\"no\"' at the other, or choose them in a policy; otherwise "
          + "this is a bug in the migration engine: report it with the mapping file")
  }

  private func overwritten(_ disagreement: LinkDisagreement, _ relationship: String) -> HopError {
    let carrier = "'\(carrier.entity).\(carrier.name)'"
    let reason =
      disagreement.isReflexive
      ? "in the destination, \(carrier) is its own inverse, so both objects of a link need it"
      : ends.count > 1
        ? "in the destination, they are the two ends of \(carrier), but in the source they disagree"
        : "the mapping sets the two ends of \(carrier) differently"
    let written =
      disagreement.isReflexive
      ? "give both objects the link with an expression, or set it in a policy"
      : "map only one end and write 'copy=\"no\"' on the other, or choose the objects in a policy"
    return HopError(
      .migration,
      problem:
        "\(disagreement.count.grouped) \(disagreement.count == 1 ? "link" : "links") of \(relationship) would be lost: "
        + "\(reason) (\(disagreement.text))",
      remedy: isWritten
        ? written
        : "make both ends agree in a handler of a custom stage, or write a mapping file that chooses the links")
  }

  static let remedyForReset =
    "do not call 'reset()' of the migration manager during a migration: it discards the associations with the new "
    + "objects"

  private static func unset(
    _ relationship: String, _ policies: [CodeInfluence.PolicyName], _ count: Int
  ) -> HopError {
    HopError(
      .migration,
      problem:
        "\(count.grouped) \(count == 1 ? "link" : "links") of \(relationship) would be lost: \(policies.list) "
        + "did not set \(count == 1 ? "it" : "them")",
      remedy: "call 'super.createRelationships(forDestination:in:manager:)', or write 'losses=\"intended\"' in the "
        + "entity mapping if \(count == 1 ? "it is" : "they are") to be dropped")
  }

  /// Returns the error for links of objects that a policy migrated without associating them.
  static func unassociated(
    _ links: [(end: RelationshipEnd, count: Int)], policies: [CodeInfluence.PolicyName]
  ) -> HopError {
    let list = links.map { "\($0.count) of '\($0.end.entity).\($0.end.name)'" }.joined(separator: ", ")
    return HopError(
      .migration,
      problem:
        "links would be lost: \(list). \(policies.list) created objects without associating them with their source "
        + "objects, so relationships do not find them",
      remedy:
        "call 'super.createDestinationInstances(forSource:in:manager:)', or 'associate(sourceInstance:"
        + "withDestinationInstance:for:)' for each new object, or write 'losses=\"intended\"' in the entity mapping if "
        + "the links are to be dropped")
  }

  /// Returns the error for links that were overwritten because an expression gave their target to another object.
  ///
  /// - Parameter mappings: The names of the entity mappings that set the relationship.
  static func taken(
    _ end: RelationshipEnd, _ carrier: RelationshipEnd, _ mappings: [String], lost: Int
  ) -> HopError {
    HopError(
      .migration,
      problem:
        "\(lost.grouped) \(lost == 1 ? "link" : "links") of relationship '\(end.entity).\(end.name)' would be lost: in the "
        + "destination, '\(carrier.entity).\(carrier.name)' allows each object only one owner, but "
        + (mappings.count == 1 ? "entity mapping " : "entity mappings ")
        + "\(mappings.quotedList) \(mappings.count == 1 ? "gives" : "give") objects to several owners",
      remedy: "choose one owner with an expression, or write 'shared=\"last\"' in the mapping of the relationship if "
        + "the last owner should keep the object")
  }

  static func narrowed(
    _ source: String, _ carrier: String, _ shared: SharedTargets, lost: Int, isWritten: Bool
  ) -> HopError {
    HopError(
      .migration,
      problem:
        "\(lost.grouped) \(lost == 1 ? "link" : "links") of \(source) would be lost: in the destination, \(carrier) "
        + "allows each object only one owner, but in the source \(shared.text)",
      remedy: isWritten
        ? "choose the owner with an expression or a policy, or write 'shared=\"last\"' in the mapping of the "
          + "relationship if the last owner should keep it"
        : "leave each object only one owner in a handler of a custom stage, or write a mapping file that chooses the "
          + "owner")
  }
}

/// Links that the destination has lost because the ends that set them disagree.
struct LinkDisagreement {
  /// True if the destination relationship is its own inverse.
  var isReflexive: Bool
  var count: Int
  /// The first few pairs of objects that lose their link.
  var examples: [String]

  var text: String {
    let others = count > examples.count ? ", and \((count - examples.count).grouped) more" : ""
    return examples.joined(separator: ", ") + others
  }
}

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

  static func error(_ links: [UnfitLinks], isWritten: Bool) -> HopError {
    var seen: Set<String> = []
    let permissions = links.compactMap { $0.permission(isWritten: isWritten) }.filter { seen.insert($0).inserted }
    let wanted = Array(Set(links.map(\.wanted))).sorted().quotedList
    return HopError(
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

/// Objects that several other objects point to, although the new model allows only one to do so.
struct SharedTargets {
  private static let mostExamples = 3

  /// The number of shared objects, and the number of their links beyond the first.
  private(set) var count = 0
  private(set) var surplus = 0
  /// The first few shared objects, each with the number of objects that point to it.
  private(set) var examples: [(object: String, count: Int)] = []

  /// Counts the shared targets of a source relationship, identified by its canonical end.
  ///
  /// - Parameters:
  ///   - owners: The keys of the migrated owners; `nil` for all.
  ///   - targets: The keys of the migrated targets; `nil` for all.
  ///   - isForward: False to count shared owners instead: those that several targets point to.
  init(
    of end: RelationshipEnd, in store: PersistentStore, from model: ManagedObjectModel, owners: KeySet? = nil,
    targets: KeySet? = nil, isForward: Bool = true
  ) throws {
    var (seen, shared) = (KeySet(), [Int64: Int]())
    try store.forEachLink(ofEntity: end.entity, relationship: end.name) { owner, target in
      guard owners?.contains(owner) != false, targets?.contains(target) != false else { return }
      let key = isForward ? target : owner
      if !seen.insert(key) { shared[key, default: 1] += 1 }
    }
    count = shared.count
    surplus = shared.values.reduce(0) { $0 + $1 - 1 }
    let declared =
      isForward ? model.relationship(end.name, of: end.entity)?.destinationEntityName ?? end.entity : end.entity
    examples = try shared.sorted { $0.key < $1.key }.prefix(Self.mostExamples).map { key, count in
      ("\(try store.entityName(ofKey: key, in: declared) ?? declared)/p\(key)", count)
    }
  }

  /// A summary: `2 objects are shared: Item/p1 by 2 owners, Item/p4 by 3 owners`.
  var text: String {
    let list = examples.map { "\($0.object) by \($0.count) owners" }.joined(separator: ", ")
    let others = count > examples.count ? " and \((count - examples.count).grouped) more" : ""
    return "\(count.grouped) \(count == 1 ? "object is" : "objects are") shared: \(list)\(others)"
  }
}
