import HeavyliftMapping
import HeavyliftModel
import Testing

@testable import Heavylift

@Suite struct LinkStructureTests {
  /// Owners of pets in a hierarchy, and what the pets like, which has no inverse.
  private static let model = ManagedObjectModel(
    name: "1",
    entities: [
      EntityDescription(name: "Owner", relationships: [Models.toMany("pets", "Pet", "owner")]),
      EntityDescription(
        name: "Pet",
        relationships: [
          Models.toOne("owner", "Owner", "pets"), Models.toOne("likes", "Pet"), Models.toMany("toys", "Toy"),
        ]), EntityDescription(name: "Dog", superentityName: "Pet"), EntityDescription(name: "Toy"),
    ])

  private func isKept(
    _ entityMappings: [EntityMappingDescription] = [], _ change: (inout ManagedObjectModel) -> Void
  ) -> Bool {
    var new = Self.model
    new.name = "2"
    change(&new)
    let complete = MappingModel(copying: .everything, entityMappings: entityMappings).complete(
      from: Self.model, to: new)
    return LinkStructure(complete.entityMappings, from: Self.model, to: new).isKept
  }

  private static func move(_ name: String, of entity: String, to other: String, in model: inout ManagedObjectModel) {
    guard let relationship = model.entity(named: entity)?.relationships.first(where: { $0.name == name }) else {
      return
    }
    model.edit(entity) { $0.relationships.removeAll { $0.name == name } }
    model.edit(other) { $0.relationships.append(relationship) }
  }

  @Test func `links stay if only names and attributes change, or if a relationship is removed`() {
    #expect(isKept { _ in })
    #expect(isKept { $0.edit("Pet") { $0.attributes.append(Models.attribute("name", .string)) } })
    #expect(
      isKept {
        $0.edit("Pet") { $0.edit(relationship: "likes") { ($0.name, $0.renamingIdentifier) = ("loves", "likes") } }
      })
    #expect(
      isKept { model in
        model.edit("Owner") { $0.edit(relationship: "pets") { $0.inverseName = "keeper" } }
        model.edit("Pet") { $0.edit(relationship: "owner") { ($0.name, $0.renamingIdentifier) = ("keeper", "owner") } }
      })
    #expect(isKept { $0.edit("Pet") { $0.relationships.removeAll { $0.name == "likes" } } })
    #expect(
      isKept { model in
        model.edit("Owner") { $0.relationships = [] }
        model.edit("Pet") { $0.relationships.removeAll { $0.name == "owner" } }
      })
    #expect(isKept { $0.edit("Toy") { $0.relationships = [Models.toOne("maker", "Owner")] } })
  }

  @Test func `links may not stay if a relationship leads to fewer or more objects`() {
    #expect(!isKept { $0.edit("Pet") { $0.edit(relationship: "likes") { $0.destinationEntityName = "Dog" } } })
    #expect(!isKept { Self.move("likes", of: "Pet", to: "Dog", in: &$0) })
    #expect(!isKept { Self.move("toys", of: "Pet", to: "Dog", in: &$0) })
    #expect(!isKept { $0.edit("Pet") { $0.edit(relationship: "toys") { $0.maxCount = 1 } } })
    #expect(!isKept { $0.edit("Dog") { $0.superentityName = nil } })
  }

  @Test func `links may not stay if a relationship gets or loses an inverse`() {
    #expect(
      !isKept { model in
        model.edit("Pet") { $0.edit(relationship: "toys") { $0.inverseName = "pet" } }
        model.edit("Toy") { $0.relationships = [Models.toOne("pet", "Pet", "toys")] }
      })
    #expect(
      !isKept { model in
        model.edit("Owner") { $0.relationships = [] }
        model.edit("Pet") { $0.edit(relationship: "owner") { $0.inverseName = nil } }
      })
  }

  @Test func `links may not stay if the mapping says what becomes of them`() throws {
    func mapping(_ property: PropertyMappingDescription) -> [EntityMappingDescription] {
      [EntityMappingDescription(source: "Pet", destination: "Pet", properties: [property])]
    }
    let likes = try MappingExpression(parsing: "$source.likes")
    #expect(!isKept(mapping(.relationship("likes", from: likes, through: "DogToDog"))) { _ in })
    #expect(!isKept(mapping(.relationship("likes", try MappingExpression(parsing: "NIL")))) { _ in })
    #expect(
      !isKept(mapping(.relationship("loves", from: likes, through: "PetToPet"))) { model in
        model.edit("Pet") { $0.relationships.append(Models.toOne("loves", "Pet")) }
      })
  }
}
