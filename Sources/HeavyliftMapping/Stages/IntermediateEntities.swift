import HeavyliftModel

/// The entities of an intermediate model: those of the destination version, followed by those that only the source
/// version has.
///
/// The hierarchy is the destination's, so that scripts can fetch entities as the new version declares them. A source
/// entity that the destination lacks stays below the counterpart of its nearest ancestor.
struct IntermediateEntities {
  struct Entity {
    var name: String
    /// The index of the parent among the intermediate entities.
    var parent: Int?
    /// The index of the entity in the source model; nil if it is new.
    var old: Int?
    /// The index of the entity in the destination model; nil if it was removed.
    var new: Int?
  }

  let source: ModelIndex
  let destination: ModelIndex
  /// An entity of the destination model has the same index here.
  private(set) var entities: [Entity]
  /// The intermediate entity of each source entity.
  let counterparts: [Int]
  /// The indexes of the entities, parents first.
  private(set) var order: [Int] = []
  /// For each entity, the source entities that can have objects of their own, and whose objects are its objects.
  private(set) var concreteSources: [[Int]] = []

  init(from source: ModelIndex, to destination: ModelIndex) {
    self.source = source
    self.destination = destination
    let (olds, news) = (source.model.entities, destination.model.entities)
    entities = news.enumerated().map { number, entity in
      Entity(name: entity.name, parent: destination.entity(named: entity.superentityName), new: number)
    }
    var counterparts = [Int?](repeating: nil, count: olds.count)
    let match = RenamingMatch(
      old: olds.map { RenamingMatch.Thing(name: $0.name, identifier: $0.renamingIdentifier) },
      new: news.map { RenamingMatch.Thing(name: $0.name, identifier: $0.renamingIdentifier) })
    for case (let old?, let new?) in match.pairs {
      counterparts[old] = new
      entities[new].old = old
    }
    let taken = Set(news.map { $0.name.uppercased() })
    for old in source.forest where counterparts[old] == nil {
      let name = olds[old].name
      counterparts[old] = entities.count
      entities.append(
        Entity(
          name: taken.contains(name.uppercased()) ? IntermediateModel.renameOld(name) : name,
          parent: source.entity(named: olds[old].superentityName).flatMap { counterparts[$0] }, old: old))
    }
    self.counterparts = counterparts.compactMap(\.self)
    order = Self.parentsFirst(entities)
    var sources = [[Int]](repeating: [], count: entities.count)
    for entity in order.reversed() {
      if let old = entities[entity].old, !olds[old].isAbstract { sources[entity].append(old) }
      if let parent = entities[entity].parent { sources[parent] += sources[entity] }
    }
    concreteSources = sources
  }

  private static func parentsFirst(_ entities: [Entity]) -> [Int] {
    var order: [Int] = []
    var isPlaced = [Bool](repeating: false, count: entities.count)
    for start in entities.indices {
      var path: [Int] = []
      var next: Int? = start
      while let entity = next, !isPlaced[entity] {
        isPlaced[entity] = true
        path.append(entity)
        next = entities[entity].parent
      }
      order += path.reversed()
    }
    return order
  }

  /// The entity and its ancestors, nearest first.
  func lineage(of entity: Int) -> some Sequence<Int> { sequence(first: entity) { entities[$0].parent } }

  func isKind(_ entity: Int, of ancestor: Int) -> Bool { lineage(of: entity).contains(ancestor) }

  func root(of entity: Int) -> Int { lineage(of: entity).reduce(entity) { $1 } }

  /// The destination entity whose properties the entity has: its own, or that of its nearest ancestor; nil if the whole
  /// lineage was removed.
  func shape(of entity: Int) -> Int? { lineage(of: entity).lazy.compactMap { entities[$0].new }.first }

  func isAbstract(_ entity: Int) -> Bool {
    let (old, new) = (entities[entity].old, entities[entity].new)
    // An entity that has become abstract keeps its objects until the script has replaced them.
    return (old.map { source.model.entities[$0].isAbstract } ?? true)
      && (new.map { destination.model.entities[$0].isAbstract } ?? true)
  }

  /// The nearest intermediate entity whose objects include those of a source entity and of its sub-entities; nil if
  /// there is none.
  func target(ofSource entity: Int) -> Int? {
    let concrete = source.entityAndSubentities(of: entity).filter { !source.model.entities[$0].isAbstract }
    return lineage(of: counterparts[entity]).first { candidate in
      concrete.allSatisfy { isKind(counterparts[$0], of: candidate) }
    }
  }
}

extension ModelIndex {
  /// The indexes of all entities, parents first.
  fileprivate var forest: [Int] {
    model.entities.indices.filter { entity(named: model.entities[$0].superentityName) == nil }
      .flatMap { entityAndSubentities(of: $0) }
  }
}
