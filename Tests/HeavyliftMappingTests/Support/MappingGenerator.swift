import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftTestSupport

/// Generates valid models, edits of them, and mappings between them.
///
/// Each property name is unique to its entity, so that replacing names word by word shows the expected result of a
/// rename.
struct MappingGenerator {
  var random: SeededGenerator
  private var count = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  mutating func propertyName() -> String {
    count += 1
    return "p\(count)"
  }

  // MARK: Models

  /// Returns a valid model: entities, hierarchies, attributes, relationships with their inverses.
  mutating func model() -> ManagedObjectModel {
    var entities: [EntityDescription] = []
    for number in 1...Int.random(in: 2...5, using: &random) {
      var entity = EntityDescription(name: "E\(number)")
      if chance(3), let parent = entities.randomElement(using: &random) { entity.superentityName = parent.name }
      for _ in 0..<Int.random(in: 1...3, using: &random) { entity.attributes.append(attribute(propertyName())) }
      entities.append(entity)
    }
    var model = ManagedObjectModel(entities: entities)
    for _ in 0..<Int.random(in: 1...4, using: &random) { addRelationship(to: &model) }
    return model
  }

  mutating func attribute(_ name: String) -> AttributeDescription {
    let type = pick([AttributeType.string, .integer32, .double, .boolean, .date])
    var attribute = AttributeDescription(name: name, type: type, isOptional: !chance(3))
    if chance(3) { attribute.defaultValue = Self.defaultValue(of: type) }
    return attribute
  }

  static func defaultValue(of type: AttributeType) -> Value {
    switch type {
    case .string: "none"
    case .integer32: 7
    case .double: 2.5
    case .boolean: true
    case .date: .date(.init(timeIntervalSinceReferenceDate: 1))
    default: .null
    }
  }

  mutating func addRelationship(to model: inout ManagedObjectModel) {
    let (one, other) = (pick(Array(model.entities.indices)), pick(Array(model.entities.indices)))
    let (there, back) = (propertyName(), propertyName())
    let (first, second) = (model.entities[one].name, model.entities[other].name)
    model.entities[one].relationships.append(
      RelationshipDescription(
        name: there, destinationEntityName: second, inverseName: back, inverseEntityName: second,
        maxCount: chance(2) ? 1 : 0))
    model.entities[other].relationships.append(
      RelationshipDescription(
        name: back, destinationEntityName: first, inverseName: there, inverseEntityName: first,
        maxCount: chance(2) ? 1 : 0))
  }

  // MARK: Mappings

  /// Returns a mapping from a model to one that has at least its entities, with values along relationships.
  mutating func mapping(from source: ManagedObjectModel, to destination: ManagedObjectModel) throws -> MappingModel {
    var mappings: [EntityMappingDescription] = []
    for entity in source.entities where destination.entity(named: entity.name) != nil {
      var mapping = EntityMappingDescription(source: entity.name, destination: entity.name)
      if chance(4) { mapping.givenName = "Mapping of \(entity.name)x" }
      if chance(4) { mapping.policyClassName = "Policy" }
      if chance(4) { mapping.userInfo["key"] = "value" }
      if chance(6) { mapping.copying = pick([.sameName, .listed]) }
      if chance(2) { mapping.filter = try MappingPredicate(parsing: filter(over: entity, in: source)) }
      mappings.append(mapping)
    }
    mappings.shuffle(using: &random)
    for place in mappings.indices {
      guard let entity = destination.entity(named: mappings[place].destinationEntityName ?? ""),
        let old = source.entity(named: mappings[place].sourceEntityName ?? "")
      else { continue }
      for attribute in destination.allAttributes(of: entity) where chance(2) {
        mappings[place].propertyMappings.append(try self.mapping(of: attribute, from: old, in: source))
      }
      for relationship in destination.allRelationships(of: entity) where chance(2) {
        mappings[place].propertyMappings.append(
          try self.mapping(of: relationship, from: old, in: source, mappings.map(\.name)))
      }
    }
    return MappingModel(copying: chance(4) ? .sameName : .everything, entityMappings: mappings)
  }

  private mutating func mapping(
    of attribute: AttributeDescription, from entity: EntityDescription, in model: ManagedObjectModel
  ) throws -> PropertyMappingDescription {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return PropertyMappingDescription(.attribute, name: attribute.name)
    case 1: return PropertyMappingDescription(.attribute, name: attribute.name, source: .unmapped)
    default: return .attribute(attribute.name, try MappingExpression(parsing: value(over: entity, in: model)))
    }
  }

  private mutating func mapping(
    of relationship: RelationshipDescription, from entity: EntityDescription, in model: ManagedObjectModel,
    _ names: [String]
  ) throws -> PropertyMappingDescription {
    let name = relationship.name
    let olds = model.allRelationships(of: entity)
    guard !olds.isEmpty else { return PropertyMappingDescription(.relationship, name: name, source: .unmapped) }
    let old = pick(olds)
    let objects = "$source.\(old.name)"
    let (mapping, both) = (pick(names), pick([true, false]))
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return PropertyMappingDescription(.relationship, name: name)
    case 1: return .relationship(name, from: try MappingExpression(parsing: objects), through: both ? mapping : nil)
    case 2: return .relationship(name, through: mapping)
    case 3:
      let selector = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
      return .relationship(
        name, try MappingExpression(parsing: #"FUNCTION($manager, "\#(selector)", "\#(old.name)", \#(objects))"#))
    default:
      let selector = "destinationInstancesForEntityMappingNamed:sourceInstances:"
      return .relationship(
        name, try MappingExpression(parsing: #"FUNCTION($manager, "\#(selector)", "\#(mapping)", \#(objects))"#))
    }
  }

  // MARK: Expressions

  /// Returns keys from an entity along relationships to an attribute.
  mutating func path(from entity: EntityDescription, in model: ManagedObjectModel) -> String {
    var keys: [String] = []
    var current = entity
    while keys.count < 3, chance(2) {
      let relationships = model.allRelationships(of: current)
      guard let next = relationships.randomElement(using: &random),
        let destination = model.entity(named: next.destinationEntityName ?? "")
      else { break }
      keys.append(next.name)
      if next.isToMany, chance(3) { keys.append("@distinctUnionOfObjects") }
      current = destination
    }
    return (keys + [pick(model.allAttributes(of: current)).name]).joined(separator: ".")
  }

  mutating func value(over entity: EntityDescription, in model: ManagedObjectModel) -> String {
    let path = path(from: entity, in: model)
    let other = self.path(from: entity, in: model)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return "7"
    case 1: return "TERNARY($source.\(path) != nil, $source.\(other), nil)"
    case 2: return #"FUNCTION($source, "valueForKeyPath:", "\#(path)")"#
    case 3: return #"FUNCTION($entityPolicy, "convert:with:", $source, $source.\#(path))"#
    case 4:
      guard let relationship = model.allRelationships(of: entity).first(where: \.isToMany),
        let destination = model.entity(named: relationship.destinationEntityName ?? "")
      else { return "$source.\(path)" }
      let inner = self.path(from: destination, in: model)
      return "SUBQUERY($source.\(relationship.name), $x, $x.\(inner) != nil).@count"
    case 5:
      let selector = "fetchRequestForSourceEntityNamed:predicateString:"
      return
        #"FETCH(FUNCTION($manager, "\#(selector)", "\#(entity.name)", "\#(path) != nil"), $manager.sourceContext, YES)"#
    default: return "$source.\(path)"
    }
  }

  mutating func filter(over entity: EntityDescription, in model: ManagedObjectModel) -> String {
    let path = path(from: entity, in: model)
    return pick([
      "\(path) != nil", "SELF.\(path) == nil OR entity.name == \"\(entity.name)\"",
      "NOT \(path) IN {1, 2} AND \(self.path(from: entity, in: model)) != nil",
    ])
  }
}
