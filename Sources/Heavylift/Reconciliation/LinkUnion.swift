import HeavyliftModel
import HeavyliftStore

/// The links that a destination relationship gets from several source relationships, or from both ends of one that its
/// entity mappings set differently. A link that it gets several times counts once, so every link must be read.
struct LinkUnion {
  /// A link's object, identified by its source object and the entity mapping.
  struct Object: Hashable, Comparable {
    let key: Int64
    let mappingIndex: Int

    static func < (one: Object, other: Object) -> Bool {
      (one.key, one.mappingIndex) < (other.key, other.mappingIndex)
    }
  }

  struct Link: Hashable {
    let owner: Object
    let target: Object
  }

  /// The entity mappings that carry links of a source relationship from the objects of one entity mapping.
  private struct Route {
    let owner: Int
    let targets: [Int]
    let isTurned: Bool
  }

  /// The maximum number of links in memory at a time.
  private static let mostLinks = 1 << 20

  private let store: PersistentStore
  private let keys: [Int: KeySet]
  /// True if the destination relationship is its own inverse, so that it contains each link in both directions.
  private let isReflexive: Bool
  private let routes: [RelationshipEnd: [Route]]
  private let partCount: UInt64

  /// - Parameters:
  ///   - count: The number of links of all source relationships.
  ///   - keys: The keys of the source objects from which each entity mapping created objects, by the mapping's index.
  init(
    of contributions: [LinkContributions.Contribution], count: Int, isReflexive: Bool, in store: PersistentStore,
    keys: [Int: KeySet]
  ) {
    (self.store, self.keys, self.isReflexive) = (store, keys, isReflexive)
    routes = contributions.reduce(into: [:]) { routes, contribution in
      for owner in contribution.owners {
        routes[contribution.end, default: []].append(
          Route(owner: owner, targets: contribution.targets.sorted(), isTurned: contribution.isTurned))
      }
    }
    partCount = UInt64(count / Self.mostLinks + 1)
  }

  /// Returns the number of links that the destination must have, and the number that it may have: a source link can
  /// yield several if several entity mappings create counterparts of a target.
  func counts() throws -> (least: Int, most: Int) {
    var (least, most) = (0, 0)
    for part in 0..<partCount {
      for (link, isRequired) in try links(part) {
        let count = isReflexive && link.owner != link.target ? 2 : 1
        most += count
        if isRequired { least += count }
      }
    }
    return (least, most)
  }

  /// Returns the required links that a store does not contain, the first ones sorted.
  ///
  /// - Parameters:
  ///   - carrier: The destination relationship.
  ///   - rules: The rules for the keys of each entity mapping's objects.
  func missing(
    from destination: PersistentStore, _ carrier: RelationshipEnd, rules: [Int: KeyRule], atMost limit: Int
  ) throws -> (count: Int, examples: [Link]) {
    func key(of object: Object) -> Int64 { rules[object.mappingIndex]?.destinationKey(ofSource: object.key) ?? 0 }
    func keys(_ owner: Int64, _ target: Int64) -> [Int64] {
      isReflexive ? [min(owner, target), max(owner, target)] : [owner, target]
    }
    var (count, examples): (Int, [Link]) = (0, [])
    for part in 0..<partCount {
      var wanted: [[Int64]: Link] = [:]
      for (link, isRequired) in try links(part) where isRequired {
        wanted[keys(key(of: link.owner), key(of: link.target))] = link
      }
      try destination.forEachLink(ofEntity: carrier.entity, relationship: carrier.name) { owner, target in
        wanted[keys(owner, target)] = nil
      }
      count += wanted.count
      examples += wanted.values.sorted { ($0.owner, $0.target) < ($1.owner, $1.target) }.prefix(limit)
    }
    return (count, Array(examples.prefix(limit)))
  }

  /// Returns some of the links in the destination's direction. The value is true for a link that the destination must
  /// have.
  private func links(_ part: UInt64) throws -> [Link: Bool] {
    var links: [Link: Bool] = [:]
    for (end, routes) in routes {
      try store.forEachLink(ofEntity: end.entity, relationship: end.name) { owner, target in
        for route in routes where keys[route.owner]?.contains(owner) == true {
          var isRequired = true
          for mappingIndex in route.targets where keys[mappingIndex]?.contains(target) == true {
            var one = Object(key: owner, mappingIndex: route.owner)
            var other = Object(key: target, mappingIndex: mappingIndex)
            if isReflexive ? other < one : route.isTurned { swap(&one, &other) }
            if UInt64(bitPattern: one.key) % partCount == part {
              let link = Link(owner: one, target: other)
              links[link] = isRequired || links[link] == true
            }
            isRequired = false
          }
        }
      }
    }
    return links
  }
}
