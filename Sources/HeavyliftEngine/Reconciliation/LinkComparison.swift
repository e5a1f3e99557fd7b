import HeavyliftModel
import HeavyliftStore

/// Looks up each link of some source relationships in the destination relationship that receives them.
///
/// It is exact where counts are not: an object can have several counterparts, several objects can have one, and the same
/// link can come from several relationships.
struct LinkComparison {
  /// An object at an end of a source link.
  struct Object: Hashable {
    let key: Int64
    /// The entity mapping that takes it.
    let mappingIndex: Int
  }

  struct Result {
    /// The number of links that must be in the destination, but are not.
    var missing = 0
    /// The objects of the first of them, in the destination's direction.
    var examples: [(owner: Object, target: Object)] = []
    /// The number of links in the destination that no source link explains.
    var surplus = 0
  }

  private struct Link: Hashable {
    var owner: Int64
    var target: Int64

    var turned: Link { Link(owner: target, target: owner) }
  }

  /// The entity mappings that carry links of a source relationship from the objects of one entity mapping.
  private struct Route {
    var end: RelationshipEnd
    var owner: Int
    var targets: [Int]
    var isTurned: Bool
  }

  /// The counterparts of an object at one end of a link, through one or several entity mappings.
  private struct Counterparts {
    var object: Object
    var keys: [Int64] = []
    /// True if they may be counterparts of other objects as well.
    var mayBeShared = false
  }

  /// The maximum number of links in memory at a time.
  private static let mostLinks = 1 << 20
  private static let mostExamples = 3

  private let source: PersistentStore
  private let destination: PersistentStore
  private let carrier: RelationshipEnd
  private let routes: [Route]
  private let keys: [Int: KeySet]
  private let rules: [Int: KeyRule]
  private let recorded: [Int: (Int64) throws -> [Int64]]
  /// True if the destination relationship is its own inverse, so that it contains each link in both directions.
  private let isReflexive: Bool
  private let hasOneTarget: Bool
  private let hasOneOwner: Bool
  private let partCount: Int64

  /// - Parameters:
  ///   - held: The number of links in the destination relationship.
  ///   - keys: The keys of the source objects with counterparts, by the index of the entity mapping.
  ///   - recorded: Returns the keys of a source object's counterparts, by the index of the entity mapping, if policies have
  ///     associated any.
  init(
    of contributions: [LinkContributions.Contribution], with carrier: RelationshipEnd, _ held: Int,
    in stores: MappedStores, _ destination: PersistentStore, keys: [Int: KeySet],
    recorded: [Int: (Int64) throws -> [Int64]]
  ) {
    (source, self.destination, self.carrier) = (stores.sourceStore, destination, carrier)
    (self.keys, rules, self.recorded) = (keys, stores.keys.rules, recorded)
    routes = contributions.flatMap { contribution in
      contribution.owners.sorted().map {
        Route(
          end: contribution.end, owner: $0, targets: contribution.targets.sorted(), isTurned: contribution.isTurned)
      }
    }.sorted { ($0.end.entity, $0.end.name, $0.owner) < ($1.end.entity, $1.end.name, $1.owner) }
    let model = stores.originalModels.destination
    let inverse = model.inverse(of: carrier)
    isReflexive = inverse == carrier
    hasOneTarget = model.relationship(carrier.name, of: carrier.entity)?.isToMany == false
    hasOneOwner = inverse.flatMap { model.relationship($0.name, of: $0.entity) }?.isToMany == false
    partCount = Int64(held / Self.mostLinks + 1)
  }

  /// Compares all links.
  ///
  /// The counterpart of several objects has only one of their targets if the relationship is to-one. The policy that
  /// merged the objects decided that, so such links are not missing.
  func result() throws -> Result {
    var (result, found) = (Result(), KeySet())
    for part in 0..<partCount {
      var (links, owners, targets) = ([Link: Bool](), KeySet(), KeySet())
      try destination.forEachLink(ofEntity: carrier.entity, relationship: carrier.name) { owner, target in
        if hasOneTarget { owners.insert(owner) }
        if hasOneOwner { targets.insert(target) }
        let link = Link(owner: owner, target: target)
        if isIn(part, link) { links[link] = false }
      }
      func take(_ link: Link) -> Bool {
        guard isIn(part, link) else { return false }
        let isThere = links[link] != nil && (!isReflexive || links[link.turned] != nil)
        for link in isReflexive ? [link, link.turned] : [link] where links[link] != nil { links[link] = true }
        return isThere
      }
      try forEachLink { number, owner, target in
        var isFound =
          hasOneTarget && owner.mayBeShared && owner.keys.contains(where: owners.contains)
          || hasOneOwner && target.mayBeShared && target.keys.contains(where: targets.contains)
        for one in owner.keys {
          for other in target.keys where take(Link(owner: one, target: other)) { isFound = true }
        }
        if isFound { found.insert(number) }
      }
      result.surplus += links.count { !$0.value }
    }
    try addMissing(besides: found, to: &result)
    return result
  }

  /// A link that several relationships should have brought is missing once.
  private func addMissing(besides found: KeySet, to result: inout Result) throws {
    var missing: Set<Link> = []
    try forEachLink { number, owner, target in
      guard !found.contains(number), let one = owner.keys.first, let other = target.keys.first else { return }
      let link = Link(owner: one, target: other)
      guard !isReflexive || !missing.contains(link.turned), missing.insert(link).inserted,
        result.examples.count < Self.mostExamples
      else { return }
      result.examples.append((owner.object, target.object))
    }
    result.missing = missing.count
  }

  private func isIn(_ part: Int64, _ link: Link) -> Bool {
    partCount == 1 || (isReflexive ? min(link.owner, link.target) : link.owner) % partCount == part
  }

  /// Calls `body` with the counterparts of both ends of each source link, always in the same order, in the destination's
  /// direction. The numbers start at 1.
  private func forEachLink(_ body: (_ number: Int64, _ owner: Counterparts, _ target: Counterparts) throws -> Void)
    throws
  {
    var number: Int64 = 0
    for end in Set(routes.map(\.end)).sorted(by: { ($0.entity, $0.name) < ($1.entity, $1.name) }) {
      let routes = routes.filter { $0.end == end }
      try source.forEachLink(ofEntity: end.entity, relationship: end.name) { owner, target in
        for route in routes {
          guard let one = try counterparts(of: owner, through: [route.owner]),
            let other = try counterparts(of: target, through: route.targets)
          else { continue }
          number += 1
          if route.isTurned { try body(number, other, one) } else { try body(number, one, other) }
        }
      }
    }
  }

  private func counterparts(of key: Int64, through mappings: [Int]) throws -> Counterparts? {
    var found: Counterparts?
    for mapping in mappings where keys[mapping]?.contains(key) == true {
      var counterparts = found ?? Counterparts(object: Object(key: key, mappingIndex: mapping))
      if let recorded = recorded[mapping] {
        counterparts.keys += try recorded(key)
        counterparts.mayBeShared = true
      } else if let rule = rules[mapping] {
        counterparts.keys.append(rule.destinationKey(ofSource: key))
      }
      found = counterparts
    }
    return found?.keys.isEmpty == false ? found : nil
  }
}
