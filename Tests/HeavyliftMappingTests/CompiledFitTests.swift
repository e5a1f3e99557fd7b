import HeavyliftExpression
import HeavyliftModel
import Testing

@testable import HeavyliftMapping

/// Which entity mappings rebuild a relationship that is copied by name alone: what Xcode's compiler makes of it.
struct CompiledFitTests {
  private let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Owner",
      relationships: [
        RelationshipDescription(name: "car", destinationEntityName: "Car", maxCount: 1),
        RelationshipDescription(name: "pet", destinationEntityName: "Pet", maxCount: 1),
      ]),
    EntityDescription(name: "Car"), EntityDescription(name: "SportCar", superentityName: "Car"),
    EntityDescription(name: "Pet"), EntityDescription(name: "Robot"),
  ])
  private let owner = EntityMappingDescription(
    source: "Owner", destination: "Owner",
    properties: [
      PropertyMappingDescription(.relationship, name: "car"), PropertyMappingDescription(.relationship, name: "pet"),
    ])

  /// What the two relationships of an owner get.
  private func values(_ others: [EntityMappingDescription], _ copying: ConservativeCopy = .listed) -> [String?] {
    let complete = MappingModel(copying: copying, unmentionedEntities: .dropped, entityMappings: [owner] + others)
      .complete(from: model, to: model)
    return complete.entityMappings[0].relationshipMappings.map { $0.valueExpression?.description }
  }

  private func through(_ mapping: String, _ relationship: String) -> String {
    MappingExpression.destinationInstances(ofEntityMapping: mapping, for: .source(key: relationship)).description
  }

  private func byRelationship(_ relationship: String) -> String {
    MappingExpression.destinationInstances(ofSourceRelationship: relationship, for: .source(key: relationship))
      .description
  }

  private func map(_ source: String?, _ destination: String) -> EntityMappingDescription {
    EntityMappingDescription(source: source, destination: destination)
  }

  @Test func `one mapping of the destination entity is named`() {
    #expect(
      values([map("Car", "Car"), map("Pet", "Pet")]) == [through("CarToCar", "car"), through("PetToPet", "pet")])
  }

  @Test func `it is named whatever its source is`() {
    #expect(values([map("Robot", "Pet")]) == [nil, through("RobotToPet", "pet")])
    #expect(values([map("Robot", "Pet")], .sameName) == [nil, through("RobotToPet", "pet")])
  }

  @Test func `conservative copying asks for a source that fits`() {
    var owner = owner
    owner.propertyMappings = []
    let complete = MappingModel(unmentionedEntities: .dropped, entityMappings: [owner, map("Robot", "Pet")])
      .complete(from: model, to: model)
    #expect(complete.entityMappings[0].relationshipMappings.map(\.valueExpression) == [nil, nil])
  }

  @Test func `where sub-entities have mappings of their own the choice is left to the migration`() {
    #expect(values([map("Car", "Car"), map("SportCar", "SportCar")]) == [byRelationship("car"), nil])
    #expect(values([map("SportCar", "SportCar")]) == [byRelationship("car"), nil])
  }

  @Test func `of several mappings of one entity the one whose source fits is named`() {
    #expect(values([map("Pet", "Pet"), map("Robot", "Pet")]) == [nil, through("PetToPet", "pet")])
    var second = map("Pet", "Pet")
    second.givenName = "Second"
    #expect(values([map("Pet", "Pet"), second]) == [nil, byRelationship("pet")])
  }

  @Test func `a mapping that adds rebuilds nothing`() {
    #expect(values([map(nil, "Pet")]) == [nil, nil])
  }

  @Test func `a path of relationships leads to the entity whose mapping fits`() throws {
    let source = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Owner",
        relationships: [RelationshipDescription(name: "home", destinationEntityName: "Home", maxCount: 1)]
      ),
      EntityDescription(
        name: "Home", relationships: [RelationshipDescription(name: "pets", destinationEntityName: "Pet")]),
      EntityDescription(name: "Pet"), EntityDescription(name: "Robot"),
    ])
    let owner = EntityMappingDescription(
      source: "Owner", destination: "Owner",
      properties: [.relationship("pet", from: try MappingExpression(parsing: "$source.home.pets"))])
    let complete = MappingModel(
      copying: .listed, entityMappings: [owner, map("Robot", "Pet"), map("Pet", "Pet")]
    ).complete(from: source, to: model)
    #expect(
      complete.entityMappings[0].propertyMapping(named: "pet")?.valueExpression?.description
        == #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "PetToPet", $source.home.pets)"#
    )
  }
}
