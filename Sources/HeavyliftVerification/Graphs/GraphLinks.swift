import HeavyliftModel

/// All links of a graph, from both sides, no matter which side was written.
struct GraphLinks {
  /// The side of a relationship that belongs to one object.
  struct Side: Hashable {
    var object: String
    var relationship: String
  }

  private struct Link: Hashable {
    var side: Side
    var target: String
  }

  /// The targets of each side that has any.
  private(set) var targets: [Side: [String]] = [:]
  private(set) var mistakes: [Diagnostic] = []
  /// Every target of every side; a set, because an object can have very many targets.
  private var links: Set<Link> = []
  private let objects: [String: ObjectGraph.Object]
  private let entities: [String: GraphEntity]

  init(_ graph: ObjectGraph, model: ManagedObjectModel) {
    let model = model.withImpliedInverses
    objects = Dictionary(graph.objects.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    entities = Dictionary(
      model.entities.map { ($0.name, GraphEntity($0, in: model)) }, uniquingKeysWith: { first, _ in first })
    for object in graph.objects {
      for relationship in entities[object.entityName]?.sortedRelationships ?? [] {
        guard let names = object.relationships[relationship.name] else { continue }
        let side = Side(object: object.name, relationship: relationship.name)
        let known = names.filter { isTarget($0, of: relationship, object, model) }
        targets[side] = known
        for name in known { links.insert(Link(side: side, target: name)) }
      }
    }
    for object in graph.objects {
      for relationship in entities[object.entityName]?.sortedRelationships ?? [] {
        follow(relationship, of: object)
      }
    }
  }

  /// The targets of a relationship, in the order in which they were written.
  func targets(of object: String, _ relationship: String) -> [String] {
    targets[Side(object: object, relationship: relationship)] ?? []
  }

  private mutating func isTarget(
    _ name: String, of relationship: RelationshipDescription, _ object: ObjectGraph.Object, _ model: ManagedObjectModel
  ) -> Bool {
    let place = object.propertyLocations[relationship.name]
    guard let target = objects[name] else {
      let fitting = objects.values.filter { isOf($0, relationship, model) }.map(\.name)
      mistakes.append(GraphMistake.unknownObject(name, known: fitting).diagnostic(at: place))
      return false
    }
    guard isOf(target, relationship, model) else {
      let expected = relationship.destinationEntityName ?? ""
      mistakes.append(
        GraphMistake.wrongTarget(
          relationship.name, entity: object.entityName, expected: expected, target: name, found: target.entityName
        ).diagnostic(at: place))
      return false
    }
    return true
  }

  private func isOf(
    _ object: ObjectGraph.Object, _ relationship: RelationshipDescription, _ model: ManagedObjectModel
  ) -> Bool {
    guard let wanted = relationship.destinationEntityName, let entity = model.entity(named: object.entityName) else {
      return false
    }
    return model.entity(entity, isKindOf: wanted)
  }

  /// Adds the other side of a written relationship, and records a mistake if both sides are written and disagree.
  private mutating func follow(_ relationship: RelationshipDescription, of object: ObjectGraph.Object) {
    guard let inverse = relationship.inverseName, object.relationships[relationship.name] != nil else { return }
    for name in targets(of: object.name, relationship.name) {
      guard let target = objects[name],
        let back = entities[target.entityName]?.relationships[inverse]
      else { continue }
      let side = Side(object: name, relationship: inverse)
      if links.contains(Link(side: side, target: object.name)) { continue }
      if target.relationships[inverse] != nil {
        mistakes.append(
          GraphMistake.inverseDisagrees(
            object: object.name, relationship: relationship.name, target: name, inverse: inverse
          ).diagnostic(at: object.propertyLocations[relationship.name]))
      } else if !back.isToMany, let first = targets[side]?.first {
        let mistake =
          back.isImplied
          ? GraphMistake.severalOwners(
            target: name, relationship: relationship.name, first: first, second: object.name)
          : .severalSources(target: name, inverse: inverse, first: first, second: object.name)
        mistakes.append(mistake.diagnostic(at: object.propertyLocations[relationship.name]))
      } else {
        targets[side, default: []].append(object.name)
        links.insert(Link(side: side, target: object.name))
      }
    }
  }
}
