import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftTestSupport

/// Generates two versions of a model and a mapping between them, with few names, so that entities inherit, split and
/// collide.
struct CollidingMappingGenerator {
  private var random: SeededGenerator
  private static let entityNames = ["A", "B", "C", "D"]
  private static let propertyNames = ["p", "q", "r", "s", "t"]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func model() -> ManagedObjectModel {
    var entities: [EntityDescription] = []
    for name in Self.entityNames where !chance(5) {
      var entity = EntityDescription(name: name, isAbstract: chance(5))
      if chance(2) { entity.superentityName = entities.map(\.name).randomElement(using: &random) }
      for property in Self.propertyNames where chance(2) {
        let identifier = chance(5) ? pick(Self.propertyNames) : nil
        if chance(2) {
          entity.relationships.append(
            RelationshipDescription(
              name: property, destinationEntityName: pick(Self.entityNames), isTransient: chance(8),
              maxCount: chance(2) ? 1 : 0, renamingIdentifier: identifier))
        } else {
          var attribute = AttributeDescription(
            name: property, type: pick([.string, .integer16, .integer64, .date]), isTransient: chance(8),
            renamingIdentifier: identifier)
          if chance(8) { attribute.derivationExpression = "now()" }
          entity.attributes.append(attribute)
        }
      }
      entities.append(entity)
    }
    return ManagedObjectModel(entities: entities)
  }

  mutating func mapping() -> MappingModel {
    MappingModel(
      copying: pick(ConservativeCopy.allCases),
      entityMappings: (0..<Int.random(in: 1...6, using: &random)).map { _ in entityMapping() })
  }

  private mutating func entityMapping() -> EntityMappingDescription {
    var mapping = EntityMappingDescription(
      name: chance(4) ? pick(["Own", "AToA", "B"]) : nil, type: chance(4) ? pick(EntityMappingType.allCases) : nil,
      source: chance(6) ? nil : pick(Self.entityNames), destination: chance(6) ? nil : pick(Self.entityNames),
      filter: chance(5) ? try? MappingPredicate(parsing: "p != nil") : nil, policy: chance(4) ? "Policy" : nil,
      copying: chance(3) ? pick(ConservativeCopy.allCases) : nil, userInfo: chance(5) ? ["k": "v"] : [:])
    if chance(6) {
      mapping.sourceExpression = expression("$others")
    } else if chance(4), let source = mapping.sourceEntityName {
      mapping.sourceExpression = expression(
        "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', '\(source)', "
          + "'\(mapping.filter?.description ?? "TRUEPREDICATE")'), $manager.sourceContext, NO)")
    }
    for name in Self.propertyNames where chance(2) {
      mapping.propertyMappings.append(propertyMapping(name))
    }
    mapping.propertyMappings.shuffle(using: &random)
    return mapping
  }

  private mutating func propertyMapping(_ name: String) -> PropertyMappingDescription {
    let userInfo = chance(6) ? ["k": "v"] : [:]
    let objects = "$source.\(pick(Self.propertyNames))"
    let mapping = pick(["AToA", "BToB", "Own", "B", "None"])
    let source: PropertyMappingDescription.Source? =
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1, 2: .automatic
      case 3: .unmapped
      case 4: expression(objects).map { .expression($0) }
      case 5: .related(from: expression(objects), through: chance(2) ? mapping : nil)
      case 6: .related(from: nil, through: mapping)
      case 7:
        expression(
          "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', '\(mapping)', \(objects))"
        ).map { .expression($0) }
      default:
        expression(
          "FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', "
            + "'\(pick(Self.propertyNames))', \(objects))"
        ).map { .expression($0) }
      }
    var kind = PropertyMappingDescription.Kind.attribute
    if case .related = source { kind = .relationship } else if chance(2) { kind = .relationship }
    return PropertyMappingDescription(kind, name: name, source: source ?? .automatic, userInfo: userInfo)
  }

  private func expression(_ text: String) -> MappingExpression? { try? MappingExpression(parsing: text) }

  private mutating func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }
}
