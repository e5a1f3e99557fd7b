import HeavyliftExpression
import HeavyliftModel
import Testing

@testable import HeavyliftMapping

/// A relationship that gets the objects of two entity mappings is no mistake if no object passes both filters.
@Suite struct OverlappingTargetsTests {
  private static let old = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Owner",
      relationships: [
        RelationshipDescription(
          name: "pets", destinationEntityName: "Pet", inverseName: "owner", inverseEntityName: "Pet")
      ]),
    EntityDescription(
      name: "Pet", attributes: [AttributeDescription(name: "species", type: .string)],
      relationships: [
        RelationshipDescription(
          name: "owner", destinationEntityName: "Owner", inverseName: "pets", inverseEntityName: "Owner", maxCount: 1)
      ]),
  ])
  private static let new = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Animal", isAbstract: true,
      relationships: [
        RelationshipDescription(
          name: "owner", destinationEntityName: "Owner", inverseName: "pets", inverseEntityName: "Owner", maxCount: 1)
      ]),
    EntityDescription(name: "Cat", superentityName: "Animal"),
    EntityDescription(name: "Dog", superentityName: "Animal"),
    EntityDescription(
      name: "Owner",
      relationships: [
        RelationshipDescription(
          name: "pets", destinationEntityName: "Animal", inverseName: "owner", inverseEntityName: "Animal")
      ]),
  ])

  private static func messages(_ dogs: String, _ cats: String) throws -> [String] {
    let pets = try [("Dog", dogs), ("Cat", cats)].map { name, filter in
      EntityMappingDescription(
        source: "Pet", destination: name, filter: try MappingPredicate(parsing: filter),
        drops: [DroppedProperty("species")])
    }
    let rest = EntityMappingDescription(type: .remove, source: "Pet")
    return MappingModel(entityMappings: pets + [rest]).complete(from: old, to: new).check()
      .filter { $0.severity != .note }.map(\.description)
  }

  @Test(arguments: [
    ("species == 'dog'", "species == 'cat'"), ("species ==[c] 'dog'", "species ==[c] 'cat'"),
    ("species ==[cd] 'dog'", "species IN[cd] {'cat', 'tiger'}"), ("species <= 'dog'", "species > 'dog'"),
    ("species BETWEEN {'a', 'd'}", "species BETWEEN {'e', 'z'}"),
  ]) func `filters that exclude each other are no mistake`(dogs: String, cats: String) throws {
    #expect(try Self.messages(dogs, cats) == [])
  }

  @Test func `filters that may match the same object are reported, with a remedy that works`() throws {
    #expect(
      try Self.messages("species ==[c] 'dog'", "species BEGINSWITH 'c'") == [
        """
        warning[mapping.ambiguous-entity-mapping]: relationship 'pets' of implied entity mapping 'OwnerToOwner' gets the \
        objects of entity mappings 'PetToDog' and 'PetToCat', which may take the same source objects
          write filters that no object passes twice, such as comparisons of one attribute with different constants
        """
      ])
  }
}
