import HeavyliftModel

/// Connects the objects of a varied graph, from one side of each relationship.
struct VariedLinks {
  private let model: ManagedObjectModel
  private let sides: RelationshipSides
  private let entities: [String: GraphEntity]
  private(set) var notes: [String] = []

  init(model: ManagedObjectModel, entities: [GraphEntity]) {
    self.model = model
    let sides = RelationshipSides(model: model)
    self.entities = Dictionary(
      entities.map { ($0.name, sides.entity($0)) }, uniquingKeysWith: { first, _ in first })
    self.sides = sides
  }

  mutating func connect(_ graph: inout ObjectGraph) {
    var taken: Set<GraphLinks.Side> = []
    // Sides of relationships that are their own inverse: those that are written, and those that follow from them.
    var (own, following): (Set<GraphLinks.Side>, Set<GraphLinks.Side>) = ([], [])
    for index in graph.objects.indices {
      let object = graph.objects[index]
      guard let entity = entities[object.entityName],
        let part = VariedGraph.Part.allCases.first(where: {
          VariedGraph.name($0, of: object.entityName) == object.name
        })
      else { continue }
      for relationship in entity.sortedRelationships where sides.isOwner(relationship) && !relationship.isTransient {
        let isOwnInverse = relationship.inverseName == relationship.name
        let side = GraphLinks.Side(object: object.name, relationship: relationship.name)
        if isOwnInverse, following.contains(side) { continue }
        let targets = targets(of: relationship, part, object).filter { target in
          if isOwnInverse, own.contains(GraphLinks.Side(object: target, relationship: relationship.name)) {
            return false
          }
          guard let inverse = sides.inverse(of: relationship), !inverse.isToMany else { return true }
          // A to-one inverse has room for only one target.
          return taken.insert(GraphLinks.Side(object: target, relationship: inverse.name)).inserted
        }
        guard !targets.isEmpty else { continue }
        graph.objects[index].relationships[relationship.name] = targets
        if isOwnInverse {
          own.insert(side)
          for target in targets {
            following.insert(GraphLinks.Side(object: target, relationship: relationship.name))
          }
        }
        if !relationship.isToMany {
          taken.insert(side)
        }
      }
    }
  }

  private func targets(
    of relationship: RelationshipDescription, _ part: VariedGraph.Part, _ object: ObjectGraph.Object
  ) -> [String] {
    guard let wanted = model.entity(named: relationship.destinationEntityName) else { return [] }
    // The first entity that can have objects; other entities of the hierarchy are connected by their own relationships.
    let concrete = entities.keys.sorted().filter { name in
      model.entity(named: name).map { model.entity($0, isKindOf: wanted.name) } ?? false
    }
    guard let entity = concrete.first(where: { $0 == wanted.name }) ?? concrete.first else { return [] }
    let name = { (part: VariedGraph.Part) in VariedGraph.name(part, of: entity) }
    let isMandatory = relationship.requiresTarget
    let leadsToOne = sides.inverse(of: relationship).map { !$0.isToMany } ?? false
    if relationship.isToMany {
      switch part {
      case .most: return leadsToOne ? [name(.most), name(.plain)] : [name(.most), name(.least), name(.plain)]
      case .least: return [name(.least)]
      case .plain, .empty: return isMandatory ? [name(leadsToOne ? part : .plain)] : []
      }
    }
    switch part {
    case .most: return [name(.most)]
    case .least: return [name(.least)]
    // If the inverse is to-many, two objects share a target.
    case .empty: return leadsToOne ? (isMandatory ? [name(.empty)] : []) : [name(.most)]
    case .plain: return isMandatory ? [name(leadsToOne ? .plain : .least)] : []
    }
  }
}
