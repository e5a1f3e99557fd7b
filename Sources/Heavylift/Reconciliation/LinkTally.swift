import HeavyliftModel
import HeavyliftStore

/// The links of one source relationship, counted by the entity mappings that take the objects at both ends.
struct LinkTally {
  /// All links.
  private(set) var all = 0
  /// Links that at least one entity mapping carries.
  var carried = 0
  /// Links without an object at one end among those that were migrated.
  var unmigrated = 0
  /// Links between migrated objects that a relationship gives to whichever entity mapping fits, and that none fits.
  private(set) var unfit = 0
  /// Links that must be in a destination relationship, by the entity mappings of their two objects.
  private(set) var expected: [RelationshipEnd: [Pair: Int]] = [:]
  /// Links that may be in a destination relationship: several if several entity mappings make objects of one at an end.
  var most: [RelationshipEnd: Int] = [:]

  /// The places of the entity mappings that take the objects at a link's ends.
  struct Pair: Hashable {
    var owner: Int
    var target: Int
  }

  /// Every object at both ends was migrated once, and the links are one relationship's.
  init(of count: Int, carrier: RelationshipEnd, _ pair: Pair) {
    (all, carried) = (count, count)
    expected = [carrier: [pair: count]]
    most = [carrier: count]
  }

  /// Counts link by link.
  ///
  /// - Parameters:
  ///   - made: The keys of the source objects of which each entity mapping made objects, by its place.
  ///   - migrated: The keys of all source objects that were migrated, at the owner's end and at the target's.
  init(
    of end: RelationshipEnd, in store: PersistentStore, _ contributions: [LinkContributions.Contribution],
    made: [Int: KeySet], migrated: (owners: KeySet, targets: KeySet)
  ) throws {
    struct Reach {
      var carrier: RelationshipEnd
      var owner: Int
      var targets: [Int]
    }
    var targets: [RelationshipEnd: [Int: Set<Int>]] = [:]
    for contribution in contributions {
      for owner in contribution.owners {
        targets[contribution.carrier, default: [:]][owner, default: []].formUnion(contribution.targets)
      }
    }
    let pairs = targets.flatMap { carrier, byOwner in
      byOwner.map { Reach(carrier: carrier, owner: $0.key, targets: $0.value.sorted()) }
    }
    let none = KeySet()
    let owners = pairs.map { made[$0.owner] ?? none }
    let others = pairs.map { $0.targets.map { made[$0] ?? none } }
    // A link to an object of which several entity mappings take counterparts counts for the first of them.
    var links = pairs.map { [Int](repeating: 0, count: $0.targets.count) }
    var doubles = [Int](repeating: 0, count: pairs.count)
    // The objects of relationships that name no entity mapping are to come along if they are migrated at all.
    var automatic: (owners: KeySet, targets: KeySet) = (KeySet(), KeySet())
    for contribution in contributions where contribution.isAutomatic {
      let places = contribution.isForward ? contribution.owners : contribution.targets
      for place in places {
        if contribution.isForward {
          automatic.owners.formUnion(made[place] ?? none)
        } else {
          automatic.targets.formUnion(made[place] ?? none)
        }
      }
    }
    var (all, carried, unmigrated, unfit) = (0, 0, 0, 0)
    try store.forEachLink(ofEntity: end.entity, relationship: end.name) { owner, target in
      all += 1
      var isCarried = false
      for place in pairs.indices where owners[place].contains(owner) {
        guard let first = others[place].firstIndex(where: { $0.contains(target) }) else { continue }
        isCarried = true
        links[place][first] += 1
        doubles[place] += others[place].count { $0.contains(target) }
      }
      if isCarried { carried += 1 }
      let isMigrated = migrated.owners.contains(owner) && migrated.targets.contains(target)
      if !isMigrated { unmigrated += 1 }
      if isMigrated, !isCarried, automatic.owners.contains(owner) || automatic.targets.contains(target) { unfit += 1 }
    }
    (self.all, self.carried, self.unmigrated, self.unfit) = (all, carried, unmigrated, unfit)
    for (place, pair) in pairs.enumerated() {
      for (number, target) in pair.targets.enumerated() {
        expected[pair.carrier, default: [:]][Pair(owner: pair.owner, target: target)] = links[place][number]
      }
      most[pair.carrier, default: 0] += doubles[place]
    }
  }
}
