import Heavylift

/// The access of an entity class's wrappers to the objects of one store: slots and codecs by the wrapper's number.
final class EntityBinding {
  let type: EntityType
  /// The names of the properties in the store.
  let names: [String]
  /// The slots in the store; -1 for a fetched property.
  let slots: [Int]
  private let codecs: [AnyObject]
  /// The initial values, which are computed for each object.
  private let freshValues: [(slot: Int, value: @Sendable () throws -> StoredValue)]

  init(_ entity: SchemaEntity, in store: PersistentStore) throws {
    type = entity.type
    names = entity.properties.map(\.name)
    let known = store.propertySlots(ofEntityNamed: entity.name) ?? [:]
    var slots: [Int] = []
    for property in entity.properties {
      switch known[property.name] {
      case .attribute(let slot)?, .toOne(let slot)?, .toMany(let slot)?: slots.append(slot)
      case nil:
        guard property.isFetched else {
          throw Diagnostic(
            .error, code: "schema.missing-property",
            problem: "the store's model has no property '\(property.name)' of entity '\(entity.name)'",
            remedy: "open the store with the model of the schema")
        }
        slots.append(-1)
      }
    }
    self.slots = slots
    let none = NoCodec()
    codecs = entity.properties.map { $0.codec ?? none }
    freshValues = zip(slots, entity.properties).compactMap { slot, property in
      property.freshValue.map { (slot, $0) }
    }
  }

  /// Returns the codec of an attribute.
  @inline(__always)
  func codec<Value>(_ number: Int) -> ValueCodec<Value> {
    // Each wrapper has the number of the declaration of its own type: see `EntityRecord.add`.
    unsafeDowncast(codecs[number], to: ValueCodec<Value>.self)
  }

  /// Gives a new object the values that are computed for each object.
  func addFreshValues(to object: ManagedObject) throws {
    for (slot, value) in freshValues { try object.setAttributeValue(value(), at: slot) }
  }
}

/// Takes the place of a codec for a relationship.
private final class NoCodec: Sendable {}
