extension MigrationGraph {
  /// Returns every shortest path from one model to another; empty if there is no path.
  func shortestPaths(from source: Int, to destination: Int, atMost limit: Int = 8) -> [[Int]] {
    var paths = [[source]]
    var seen: Set<Int> = [source]
    while !paths.isEmpty {
      let found = paths.filter { $0.last == destination }
      if !found.isEmpty { return Array(found.prefix(limit)) }
      var longer: [[Int]] = []
      for path in paths {
        for next in edges(from: path[path.count - 1]).keys.sorted() where !seen.contains(next) {
          longer.append(path + [next])
        }
      }
      seen.formUnion(longer.compactMap(\.last))
      // A thousand paths are enough to know that there are several.
      paths = Array(longer.prefix(1_000))
    }
    return []
  }

  /// Returns the path that skips the fewest versions; among several such paths, the shortest; among several of those,
  /// the one that goes hop by hop for as long as possible. Returns `nil` if there is no path.
  func pathSkippingLeast(from source: Int, to destination: Int) -> [Int]? {
    var best: [Int: PathCost] = [source: PathCost(skipped: 0, path: [source])]
    var open: Set<Int> = [source]
    while let next = open.min(by: { best[$0, default: .none] < best[$1, default: .none] }) {
      open.remove(next)
      let cost = best[next, default: .none]
      if next == destination { return cost.path }
      for (target, edge) in edges(from: next) where !cost.path.contains(target) {
        let candidate = PathCost(skipped: cost.skipped + edge.skippedCount, path: cost.path + [target])
        if let known = best[target], known <= candidate { continue }
        best[target] = candidate
        open.insert(target)
      }
    }
    return nil
  }

  /// Returns all models that can be reached through hops, including the first one.
  func reachable(from source: Int) -> Set<Int> {
    var found: Set<Int> = [source]
    var open = [source]
    while let next = open.popLast() {
      for other in edges(from: next).keys where found.insert(other).inserted { open.append(other) }
    }
    return found
  }

  /// Returns true if hops lead from a model back to the same model.
  func isOnCircle(_ model: Int) -> Bool { edges(from: model).keys.contains { reachable(from: $0).contains(model) } }
}

private struct PathCost: Comparable {
  var skipped: Int
  var path: [Int]

  static let none = PathCost(skipped: .max, path: [])

  static func < (one: PathCost, other: PathCost) -> Bool {
    if one.skipped != other.skipped { return one.skipped < other.skipped }
    if one.path.count != other.path.count { return one.path.count < other.path.count }
    return one.path.lexicographicallyPrecedes(other.path)
  }
}

extension MigrationGraph.Edge {
  /// The number of versions that the hop skips because it was inferred as a jump.
  var skippedCount: Int {
    if case .hop(let hop) = self { hop.jump?.skippedVersions.count ?? 0 } else { 0 }
  }
}
