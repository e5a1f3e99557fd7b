import Foundation
import HeavyliftModel
import HeavyliftTestSupport

/// Generates models, and variations of models, from few names, so that properties hide, inherit and collide.
struct ModelGenerator {
  var random: SeededGenerator

  private static let entityNames = ["A", "B", "C", "D", "E"]
  private static let propertyNames = ["p", "q", "r", "s"]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  mutating func model() -> ManagedObjectModel {
    var entities: [EntityDescription] = []
    for name in Self.entityNames where !chance(4) { entities.append(entity(name)) }
    return ManagedObjectModel(
      versionIdentifiers: chance(2) ? [] : ["1"], entities: entities,
      composites: chance(2) ? [] : [composite()],
      configurations: chance(2) ? [] : [ConfigurationDescription(name: "K", entityNames: ["A"])],
      fetchRequestTemplates: chance(2) ? [] : [FetchRequestDescription(name: "F", entityName: "A")])
  }

  private mutating func entity(_ name: String) -> EntityDescription {
    var entity = EntityDescription(name: name, isAbstract: chance(4))
    // Mostly an earlier entity, so that cycles exist but are rare.
    if chance(2) {
      entity.superentityName =
        chance(6)
        ? pick(Self.entityNames + ["Nowhere"]) : Self.entityNames.filter { $0 < name }.randomElement(using: &random)
    }
    for property in Self.propertyNames where chance(2) {
      if chance(3) {
        entity.relationships.append(relationship(property))
      } else {
        entity.attributes.append(attribute(property))
      }
    }
    if chance(4) { entity.uniquenessConstraints = [.init([pick(Self.propertyNames)])] }
    if chance(4) { entity.versionHashModifier = pick(["", "p", "2"]) }
    if chance(4) { entity.renamingIdentifier = pick(Self.entityNames) }
    return entity
  }

  private mutating func attribute(_ name: String) -> AttributeDescription {
    var attribute = AttributeDescription(
      name: name, type: pick([.string, .date, .composite]), isOptional: chance(2), isTransient: chance(4))
    if attribute.type == .composite { attribute.compositeName = pick([nil, "Y", "Z", "Z"]) }
    return attribute
  }

  private mutating func composite() -> CompositeDescription {
    CompositeDescription(name: "Z", elements: pick([["z"], ["y", "z"], ["z", "y"]]).map { attribute($0) })
  }

  private mutating func relationship(_ name: String) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: pick(Self.entityNames), inverseName: chance(2) ? nil : "p",
      isTransient: chance(4), maxCount: chance(2) ? 1 : 0)
  }

  /// Returns the model after a few changes, which may cancel each other out.
  mutating func changed(_ model: ManagedObjectModel) -> ManagedObjectModel {
    var model = model
    for _ in 0..<Int.random(in: 0...3, using: &random) { change(&model) }
    return model
  }

  private mutating func change(_ model: inout ManagedObjectModel) {
    guard !model.entities.isEmpty, !chance(12) else { return changeOutsideEntities(&model) }
    let place = Int.random(in: model.entities.indices, using: &random)
    var entity = model.entities[place]
    switch Int.random(in: 0..<13, using: &random) {
    case 0:
      model.entities.remove(at: place)
      return
    case 1:
      let free = Self.entityNames.filter { name in !model.entities.contains { $0.name == name } }
      if let name = free.first { model.entities.append(self.entity(name)) }
      return
    case 2:
      if !model.entities.contains(where: { $0.name == "N" }) {
        (entity.renamingIdentifier, entity.name) = (entity.name, "N")
      }
    case 3: entity.isAbstract.toggle()
    case 4: entity.superentityName = chance(3) ? nil : pick(Self.entityNames)
    case 5: entity.userInfo["k"] = pick(["1", "2"])
    case 6: entity.versionHashModifier = pick([nil, "", "p", "2"])
    case 7:
      entity.uniquenessConstraints = pick([[], [.init(["p"])], [.init(["p", "q"])], [.init(["p"]), .init(["q"])]])
    case 8:
      let free = Self.propertyNames.filter { name in !entity.properties.contains { $0.name == name } }
      if let name = free.first { entity.attributes.append(attribute(name)) }
    case 9: if !entity.attributes.isEmpty { entity.attributes.removeLast() }
    case 10: if !entity.relationships.isEmpty { change(&entity.relationships[0]) }
    default: if !entity.attributes.isEmpty { change(&entity.attributes[0], in: entity) }
    }
    model.entities[place] = entity
  }

  private mutating func change(_ attribute: inout AttributeDescription, in entity: EntityDescription) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: attribute.isTransient.toggle()
    case 1: attribute.isOptional.toggle()
    case 2: attribute.type = pick([.string, .date, .integer16, .composite])
    case 3: attribute.defaultValue = pick([.null, "x", 1])
    case 4: attribute.versionHashModifier = pick([nil, "", "m"])
    case 5:
      guard !entity.properties.contains(where: { $0.name == "n" }) else { return }
      (attribute.renamingIdentifier, attribute.name) = (attribute.name, "n")
    case 6: attribute.compositeName = pick([nil, "Y", "Z"])
    default: attribute.allowsExternalBinaryDataStorage.toggle()
    }
  }

  private mutating func change(_ relationship: inout RelationshipDescription) {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: relationship.isTransient.toggle()
    case 1: relationship.isOrdered.toggle()
    case 2: relationship.deleteRule = pick([.nullify, .cascade])
    case 3: relationship.maxCount = pick([0, 1, 5])
    case 4: relationship.inverseName = pick([nil, "", "p", "Ap"])
    default: relationship.destinationEntityName = pick([nil, "A", "B"])
    }
  }

  private mutating func changeOutsideEntities(_ model: inout ManagedObjectModel) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: model.versionIdentifiers = pick([[], ["1"], ["1", "2"]])
    case 1: model.configurations = [ConfigurationDescription(name: "K", entityNames: pick([["A"], ["B"], []]))]
    case 2: model.fetchRequestTemplates = [FetchRequestDescription(name: "F", entityName: pick(["A", "B"]))]
    default: model.composites = [composite()]
    }
  }
}
