import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML
import Testing

/// Mistakes that break a migration only for certain stores: Xcode's mapping models are rejected only for such stores.
struct StoreDependenceTests {
  private static let old = ManagedObjectModel(
    name: "Zoo 1",
    entities: [
      EntityDescription(
        name: "Animal",
        relationships: [
          RelationshipDescription(
            name: "keeper", destinationEntityName: "Keeper", inverseName: "animals", inverseEntityName: "Keeper",
            maxCount: 1)
        ]),
      EntityDescription(
        name: "Keeper",
        relationships: [
          RelationshipDescription(
            name: "animals", destinationEntityName: "Animal", inverseName: "keeper", inverseEntityName: "Animal")
        ]),
    ])

  private static func toKeeper(_ mapping: String?) -> EntityMappingDescription {
    EntityMappingDescription(
      source: "Animal", destination: "Animal", copying: .everything,
      properties: [
        mapping.map { PropertyMappingDescription.relationship("keeper", through: $0) }
          ?? PropertyMappingDescription(.relationship, name: "keeper", source: .unmapped)
      ])
  }

  private static func keepers(mapsInverse: Bool) -> EntityMappingDescription {
    EntityMappingDescription(
      source: "Keeper", destination: "Keeper", copying: .everything,
      properties: mapsInverse
        ? [] : [PropertyMappingDescription(.relationship, name: "animals", source: .unmapped)])
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var mappings: [EntityMappingDescription]
    var isMandatory = false
    var counts: [String: Int]?
    var isXcodes = true
    var messages: [String]
  }

  private static let wrongName = """
    mapping.unknown-entity-mapping]: relationship 'keeper' of entity mapping 'AnimalToAnimal' refers to unknown entity \
    mapping 'Keepers'
    """
  private static let empty = """
    mapping.missing-objects]: mandatory relationship 'keeper' of entity mapping 'AnimalToAnimal' stays empty
    """
  private static let suggestion = "\n  available: 'AnimalToAnimal', 'KeeperToKeeper'"
  private static let fill =
    "\n  convert the mapping with 'heavylift convert' first, then write '<relationship name=\"keeper\" from=\"…\"/>', or map its inverse 'animals'"

  static let cases: [Case] = [
    Case(
      testDescription: "a wrong name is a warning as long as no store is known",
      mappings: [toKeeper("Keepers"), keepers(mapsInverse: false)],
      messages: [
        "warning[\(wrongName); this is an error for a store that has objects of 'Animal'\(suggestion)"
      ]),
    Case(
      testDescription: "and for a store without objects", mappings: [toKeeper("Keepers"), keepers(mapsInverse: false)],
      counts: ["Keeper": 3],
      messages: ["warning[\(wrongName); the store has no objects of 'Animal'\(suggestion)"]),
    Case(
      testDescription: "it is an error for a store with objects",
      mappings: [toKeeper("Keepers"), keepers(mapsInverse: false)], counts: ["Animal": 1],
      messages: ["error[\(wrongName)\(suggestion)"]),
    Case(
      testDescription: "unless the inverse fills the relationship",
      mappings: [toKeeper("Keepers"), keepers(mapsInverse: true)], counts: ["Animal": 1],
      messages: ["warning[\(wrongName); its inverse 'animals' fills it\(suggestion)"]),
    Case(
      testDescription: "a mapping file is refused whatever the store has",
      mappings: [toKeeper("Keepers"), keepers(mapsInverse: false)], counts: [:], isXcodes: false,
      messages: ["error[\(wrongName)\(suggestion)"]),
    Case(
      testDescription: "a mandatory relationship that stays empty is a warning as long as no store is known",
      mappings: [toKeeper(nil), keepers(mapsInverse: false)], isMandatory: true,
      messages: ["warning[\(empty); this is an error for a store that has objects of 'Animal'\(fill)"]),
    Case(
      testDescription: "it is an error for a store with objects",
      mappings: [toKeeper(nil), keepers(mapsInverse: false)], isMandatory: true, counts: ["Animal": 1],
      messages: ["error[\(empty)\(fill)"]),
    Case(
      testDescription: "nothing is said if the inverse fills it",
      mappings: [toKeeper(nil), keepers(mapsInverse: true)],
      isMandatory: true, counts: ["Animal": 1], messages: []),
  ]

  @Test(arguments: cases) func `what breaks with certain objects is refused for a store that has them`(
    _ example: Case
  ) {
    var new = Self.old
    new.name = "Zoo 2"
    new.entities[0].relationships[0].isOptional = !example.isMandatory
    let mapping = MappingModel(
      copying: .listed, unmentionedEntities: example.isXcodes ? .dropped : .copied, entityMappings: example.mappings)
    let complete = mapping.complete(from: Self.old, to: new)
    let messages = complete.check(MappingCheckEnvironment(objectCounts: example.counts))
    #expect(messages.filter { $0.severity != .note }.map(\.description) == example.messages)
  }
}
