import HeavyliftModel
import HeavyliftStore

/// The links that a destination relationship receives, if policies have associated some of the objects at their ends. An
/// object can have several counterparts, and several objects one, so the number of links does not tell whether any is
/// missing: each source link is looked up in the destination.
struct RecordedLinks {
  private struct Link: Hashable {
    var owner: Int64
    var target: Int64
  }

  /// The entity mappings that carry links of a source relationship from the objects of one entity mapping.
  private struct Route {
    var owner: Int
    var targets: Set<Int>
    var isTurned: Bool
  }

  /// The counterparts of an object at one end of a link.
  private struct Counterparts {
    var keys: [Int64] = []
    /// True if they may be counterparts of other objects as well.
    var mayBeShared = false
  }

  /// The maximum number of links in memory at a time.
  private static let mostLinks = 1 << 20

  private let routes: [RelationshipEnd: [Route]]
  private let keys: [Int: KeySet]
  private let rules: [Int: KeyRule]
  private let recorded: [Int: (Int64) throws -> [Int64]]
  private let store: PersistentStore

  /// - Parameters:
  ///   - keys: The keys of the source objects with counterparts, by the index of the entity mapping.
  ///   - rules: The rules for the keys of the counterparts that entity mappings declare.
  ///   - recorded: Returns the keys of a source object's counterparts, by the index of the entity mapping, if policies have
  ///     associated any.
  init(
    of contributions: [LinkContributions.Contribution], keys: [Int: KeySet], rules: [Int: KeyRule],
    recorded: [Int: (Int64) throws -> [Int64]], in store: PersistentStore
  ) {
    routes = contributions.reduce(into: [:]) { routes, contribution in
      for owner in contribution.owners {
        routes[contribution.end, default: []].append(
          Route(owner: owner, targets: contribution.targets, isTurned: contribution.isTurned))
      }
    }
    (self.keys, self.rules, self.recorded, self.store) = (keys, rules, recorded, store)
  }

  /// Returns the number of source links without a counterpart in a destination relationship.
  ///
  /// The counterpart of several objects has only one of their targets if the relationship is to-one. The policy that
  /// merged the objects decided that, so such links are not missing.
  func missing(
    from destination: PersistentStore, _ carrier: RelationshipEnd, in model: ManagedObjectModel
  ) throws -> Int {
    let inverse = model.inverse(of: carrier)
    let hasOneTarget = model.relationship(carrier.name, of: carrier.entity)?.isToMany == false
    let hasOneOwner = inverse.flatMap { model.relationship($0.name, of: $0.entity) }?.isToMany == false
    let count = try destination.linkCount(ofEntity: carrier.entity, relationship: carrier.name) ?? 0
    let partCount = Int64(count / Self.mostLinks + 1)
    var (found, number) = (KeySet(), Int64(0))
    for part in 0..<partCount {
      var (links, owners, targets) = (Set<Link>(), KeySet(), KeySet())
      try destination.forEachLink(ofEntity: carrier.entity, relationship: carrier.name) { owner, target in
        if hasOneTarget { owners.insert(owner) }
        if hasOneOwner { targets.insert(target) }
        if owner % partCount == part { links.insert(Link(owner: owner, target: target)) }
        if inverse == carrier, target % partCount == part { links.insert(Link(owner: target, target: owner)) }
      }
      number = 0
      try forEachLink { owner, target in
        number += 1
        let isFound =
          hasOneTarget && owner.mayBeShared && owner.keys.contains(where: owners.contains)
          || hasOneOwner && target.mayBeShared && target.keys.contains(where: targets.contains)
          || owner.keys.contains { owner in
            owner % partCount == part && target.keys.contains { links.contains(Link(owner: owner, target: $0)) }
          }
        if isFound { found.insert(number) }
      }
    }
    return Int(number) - found.count
  }

  /// Calls `body` with the counterparts of both ends of each source link, always in the same order, in the destination's
  /// direction.
  private func forEachLink(_ body: (_ owner: Counterparts, _ target: Counterparts) throws -> Void) throws {
    for (end, routes) in routes.sorted(by: { ($0.key.entity, $0.key.name) < ($1.key.entity, $1.key.name) }) {
      try store.forEachLink(ofEntity: end.entity, relationship: end.name) { owner, target in
        for route in routes {
          let one = try counterparts(of: owner, through: [route.owner])
          guard !one.keys.isEmpty else { continue }
          let other = try counterparts(of: target, through: route.targets)
          guard !other.keys.isEmpty else { continue }
          if route.isTurned { try body(other, one) } else { try body(one, other) }
        }
      }
    }
  }

  private func counterparts(of key: Int64, through mappings: Set<Int>) throws -> Counterparts {
    var found = Counterparts()
    for mapping in mappings where keys[mapping]?.contains(key) == true {
      if let recorded = recorded[mapping] {
        found.keys += try recorded(key)
        found.mayBeShared = true
      } else if let rule = rules[mapping] {
        found.keys.append(rule.destinationKey(ofSource: key))
      }
    }
    return found
  }
}
