/// The inheritance hierarchies of a model, with broken links removed.
///
/// Entities are identified by their index in `model.entities`, because names may not be unique. Links to missing
/// parents and one link of each cycle are dropped, so the remaining links form a forest, and every walk ends.
struct EntityForest {
  let parents: [Int?]
  /// The inheritance cycles, each listed once and starting with the entity that comes first in the model.
  let cycles: [[Int]]
  /// For each entity, true if an ancestor is missing or in a cycle, so that the inherited properties are unknown.
  let isBroken: [Bool]
  /// The entities, each before its descendants, hierarchy by hierarchy.
  let order: [Int]
  /// For each entity, its index in `order`.
  let position: [Int]
  /// For each entity, the index in `order` just past its last descendant.
  let end: [Int]

  init(_ entities: [EntityDescription], numbers: [String: Int]) {
    var parents = entities.map { $0.superentityName.flatMap { numbers[$0] } }
    cycles = Self.cycles(parents)
    var broken = entities.indices.map { entities[$0].superentityName != nil && parents[$0] == nil }
    for cycle in cycles {
      parents[cycle[0]] = nil
      broken[cycle[0]] = true
    }
    self.parents = parents

    var children = [[Int]](repeating: [], count: entities.count)
    for (child, parent) in parents.enumerated() {
      if let parent { children[parent].append(child) }
    }
    var order: [Int] = []
    var position = [Int](repeating: 0, count: entities.count)
    var end = position
    // An explicit stack: a file can nest a hierarchy deeper than the call stack allows.
    var stack = parents.indices.reversed().filter { parents[$0] == nil }.map { (entity: $0, isDone: false) }
    while let (entity, isDone) = stack.popLast() {
      if isDone {
        end[entity] = order.count
        continue
      }
      position[entity] = order.count
      order.append(entity)
      if let parent = parents[entity], broken[parent] { broken[entity] = true }
      stack.append((entity, true))
      stack.append(contentsOf: children[entity].reversed().map { ($0, false) })
    }
    (self.order, self.position, self.end, isBroken) = (order, position, end, broken)
  }

  /// Returns true if `entity` is `ancestor` or inherits from it.
  func isKind(_ entity: Int, of ancestor: Int) -> Bool {
    position[ancestor] <= position[entity] && position[entity] < end[ancestor]
  }

  private static func cycles(_ parents: [Int?]) -> [[Int]] {
    var cycles: [[Int]] = []
    // For each entity, the start of the first walk that reached it.
    var walks = [Int?](repeating: nil, count: parents.count)
    for start in parents.indices {
      var current: Int? = start
      while let entity = current, walks[entity] == nil {
        walks[entity] = start
        current = parents[entity]
      }
      guard let entity = current, walks[entity] == start else { continue }
      var cycle = [entity]
      while let next = parents[cycle[cycle.count - 1]], next != entity { cycle.append(next) }
      let first = cycle.indices.min { cycle[$0] < cycle[$1] } ?? 0
      cycles.append(Array(cycle[first...] + cycle[..<first]))
    }
    return cycles
  }
}
