import HeavyliftExpression
import HeavyliftModel

/// The prepared entities of a store, by name or number.
final class StoreRuntime {
  let entities: [EntityRuntime]
  /// True if triggers can change objects that are not part of a save.
  let hasDerivedAttributes: Bool
  let byName: [String: EntityRuntime]
  private let byNumber: [Int64: EntityRuntime]
  private let model: ManagedObjectModel

  init(model: ManagedObjectModel, layout: PhysicalLayout) {
    self.model = model
    let connected = model.withImpliedInverses
    let descriptions = Dictionary(model.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let known = layout.entities.filter { descriptions[$0.name] != nil }
    let places = Dictionary(
      known.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
    entities = known.enumerated().compactMap { index, layout in
      descriptions[layout.name].map { description in
        EntityRuntime(
          description, layout: layout, index: index,
          lineage: connected.entity(named: description.name).map(connected.lineage(of:)) ?? [description],
          destinations: places, model: model)
      }
    }
    byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    byNumber = Dictionary(entities.map { (Int64($0.layout.number), $0) }, uniquingKeysWith: { first, _ in first })
    hasDerivedAttributes = layout.entities.contains { $0.attributes.contains(where: \.isDerived) }
    connectInverses()
    connectAncestors()
  }

  /// The facts about entities that expressions can use before any objects exist.
  private(set) lazy var shapes = StoreShapes(entities)

  /// The environment in which the predicates of fetch requests are checked. The model is indexed only once.
  private(set) lazy var checking = CheckingEnvironment(indexedSource: ModelIndex(model), destination: nil)

  private func connectAncestors() {
    for entity in entities {
      var (number, seen) = (entity.layout.superNumber, Set([entity.layout.number]))
      var ancestors: Set<ObjectIdentifier> = []
      while let parent = self.entity(numbered: Int64(number)), seen.insert(number).inserted {
        ancestors.insert(parent.shapeOwner)
        number = parent.layout.superNumber
      }
      entity.ancestors = ancestors
    }
  }

  /// Returns the entity with that `Z_ENT`.
  func entity(numbered number: Int64) -> EntityRuntime? { byNumber[number] }

  private func connectInverses() {
    for entity in entities {
      for toOne in entity.toOnes { toOne.inverse = inverse(of: toOne.description, at: toOne.destination) }
      for toMany in entity.toManys { toMany.inverse = inverse(of: toMany.description, at: toMany.destination) }
    }
  }

  private func inverse(of relationship: RelationshipDescription, at destination: Int) -> EntityRuntime.Slot? {
    relationship.inverseName.flatMap { entities[destination].relationshipSlot(named: $0) }
  }
}
