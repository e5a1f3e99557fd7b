/// The properties that the handlers of a stage have read, or set to nil: their author has thought of them.
package final class HandledProperties {
  private struct Property: Hashable {
    var entity: String
    var name: String
  }

  private var properties: Set<Property> = []
  /// The attributes that have been noted, by the entity's index: reading an attribute again costs next to nothing.
  private var knownSlots: [Int: SlotSet] = [:]

  package init() {}

  /// Returns true if a property that meets a condition was read or set to nil.
  package func contains(where isWanted: (_ entity: String, _ property: String) -> Bool) -> Bool {
    properties.contains { isWanted($0.entity, $0.name) }
  }

  func note(_ name: String, of entity: EntityRuntime) { properties.insert(Property(entity: entity.name, name: name)) }

  func note(attributeAt slot: Int, of entity: EntityRuntime) {
    if knownSlots[entity.index]?.contains(slot) == true { return }
    _ = knownSlots[entity.index, default: SlotSet()].insert(slot)
    note(entity.attributes[slot].description.name, of: entity)
  }
}
