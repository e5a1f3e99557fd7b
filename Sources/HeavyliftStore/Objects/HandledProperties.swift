import HeavyliftExpression
import HeavyliftModel

/// The properties of a store's objects that a program has read or set: its author has thought of them.
package final class HandledProperties {
  /// The handled properties of one entity, by slot.
  private struct Slots {
    var attributes = SlotSet()
    var toOnes = SlotSet()
    var toManys = SlotSet()
    /// The properties whose slots are too high for the sets.
    var others: Set<EntityRuntime.Slot> = []

    mutating func insert(_ slot: EntityRuntime.Slot) {
      let fits =
        switch slot {
        case .attribute(let number): attributes.insert(number)
        case .toOne(let number): toOnes.insert(number)
        case .toMany(let number): toManys.insert(number)
        }
      if !fits { others.insert(slot) }
    }

    func contains(_ slot: EntityRuntime.Slot) -> Bool {
      switch slot {
      case .attribute(let number): attributes.contains(number) || others.contains(slot)
      case .toOne(let number): toOnes.contains(number) || others.contains(slot)
      case .toMany(let number): toManys.contains(number) || others.contains(slot)
      }
    }
  }

  private let entities: [EntityRuntime]
  /// By the entity's index.
  private var slots: [Slots]

  package init(of store: PersistentStore) {
    entities = store.runtime.entities
    slots = [Slots](repeating: Slots(), count: entities.count)
  }

  /// Returns true if a property that meets a condition was read or set.
  package func contains(where isWanted: (_ entity: String, _ property: String) -> Bool) -> Bool {
    all.contains { isWanted($0.entity, $0.property) }
  }

  /// The handled properties, each with the entity of an object on which it was read or set.
  package var all: [(entity: String, property: String)] {
    zip(entities, slots).flatMap { entity, handled in
      entity.slots.filter { handled.contains($0.value) }.map { (entity.name, $0.key) }
    }
  }

  func note(_ slot: EntityRuntime.Slot, of entity: EntityRuntime) { slots[entity.index].insert(slot) }

  /// Records the relationships that a fetch request follows. Its attributes are only tested, so their values go nowhere.
  func note(_ request: FetchRequest, of entity: EntityRuntime) {
    for key in request.sortKeys { note(key.keyPath.split(separator: ".").map(String.init), from: [entity]) }
    request.predicate?.visit { expression in
      guard case .keyPath(let base, let path) = expression.kind else { return }
      let names = path.keys.compactMap { if case .name(let name) = $0 { name } else { nil } }
      // A variable of a subquery can be an object of any entity.
      if case .object = base.kind { note(names, from: [entity]) } else { note(names, from: entities) }
    }
  }

  private func note(_ names: [String], from start: [EntityRuntime]) {
    var owners = start
    for name in names {
      var targets: [EntityRuntime] = []
      for owner in owners {
        switch owner.slots[name] {
        case .toOne(let number)?: targets.append(entities[owner.toOnes[number].destination])
        case .toMany(let number)?: targets.append(entities[owner.toManys[number].destination])
        case .attribute?, nil: continue
        }
        if let slot = owner.slots[name] { note(slot, of: owner) }
      }
      owners = targets
    }
  }
}
