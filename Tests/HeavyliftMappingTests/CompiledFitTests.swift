import HeavyliftExpression
import HeavyliftModel
import Testing

@testable import HeavyliftMapping

/// The entity mappings that rebuild a relationship copied by name alone, as in Xcode's compiler.
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

  /// Returns the values of an owner's two relationships.
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

  @Test func `it is named regardless of its source`() {
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

  @Test func `the migration chooses if sub-entities have mappings of their own`() {
    #expect(values([map("Car", "Car"), map("SportCar", "SportCar")]) == [byRelationship("car"), nil])
    #expect(values([map("SportCar", "SportCar")]) == [byRelationship("car"), nil])
  }

  @Test func `the mapping whose source fits is named if an entity has several`() {
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
