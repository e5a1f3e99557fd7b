import Foundation
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Strings that become dates: with statements, and object by object.
@Suite struct DateFunctionMigrationTests {
  private final class PlainPolicy: EntityMigrationPolicy {}

  private static let old = ManagedObjectModel(
    name: "Bills 1",
    entities: [
      EntityDescription(
        name: "Bill", attributes: [Models.attribute("issued", .string), Models.attribute("region", .string)])
    ])
  private static let new = ManagedObjectModel(
    name: "Bills 2", entities: [EntityDescription(name: "Bill", attributes: [Models.attribute("issuedAt", .date)])])

  private static func mapping(_ value: String, policy: String?) throws -> MappingModel {
    MappingModel(entityMappings: [
      EntityMappingDescription(
        source: "Bill", destination: "Bill", policy: policy,
        properties: [.attribute("issuedAt", try MappingExpression(parsing: value))],
        drops: value.contains("region") ? [] : [DroppedProperty("region")])
    ])
  }

  private func test(_ rows: [(String?, String?)]) throws -> MigrationTest {
    try MigrationTest(from: Self.old, to: Self.new, policies: PolicyRegistry(PlainPolicy.self)) { context in
      for (issued, zone) in rows {
        let bill = try context.insert("Bill")
        if let issued { bill["issued"] = .string(issued) }
        if let zone { bill["region"] = .string(zone) }
      }
    }
  }

  @Test(arguments: [nil, "PlainPolicy"])
  func `the format and the time zone are constants, or values of the object`(policy: String?) throws {
    let rows: [(String?, String?)] = [
      ("31.01.2024", "Europe/Berlin"), (nil, "UTC"), ("01.07.2024", "America/New_York"), ("29.02.2024", "UTC"),
    ]
    for (value, expected) in [
      (
        #"FUNCTION($source.issued, "dateWithFormat:", "dd.MM.yyyy")"#,
        ["728352000.0", "nil", "741484800.0", "730857600.0"]
      ),
      (
        #"FUNCTION($source.issued, "dateWithFormat:timeZone:", "dd.MM.yyyy", $source.region)"#,
        ["728348400.0", "nil", "741499200.0", "730857600.0"]
      ),
    ] {
      let test = try test(rows)
      let mapping = try Self.mapping(value, policy: policy)
      try test.migrate(mapping)
      #expect(
        try test.lines("Bill", "issuedAt") == expected.enumerated().map { "Bill/p\($0 + 1) issuedAt=\($1)" })
    }
  }

  @Test func `rows are migrated with statements`() throws {
    let hop = MigrationHop(
      sourceModel: Self.old, destinationModel: Self.new,
      mappings: [
        try Self.mapping(#"FUNCTION($source.issued, "dateWithISO8601Format")"#, policy: nil)
      ])
    let plan = try MappingHopExecution(policies: PolicyRegistry()) { _, _ in }.plan(from: nil, hop: hop)
    #expect(plan.steps.map(\.rows) == [.sqlWithFunctions])
  }

  @Test(arguments: [nil, "PlainPolicy"])
  func `a string that is not a date stops the migration and names the object`(policy: String?) throws {
    let test = try test([("31.01.2024", nil), ("30.02.2024", nil)])
    let mapping = try Self.mapping(#"FUNCTION($source.issued, "dateWithFormat:", "dd.MM.yyyy")"#, policy: policy)
    do {
      try test.migrate(mapping)
      Issue.record("nothing was thrown")
    } catch {
      let text = "\(error)"
      #expect(text.contains("a string is not a date in format 'dd.MM.yyyy': there is no such day"), "\(text)")
      #expect(text.contains("'issuedAt'") && text.contains("Bill/p2"), "\(text)")
      #expect(!text.contains("30.02.2024"), "\(text)")
    }
    #expect(!FileManager.default.fileExists(atPath: test.destination.path))
  }
}
