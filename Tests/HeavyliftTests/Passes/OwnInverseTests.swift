import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore
@testable import HeavyliftEngine

/// Links of a relationship that is its own inverse are kept and seen as if objects did everything.
struct OwnInverseTests {
  /// Calls `super` for some objects only, and records which links are visible meanwhile.
  private final class Choosing: EntityMigrationPolicy {
    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      let forgotten = manager.userInfo["forgotten"] as? Set<Int64> ?? []
      if !forgotten.contains(destination.primaryKey) {
        try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
      }
      guard let log = manager.userInfo["log"] as? LawPolicy.Log else { return }
      let people = try manager.destinationContext.fetch(FetchRequest(entityName: "Person"))
      let links = people.map { "\($0.primaryKey)-\($0[toOne: "spouse"]?.primaryKey ?? 0)" }
      let married = try manager.destinationContext.fetch(FetchRequest(entityName: "Person", where: "spouse != nil"))
      log.lines.append("\(destination.primaryKey): \(links) \(married.map(\.primaryKey))")
    }
  }

  private static let model = ManagedObjectModel(
    name: "People",
    entities: [
      EntityDescription(
        name: "Person", attributes: [Models.attribute("name", .string)],
        relationships: [
          Models.toOne("spouse", "Person", "spouse"), Models.toMany("pets", "Pet", "owner", isOrdered: true),
        ]),
      EntityDescription(name: "Pet", relationships: [Models.toOne("owner", "Person", "pets")]),
    ])

  /// Two couples and a single.
  ///
  /// - Parameter hasPets: True if the entity mapping also sets a relationship that is not written with the rows.
  private static func outcome(forgetting forgotten: Set<Int64>, hasPets: Bool, forcesObjects: Bool) throws -> [String] {
    let registry = PolicyRegistry(Choosing.self)
    let test = try MigrationTest(from: model, to: model, policies: registry) { context in
      let people = try (0..<5).map { number in
        let person = try context.insert("Person")
        person["name"] = .string("\(number)")
        try context.save()
        return person
      }
      people[0][toOne: "spouse"] = people[1]
      people[3][toOne: "spouse"] = people[2]
      try context.insert("Pet")[toOne: "owner"] = people[4]
    }
    let log = LawPolicy.Log()
    test.manager.userInfo["log"] = log
    test.manager.userInfo["forgotten"] = forgotten
    func unmapped(_ name: String) -> [PropertyMappingDescription] {
      hasPets ? [] : [.init(.relationship, name: name, source: .unmapped)]
    }
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(
        source: "Person", destination: "Person", policy: registry.names.first, properties: unmapped("pets")),
      EntityMappingDescription(source: "Pet", destination: "Pet", properties: unmapped("owner")),
    ])
    let plan = try test.manager.plan(from: test.source, with: [mapping])
    #expect(plan.steps[0].rowRelationships.map(\.name) == ["spouse"])
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    try test.manager.migrateUnchecked(from: test.source, to: test.destination, mapping, options: options)
    return try log.lines + test.lines("Person", "name", "spouse", "pets")
  }

  @Test(
    arguments: [[], [1], [2], [3], [1, 2], [2, 3], [2, 4], [1, 2, 4], [1, 2, 3, 4, 5]] as [Set<Int64>], [true, false])
  func `a couple stays together if a policy connects one of the two`(forgotten: Set<Int64>, hasPets: Bool) throws {
    let written = try Self.outcome(forgetting: forgotten, hasPets: hasPets, forcesObjects: false)
    let byObject = try Self.outcome(forgetting: forgotten, hasPets: hasPets, forcesObjects: true)
    #expect(written == byObject)
  }
}
