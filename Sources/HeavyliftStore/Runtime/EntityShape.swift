import HeavyliftExpression

/// The slots of the properties of each entity in a store, by key.
final class StoreShapes: Sendable {
  /// The kind of property that a key names, with its slot.
  enum Key: Hashable, Sendable {
    case attribute(Int)
    case toOne(Int, destination: Int)
    case toMany(Int)
  }

  /// The identity and the keys of each entity, by its index.
  let entities: [(owner: ObjectIdentifier, keys: [String: (number: Int, key: Key)])]

  init(_ entities: [EntityRuntime]) {
    self.entities = entities.map { entity in
      var keys: [String: (number: Int, key: Key)] = [:]
      for (name, slot) in entity.slots {
        switch slot {
        case .attribute(let slot): keys[name] = (slot << 2, .attribute(slot))
        case .toOne(let slot):
          keys[name] = (slot << 2 | 1, .toOne(slot, destination: entity.toOnes[slot].destination))
        case .toMany(let slot): keys[name] = (slot << 2 | 2, .toMany(slot))
        }
      }
      return (ObjectIdentifier(entity), keys)
    }
  }
}

/// The shape of an entity's objects.
struct EntityShape: ExpressionObjectShape {
  private let shapes: StoreShapes
  private let index: Int

  init(_ shapes: StoreShapes, index: Int) {
    self.shapes = shapes
    self.index = index
  }

  func slot(forKey key: String) -> ExpressionSlot? {
    let entity = shapes.entities[index]
    return entity.keys[key].map { ExpressionSlot(owner: entity.owner, number: $0.number) }
  }

  func shape(forKey key: String) -> (any ExpressionObjectShape)? {
    guard case .toOne(_, let destination)? = shapes.entities[index].keys[key]?.key else { return nil }
    return EntityShape(shapes, index: destination)
  }
}
