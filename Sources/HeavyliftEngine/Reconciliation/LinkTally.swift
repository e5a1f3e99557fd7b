import HeavyliftModel
import HeavyliftStore

/// The links of one source relationship, counted by the entity mappings that take the objects at both ends.
struct LinkTally {
  /// The total number of links.
  private(set) var all = 0
  /// The number of links that at least one entity mapping carries.
  var carried = 0
  /// The number of links with an object at one end that was not migrated.
  var unmigrated = 0
  /// The number of those links that an object at one end has lost only because a policy created objects for it without
  /// associating them.
  private(set) var unassociated = 0
  /// The number of links with a missing row at one end; they are also counted as unmigrated.
  private(set) var dangling = 0
  /// The number of links between migrated objects that an automatic relationship mapping should carry, but that match
  /// none of its entity mappings.
  private(set) var unfit = 0
  /// The number of links between migrated objects that no entity mapping carries, but that an expression reads.
  private(set) var replaced = 0
  /// The number of links that must be in each destination relationship.
  private(set) var expected: [RelationshipEnd: Int] = [:]
  /// The number of links that may be in each destination relationship: one source link can yield several if several
  /// entity mappings create counterparts of an object.
  var most: [RelationshipEnd: Int] = [:]

  /// The entity mappings that carry links from the objects of one entity mapping to a destination relationship.
  private struct Route {
    let carrier: RelationshipEnd
    let owners: KeySet
    let targets: [KeySet]
    var links = 0
    /// The number of links in the destination, with one for each counterpart of a target.
    var doubles = 0

    /// Counts a link if these entity mappings carry it; returns false if they do not.
    mutating func take(owner: Int64, target: Int64) -> Bool {
      guard owners.contains(owner) else { return false }
      let counterparts = targets.count { $0.contains(target) }
      doubles += counterparts
      // A link to an object with counterparts from several entity mappings must be there at least once.
      if counterparts > 0 { links += 1 }
      return counterparts > 0
    }
  }

  /// The source objects of some entity mappings, which are the owners or the targets of links.
  private struct Ends {
    private var owners = KeySet()
    private var targets = KeySet()

    /// - Parameter mappings: The index of each entity mapping; true if its objects are the owners.
    init(_ mappings: [(index: Int, isForward: Bool)], _ keys: [Int: KeySet]) {
      for mapping in mappings {
        guard let own = keys[mapping.index] else { continue }
        if mapping.isForward { owners.formUnion(own) } else { targets.formUnion(own) }
      }
    }

    /// True if they contain the object at either end of a link.
    func contain(_ owner: Int64, _ target: Int64) -> Bool { owners.contains(owner) || targets.contains(target) }
  }

  /// Creates the tally of a relationship without reading its links, if all objects at both ends were migrated exactly
  /// once.
  init(of count: Int, carrier: RelationshipEnd) {
    (all, carried) = (count, count)
    expected = [carrier: count]
    most = [carrier: count]
  }

  /// Creates a tally by reading each link.
  ///
  /// - Parameters:
  ///   - readers: The entity mappings with expressions that read the relationship.
  ///   - keys: The keys of the source objects from which each entity mapping created objects, by the mapping's index.
  ///   - migrated: The keys of all migrated source objects, at the owner's end and at the target's.
  ///   - unassociated: The keys of source objects for which a policy created objects without associating them.
  init(
    of end: RelationshipEnd, in store: PersistentStore, _ contributions: [LinkContributions.Contribution],
    readers: [LinkContributions.Reader], keys: [Int: KeySet], migrated: (owners: KeySet, targets: KeySet),
    unassociated: (owners: KeySet, targets: KeySet)
  ) throws {
    var targets: [RelationshipEnd: [Int: Set<Int>]] = [:]
    for contribution in contributions {
      for owner in contribution.owners {
        targets[contribution.carrier, default: [:]][owner, default: []].formUnion(contribution.targets)
      }
    }
    let none = KeySet()
    var routes = targets.flatMap { carrier, byOwner in
      byOwner.map { owner, targets in
        Route(
          carrier: carrier, owners: keys[owner] ?? none, targets: targets.map { keys[$0] ?? none })
      }
    }
    // Relationship mappings that name no entity mapping must carry the links of every migrated object, unless an
    // expression for a relationship of the object reads them instead.
    let fitting = Ends(contributions.filter(\.mustFit).map { ($0.mappingIndex, $0.isForward) }, keys)
    let choosing = Ends(readers.filter(\.mayChoose).map { ($0.mappingIndex, $0.isForward) }, keys)
    let reading = Ends(readers.map { ($0.mappingIndex, $0.isForward) }, keys)
    var (all, carried, unmigrated, unfit, replaced, lost) = (0, 0, 0, 0, 0, 0)
    // An object that was migrated exists, so only the rows of others need to be looked up.
    var (doubtfulOwners, doubtfulTargets) = (KeySet(), KeySet())
    try routes.withUnsafeMutableBufferPointer { routes in
      try store.forEachLink(ofEntity: end.entity, relationship: end.name) { owner, target in
        all += 1
        var isCarried = false
        for index in routes.indices where routes[index].take(owner: owner, target: target) { isCarried = true }
        if isCarried { carried += 1 }
        let isOwnerMigrated = migrated.owners.contains(owner)
        let isTargetMigrated = migrated.targets.contains(target)
        guard isOwnerMigrated, isTargetMigrated else {
          unmigrated += 1
          if isOwnerMigrated || unassociated.owners.contains(owner),
            isTargetMigrated || unassociated.targets.contains(target)
          {
            lost += 1
          }
          if !isOwnerMigrated { doubtfulOwners.insert(owner) }
          if !isTargetMigrated { doubtfulTargets.insert(target) }
          return
        }
        if isCarried { return }
        if reading.contain(owner, target) { replaced += 1 }
        if fitting.contain(owner, target), !choosing.contain(owner, target) { unfit += 1 }
      }
    }
    (self.all, self.carried, self.unmigrated) = (all, carried, unmigrated)
    (self.unfit, self.replaced, self.unassociated) = (unfit, replaced, lost)
    dangling = try Self.dangling(end, in: store, owners: doubtfulOwners, targets: doubtfulTargets)
    for route in routes {
      expected[route.carrier, default: 0] += route.links
      most[route.carrier, default: 0] += route.doubles
    }
  }

  /// Returns the number of links with a missing row at one end.
  ///
  /// - Parameters:
  ///   - owners: The owners that may be missing.
  ///   - targets: The targets that may be missing.
  private static func dangling(
    _ end: RelationshipEnd, in store: PersistentStore, owners: KeySet, targets: KeySet
  ) throws -> Int {
    let missing = try store.missingRows(
      ofEntity: end.entity, relationship: end.name, owners: owners, targets: targets)
    guard missing.owners.count > 0 || missing.targets.count > 0 else { return 0 }
    var count = 0
    try store.forEachLink(ofEntity: end.entity, relationship: end.name) { owner, target in
      if missing.owners.contains(owner) || missing.targets.contains(target) { count += 1 }
    }
    return count
  }
}
