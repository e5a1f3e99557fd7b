import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// A policy loses nothing that it neither migrates nor reads, unless the mapping says that losses are intended.
@Suite struct PolicyLossTests {
  /// Invoices of pets: pets have an owner, and become dogs or stay pets.
  private static let old = ManagedObjectModel(
    name: "Clinic 1",
    entities: [
      EntityDescription(
        name: "Invoice", attributes: [Models.attribute("total", .double)],
        relationships: [Models.toOne("pet", "Pet", "invoices")]),
      EntityDescription(
        name: "Pet", attributes: [Models.attribute("name", .string), Models.attribute("notes", .string)],
        relationships: [Models.toMany("invoices", "Invoice", "pet")]),
    ])
  private static let new = ManagedObjectModel(
    name: "Clinic 2",
    entities: [
      EntityDescription(
        name: "Invoice", attributes: [Models.attribute("total", .double), Models.attribute("tax", .double)],
        relationships: [Models.toOne("pet", "Pet", "invoices")]),
      EntityDescription(
        name: "Pet", attributes: [Models.attribute("name", .string), Models.attribute("notes", .string)],
        relationships: [Models.toMany("invoices", "Invoice", "pet")]),
    ])

  /// Three pets with two invoices each.
  private static func test() throws -> MigrationTest {
    try MigrationTest(from: old, to: new, policies: PolicyRegistry(ScriptedPolicy.self)) { context in
      for number in 1...3 {
        let pet = try context.insert("Pet")
        pet["name"] = .string("Pet \(number)")
        if number < 3 { pet["notes"] = .string("Notes \(number)") }
        for _ in 1...2 { try context.insert("Invoice")[toOne: "pet"] = pet }
      }
    }
  }

  private static func migrate(
    _ script: ScriptedPolicy.Script, losses: Bool = false, in test: MigrationTest? = nil
  ) throws -> MigrationReport {
    let test = try test ?? Self.test()
    test.manager.userInfo["PetToPet"] = script
    return try test.migrate(
      EntityMappingDescription(source: "Invoice", destination: "Invoice"),
      EntityMappingDescription(source: "Pet", destination: "Pet", policy: "ScriptedPolicy", intendsLosses: losses))
  }

  private static func failure(_ script: ScriptedPolicy.Script) -> String {
    do {
      _ = try migrate(script)
      return "nothing was thrown"
    } catch {
      return "\(error)"
    }
  }

  /// A policy that creates pets itself.
  private static func creating(_ names: [String], associates: Bool = false) -> ScriptedPolicy.Script {
    var script = ScriptedPolicy.Script()
    script.create = { source, mapping, manager, _ in
      let pet = try manager.destinationContext.insert("Pet")
      for name in names { pet[name] = source[name] }
      guard associates else { return }
      try manager.associate(sourceInstance: source, withDestinationInstance: pet, for: mapping)
    }
    return script
  }

  private static let unassociated = """
    error[migration.134110]: links would be lost: 6 of 'Invoice.pet'. policy 'ScriptedPolicy' of entity mapping \
    'PetToPet' created objects without associating them with their source objects, so relationships do not find them
      call 'super.createDestinationInstances(forSource:in:manager:)', or \
    'associate(sourceInstance:withDestinationInstance:for:)' for each new object, or write 'losses="intended"' in the \
    entity mapping if the links are to be dropped
    """

  @Test func `links of objects that a policy does not associate are refused`() throws {
    #expect(Self.failure(Self.creating(["name", "notes"])) == Self.unassociated)
  }

  @Test func `objects that are created after all others are not associated either`() throws {
    var script = ScriptedPolicy.Script()
    script.create = { source, _, manager, _ in
      let names = manager.userInfo["names"] as? [Value] ?? []
      manager.userInfo["names"] = names + [source["name"]]
    }
    script.endInstances = { _, manager in
      for name in manager.userInfo["names"] as? [Value] ?? [] {
        let pet = try manager.destinationContext.insert("Pet")
        pet["name"] = name
      }
    }
    #expect(Self.failure(script) == Self.unassociated)
  }

  @Test func `objects that a policy associates get their links`() throws {
    let report = try Self.migrate(Self.creating(["name", "notes"], associates: true))
    #expect(LinkReconciliationTests.text(report.links) == ["Invoice.pet 6: 6 carried"])
    #expect(report.notes == [])
  }

  @Test func `a policy that reads the relationship decides about its links`() throws {
    var script = Self.creating(["name", "notes"])
    let create = script.create
    script.create = { source, mapping, manager, callSuper in
      _ = source[toMany: "invoices"]
      try create?(source, mapping, manager, callSuper)
    }
    #expect(LinkReconciliationTests.text(try Self.migrate(script).links) == ["Invoice.pet 6: 6 left to policies"])
  }

  @Test func `objects that a policy skips take their links along`() throws {
    var script = ScriptedPolicy.Script()
    script.create = { source, _, _, callSuper in if source["name"].string != "Pet 2" { try callSuper() } }
    let report = try Self.migrate(script)
    #expect(LinkReconciliationTests.text(report.links) == ["Invoice.pet 6: 4 carried, 2 dropped"])
    #expect(report.rows.last.map { [$0.migrated, $0.unused] } == [2, 1])
  }

  @Test func `intended losses are no error`() throws {
    let test = try Self.test()
    let report = try Self.migrate(Self.creating([]), losses: true, in: test)
    #expect(LinkReconciliationTests.text(report.links) == ["Invoice.pet 6: 6 dropped"])
    #expect(report.objects == ["Invoice": 6, "Pet": 3])
  }

  @Test func `a plan shows intended losses`() throws {
    let test = try Self.test()
    test.manager.policies.register(Losing.self)
    func plan(_ policy: String, losses: Bool) throws -> Bool {
      let plan = try test.manager.plan(
        from: test.source,
        with: [
          MappingModel(entityMappings: [
            EntityMappingDescription(source: "Pet", destination: "Pet", policy: policy, intendsLosses: losses)
          ])
        ])
      let line = "  drops what its policy neither migrates nor reads: losses are intended"
      #expect(plan.description.split(separator: "\n").contains(line[...]) == plan.steps[0].intendsLosses)
      return plan.steps[0].intendsLosses
    }
    #expect(try !plan("ScriptedPolicy", losses: false))
    #expect(try plan("ScriptedPolicy", losses: true))
    #expect(try plan("Losing", losses: false))
  }

  private final class Losing: EntityMigrationPolicy {
    override class var intendsLosses: Bool { true }
  }

  @Test func `links that a policy does not set in the second pass are refused`() throws {
    var script = ScriptedPolicy.Script()
    script.connect = { _, _, _, _ in }
    let test = try Self.test()
    test.manager.userInfo["PetToPet"] = script
    test.manager.userInfo["InvoiceToInvoice"] = script
    let mappings = ["Invoice", "Pet"].map {
      EntityMappingDescription(source: $0, destination: $0, policy: "ScriptedPolicy")
    }
    #expect(
      test.failure { try test.migrate(MappingModel(entityMappings: mappings)) }?.description == """
        error[migration.134110]: 6 links of relationship 'Invoice.pet' would be lost: policy 'ScriptedPolicy' of entity \
        mapping 'InvoiceToInvoice' and policy 'ScriptedPolicy' of entity mapping 'PetToPet' did not set them
          call 'super.createRelationships(forDestination:in:manager:)', or write 'losses="intended"' in the entity \
        mapping if they are to be dropped
        """)
  }

  @Test func `one link that a policy takes away is its decision`() throws {
    var script = ScriptedPolicy.Script()
    script.endRelationships = { _, manager in
      let pets = try manager.destinationContext.fetch(FetchRequest(entityName: "Pet"))
      try pets[0].setObjects([], forKey: "invoices")
    }
    #expect(
      LinkReconciliationTests.text(try Self.migrate(script).links) == [
        "Invoice.pet 6: 4 carried, 2 left to policies"
      ])
  }

  @Test func `values that a policy neither reads nor sets are refused`() throws {
    #expect(
      Self.failure(Self.creating(["name"], associates: true)) == """
        error[migration.134110]: values of 'Pet' would be lost: 2 of 'notes'. policy 'ScriptedPolicy' of entity mapping \
        'PetToPet' created objects without 'super', and neither read this attribute nor set the new one
          set 'notes', call 'super.createDestinationInstances(forSource:in:manager:)', or write 'losses="intended"' in \
        the entity mapping if the values are to be dropped
        """)
  }

  @Test func `a policy that does nothing is refused`() throws {
    var script = ScriptedPolicy.Script()
    script.create = { _, _, _, _ in }
    #expect(
      Self.failure(script) == """
        error[migration.134110]: policy 'ScriptedPolicy' of entity mapping 'PetToPet' created no objects from 3 × Pet, \
        and read nothing from them
          call 'super.createDestinationInstances(forSource:in:manager:)', or write 'type="remove"' if the objects are to \
        be removed
        """)
  }

  @Test func `a function that removes links decides about them`() throws {
    let test = try Self.test()
    test.manager.functions["clear:"] = MigrationFunction { (pet: ManagedObject) in
      try pet.setObjects([], forKey: "invoices")
      return ""
    }
    let report = try test.migrate(
      EntityMappingDescription(source: "Invoice", destination: "Invoice"),
      EntityMappingDescription(
        source: "Pet", destination: "Pet",
        properties: [
          .attribute("notes", try MappingExpression(parsing: #"FUNCTION($manager, "clear:", $destination)"#))
        ]))
    #expect(LinkReconciliationTests.text(report.links) == ["Invoice.pet 6: 6 carried"])
  }

  // MARK: Doubled objects

  @Test(arguments: [("PetToPet", "Again"), ("PetToPet", nil), ("Again", nil)])
  func `a policy does not permit doubled objects`(one: String, other: String?) throws {
    let test = try Self.test()
    let mappings = ["PetToPet", "Again"].map { name in
      EntityMappingDescription(
        name: name, source: "Pet", destination: "Pet", policy: [one, other].contains(name) ? "ScriptedPolicy" : nil)
    }
    let refusal = """
      error[migration.134110]: entity mappings 'PetToPet' and 'Again' both create objects from 3 of the 'Pet' objects
        split the objects between them with 'where', or write duplicates="intended"
      """
    let invoices = EntityMappingDescription(
      source: "Invoice", destination: "Invoice",
      properties: [
        .relationship("pet", from: try MappingExpression(parsing: "$source.pet"), through: "PetToPet")
      ])
    #expect(
      test.failure { try test.migrate(MappingModel(entityMappings: mappings + [invoices])) }?.description == refusal)
    let passes = [[mappings[0], invoices], [mappings[1]]].map { MappingModel(entityMappings: $0) }
    #expect(
      test.failure {
        try test.manager.migrateStore(from: test.source, to: test.destination, with: passes)
      }?.description == refusal)
  }

  @Test func `a policy may split the objects between two mappings`() throws {
    let test = try Self.test()
    var (first, second) = (ScriptedPolicy.Script(), ScriptedPolicy.Script())
    first.create = { source, _, _, callSuper in if source["name"].string == "Pet 1" { try callSuper() } }
    second.create = { source, _, _, callSuper in if source["name"].string != "Pet 1" { try callSuper() } }
    test.manager.userInfo["First"] = first
    test.manager.userInfo["Second"] = second
    let report = try test.migrate(
      EntityMappingDescription(name: "First", source: "Pet", destination: "Pet", policy: "ScriptedPolicy"),
      EntityMappingDescription(name: "Second", source: "Pet", destination: "Pet", policy: "ScriptedPolicy"),
      EntityMappingDescription(source: "Invoice", destination: "Invoice"))
    #expect(LinkReconciliationTests.text(report.links) == ["Invoice.pet 6: 6 carried"])
    #expect(report.objects["Pet"] == 3)
  }
}
