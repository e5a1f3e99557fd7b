import HeavyliftModel

/// The expected contents of a context, in plain dictionaries and arrays: the slow, obvious twin of
/// `ManagedObjectContext`.
struct ReferenceGraph: Equatable {
  struct Node: Equatable {
    var entity: String
    var values: [String: Int]
    var toOnes: [String: Int] = [:]
    /// In order where the relationship is ordered.
    var toManys: [String: [Int]] = [:]
  }

  struct Relationship {
    var name: String
    var isToMany: Bool
    var isOrdered: Bool
    var inverse: String?
    var owner: String
    var destination: String
  }

  static let relationships = relationships(of: Models.graph)
  /// Includes implied inverses of a to-many without an inverse: a target has one owner.
  private static let connected = relationships(of: Models.graph.withImpliedInverses)

  private static func relationships(of model: ManagedObjectModel) -> [Relationship] {
    model.entities.flatMap { entity in
      entity.relationships.map {
        Relationship(
          name: $0.name, isToMany: $0.isToMany, isOrdered: $0.isOrdered, inverse: $0.inverseName, owner: entity.name,
          destination: $0.destinationEntityName ?? "")
      }
    }
  }

  static func relationship(_ name: String) -> Relationship? { connected.first { $0.name == name } }

  private static func inverse(of relationship: Relationship) -> Relationship? {
    Self.relationship(relationship.name)?.inverse.flatMap(Self.relationship)
  }

  var nodes: [Int: Node] = [:]

  func isKind(_ id: Int, of entity: String) -> Bool {
    guard let own = nodes[id]?.entity else { return false }
    return own == entity || (own == "Leaf" && entity == "Node")
  }

  func targets(of id: Int, _ name: String) -> [Int] {
    guard let node = nodes[id], let relationship = Self.relationship(name) else { return [] }
    return relationship.isToMany ? node.toManys[name] ?? [] : node.toOnes[name].map { [$0] } ?? []
  }

  private mutating func store(_ targets: [Int], of id: Int, _ relationship: Relationship) {
    if relationship.isToMany {
      nodes[id]?.toManys[relationship.name] = targets
    } else {
      nodes[id]?.toOnes[relationship.name] = targets.first
    }
  }

  /// Removes the link at both ends.
  mutating func unlink(_ id: Int, _ relationship: Relationship, _ target: Int) {
    store(targets(of: id, relationship.name).filter { $0 != target }, of: id, relationship)
    guard let inverse = Self.inverse(of: relationship) else { return }
    store(targets(of: target, inverse.name).filter { $0 != id }, of: target, inverse)
  }

  /// Creates the link at both ends, replacing the target of a to-one.
  mutating func link(_ id: Int, _ relationship: Relationship, _ target: Int) {
    guard !targets(of: id, relationship.name).contains(target) else { return }
    if !relationship.isToMany { for old in targets(of: id, relationship.name) { unlink(id, relationship, old) } }
    guard let inverse = Self.inverse(of: relationship) else {
      return store(targets(of: id, relationship.name) + [target], of: id, relationship)
    }
    if !inverse.isToMany { for old in targets(of: target, inverse.name) { unlink(target, inverse, old) } }
    store(targets(of: id, relationship.name) + [target], of: id, relationship)
    if inverse.name != relationship.name || id != target {
      store(targets(of: target, inverse.name) + [id], of: target, inverse)
    }
  }

  mutating func set(_ id: Int, _ relationship: Relationship, _ targets: [Int]) {
    for old in self.targets(of: id, relationship.name) where !targets.contains(old) { unlink(id, relationship, old) }
    for target in targets { link(id, relationship, target) }
    if relationship.isOrdered { store(targets, of: id, relationship) }
  }

  mutating func insert(_ id: Int, _ relationship: Relationship, _ target: Int, at position: Int) {
    link(id, relationship, target)
    var targets = self.targets(of: id, relationship.name).filter { $0 != target }
    targets.insert(target, at: min(position, targets.count))
    store(targets, of: id, relationship)
  }

  mutating func delete(_ id: Int) {
    for relationship in Self.connected {
      for other in nodes.keys where targets(of: other, relationship.name).contains(id) {
        unlink(other, relationship, id)
      }
    }
    nodes[id] = nil
  }
}
