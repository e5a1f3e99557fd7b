import Foundation
import Heavylift
import Testing

/// A policy that associates several source objects with one destination object. The result does not depend on their
/// order.
@Suite struct DeduplicationTests {
  private static func model(_ entity: String, _ relationship: String) -> ManagedObjectModel {
    ManagedObjectModel(
      name: entity,
      entities: [
        EntityDescription(
          name: entity, attributes: [Models.attribute("name", .string)],
          relationships: [
            Models.toOne("city", "City", "residents"), Models.toOne("photo", "Photo", relationship),
            Models.toMany("groups", "Group", "members"), Models.toMany("notes", "Note", relationship),
            Models.toMany("lists", "List", "entries", isOrdered: true),
          ]),
        EntityDescription(
          name: "City", attributes: [Models.attribute("name", .string)],
          relationships: [Models.toMany("residents", entity, "city")]),
        EntityDescription(name: "Photo", relationships: [Models.toOne(relationship, entity, "photo")]),
        EntityDescription(name: "Group", relationships: [Models.toMany("members", entity, "groups")]),
        EntityDescription(name: "Note", relationships: [Models.toOne(relationship, entity, "notes")]),
        EntityDescription(name: "List", relationships: [Models.toMany("entries", entity, "lists")]),
      ])
  }

  /// Three contacts named Ann, and Bob.
  private static func fill(_ context: ManagedObjectContext) throws {
    func make(_ entity: String, _ count: Int) throws -> [ManagedObject] {
      try (0..<count).map { _ in try context.insert(entity) }
    }
    let (contacts, cities, photos) = (try make("Contact", 4), try make("City", 2), try make("Photo", 3))
    let (groups, notes, lists) = (try make("Group", 2), try make("Note", 4), try make("List", 3))
    for (contact, name) in zip(contacts, ["Ann", "Bob", "Ann", "Ann"]) { contact["name"] = .string(name) }
    for (city, name) in zip(cities, ["Rome", "Oslo"]) { city["name"] = .string(name) }
    for (contact, city) in [(1, 0), (2, 1), (3, 0)] { contacts[contact][toOne: "city"] = cities[city] }
    for (contact, photo) in [(1, 0), (2, 1), (3, 2)] { contacts[contact][toOne: "photo"] = photos[photo] }
    for (contact, members) in [[0], [0], [1], [0, 1]].enumerated() {
      contacts[contact][toMany: "groups"] = members.map { groups[$0] }
    }
    for (contact, written) in [[0], [1], [2, 3], []].enumerated() {
      contacts[contact][toMany: "notes"] = written.map { notes[$0] }
    }
    try contacts[0].setObjects([lists[2]], forKey: "lists")
    try contacts[2].setObjects([lists[1], lists[0]], forKey: "lists")
  }

  private static let outcome = [
    "Person/p1 name=Ann city=City/p2 photo=Photo/p2 groups=[Group/p1 Group/p2] notes=[Note/p1 Note/p3 Note/p4] "
      + "lists=[List/p3 List/p2 List/p1]",
    "Person/p2 name=Bob city=City/p1 photo=Photo/p1 groups=[Group/p1] notes=[Note/p2] lists=[]",
    "City/p1 residents=[Person/p2]", "City/p2 residents=[Person/p1]", "Photo/p1 person=Person/p2",
    "Photo/p2 person=Person/p1", "Photo/p3 person=nil",
  ]

  @Test(arguments: ["FindOrCreate", "OnlyAssociating"], [false, true])
  func `all sources of one object are connected, whatever the order of the mappings`(
    policy: String, forcesObjects: Bool
  ) throws {
    let (old, new) = (Self.model("Contact", "contact"), Self.model("Person", "person"))
    let others = try ["City", "Photo", "Group", "Note", "List"].map { (name: String) -> EntityMappingDescription in
      var mapping = EntityMappingDescription(source: name, destination: name)
      if ["Photo", "Note"].contains(name) {
        mapping.propertyMappings = [.relationship("person", from: try MappingExpression(parsing: "$source.contact"))]
      }
      return mapping
    }
    let people = EntityMappingDescription(
      name: "People", source: "Contact", destination: "Person", policy: policy)
    let orders: [[EntityMappingDescription]] = [
      [people] + others, others + [people], others.prefix(2) + [people] + others.dropFirst(2),
    ]
    for mappings in orders {
      let test = try MigrationTest(
        from: old, to: new, policies: PolicyRegistry(FindOrCreate.self, OnlyAssociating.self), fill: Self.fill)
      var options = MigrationOptions()
      options.forcesObjects = forcesObjects
      try test.migrate(MappingModel(entityMappings: mappings), options: options)
      let outcome =
        try test.lines("Person", "name", "city", "photo", "groups", "notes", "lists")
        + test.lines("City", "residents") + test.lines("Photo", "person")
      let renamed = outcome.map {
        policy == "FindOrCreate"
          ? $0 : $0.replacing("Person/p5", with: "Person/p1").replacing("Person/p6", with: "Person/p2")
      }
      #expect(renamed == Self.outcome, "\(mappings.map(\.name))")
    }
  }
}

/// Leaves the first object of each name to super.
private final class FindOrCreate: EntityMigrationPolicy {
  private var known: [Value: ManagedObject] = [:]

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    if let person = known[source["name"]] {
      try manager.associate(sourceInstance: source, withDestinationInstance: person, for: mapping)
      return
    }
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    known[source["name"]] =
      try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source]).first
  }
}

/// Inserts all objects itself.
private final class OnlyAssociating: EntityMigrationPolicy {
  private var known: [Value: ManagedObject] = [:]

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let person = try known[source["name"]] ?? manager.destinationContext.insert("Person")
    known[source["name"]] = person
    person["name"] = source["name"]
    try manager.associate(sourceInstance: source, withDestinationInstance: person, for: mapping)
  }
}
