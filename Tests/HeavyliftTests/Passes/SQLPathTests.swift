import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore
@testable import HeavyliftEngine

/// Law: SQL and objects give the same result for every mapping that both can run.
@Suite struct SQLPathTests {
  private func outcome(_ test: MigrationTest, _ mapping: MappingModel, forcesObjects: Bool) throws -> MigrationOutcome {
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    return try MigrationOutcome(
      of: test, passes(of: mapping), named: forcesObjects ? "objects" : "sql", options: options)
  }

  /// Returns a mapping model without some entity mappings, and one that runs after it with the others.
  private func passes(of mapping: MappingModel) -> [MappingModel] {
    let parts = [false, true].map { isLater in
      var part = mapping
      part.entityMappings.removeAll { ($0.userInfo["later"] != nil) != isLater }
      return part
    }
    return parts[1].entityMappings.isEmpty ? [parts[0]] : parts
  }

  /// A detailed description of how the two paths differ, or nil.
  private func disagreement(_ candidate: MigrationCase, _ policies: PolicyRegistry) throws -> String? {
    let test = try MigrationTest(from: candidate.models[0], to: candidate.models[1], policies: policies) {
      try candidate.populate($0)
    }
    let mapping = candidate.mappings[0]
    let objects = try outcome(test, mapping, forcesObjects: true)
    let sql = try outcome(test, mapping, forcesObjects: false)
    // An entity mapping may not refer to one of a later mapping model, which objects and statements notice elsewhere.
    if passes(of: mapping).count > 1, objects.error != nil, sql.error != nil { return nil }
    guard objects != sql else { return nil }
    return MigrationOutcome.difference(("objects", "sql"), objects, sql) + "\n"
      + ((try? test.plan(mapping)).map { "\($0)" } ?? "")
  }

  private func expectAgreement(_ candidate: MigrationCase, _ policies: PolicyRegistry, seed: UInt64) throws -> Bool {
    guard try disagreement(candidate, policies) != nil else { return true }
    let least = try candidate.shrunk { try disagreement($0, policies) != nil }
    Issue.record("seed \(seed)\n\(try disagreement(least, policies) ?? "")\n\(least)")
    return false
  }

  @Test(arguments: 0..<5 as Range<UInt64>)
  func `SQL gives the same result as migrating object by object, in every column`(round: UInt64) throws {
    for seed in Seeds.some(of: (round * 25)..<(round * 25 + 25)) {
      let candidate = MigrationCase(try GeneratedMigration(seed: seed))
      guard try expectAgreement(candidate, PolicyRegistry(LawPolicy.self), seed: seed) else { return }
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `relationships that policies leave to super are the same, whenever they are read`(round: UInt64) throws {
    for seed in Seeds.some(of: (round * 20)..<(round * 20 + 20)) {
      var candidate = MigrationCase(try GeneratedMigration(seed: 1_000 + seed))
      for (place, mapping) in candidate.mappings[0].entityMappings.enumerated() {
        // In half of the migrations, each entity mapping that can have a policy has one.
        guard mapping.policyClassName != nil || seed % 2 == 0, mapping.sourceEntityName != nil else { continue }
        candidate.mappings[0].entityMappings[place].policyClassName = PolicyRegistry(LeavingPolicy.self).names.first
        candidate.mappings[0].entityMappings[place].userInfo = [
          "way": "\(seed % 3 == 0 ? 0 : (seed + UInt64(place)) % 6)"
        ]
      }
      guard try expectAgreement(candidate, PolicyRegistry(LeavingPolicy.self), seed: 1_000 + seed) else { return }
    }
  }

  @Test func `relationships are the same if some entity mappings run in a second mapping model`() throws {
    var succeeded = 0
    for seed in Seeds.some(of: 2_000..<2_080) {
      var candidate = MigrationCase(try GeneratedMigration(seed: seed))
      for (place, mapping) in candidate.mappings[0].entityMappings.enumerated() {
        if (seed >> UInt64(place % 8)).isMultiple(of: 2) {
          candidate.mappings[0].entityMappings[place].userInfo["later"] = ""
        }
        guard mapping.policyClassName != nil, mapping.sourceEntityName != nil else { continue }
        candidate.mappings[0].entityMappings[place].policyClassName = PolicyRegistry(LeavingPolicy.self).names.first
        candidate.mappings[0].entityMappings[place].userInfo["way"] = "\((seed + UInt64(place)) % 6)"
      }
      guard try expectAgreement(candidate, PolicyRegistry(LeavingPolicy.self), seed: seed) else { return }
      let test = try MigrationTest(
        from: candidate.models[0], to: candidate.models[1], policies: PolicyRegistry(LeavingPolicy.self)
      ) { try candidate.populate($0) }
      if try outcome(test, candidate.mappings[0], forcesObjects: false).error == nil { succeeded += 1 }
    }
    #expect(succeeded > 1, "\(succeeded)")
  }

  @Test func `generated migrations use both paths, and succeed often enough to be useful`() throws {
    var (sql, functions, objects, links, joins, ordered, done, files) = (0, 0, 0, 0, 0, 0, 0, 0)
    var errors: [String] = []
    for seed in 0..<40 as Range<UInt64> {
      var generated = try GeneratedMigration(seed: seed)
      let test = try MigrationTest(
        from: generated.old, to: generated.new, policies: PolicyRegistry(LawPolicy.self)
      ) { try generated.fill($0) }
      let outcome = try outcome(test, generated.mapping, forcesObjects: false)
      if let error = outcome.error { errors.append("\(seed): \(error)") } else { done += 1 }
      files += outcome.files.count
      guard let plan = try? test.plan(generated.mapping) else { continue }
      for step in plan.steps {
        switch step.rows {
        case .sql: sql += 1
        case .sqlWithFunctions: functions += 1
        case .objects: objects += 1
        case .nothing, .kept: break
        }
        links += step.rowRelationships.count
        ordered += step.relationshipPlans.count { plan in
          plan.reasonForObjects == nil
            && generated.new.relationship(plan.name, of: step.destinationEntityName ?? "")?.isOrdered == true
        }
        joins += step.joins.count
      }
    }
    #expect(
      sql > 30 && functions > 5 && objects > 5 && links > 20 && joins > 2 && ordered > 20 && done > 15
        && files > 10,
      "\(sql) \(functions) \(objects) \(links) \(joins) \(ordered) \(done) \(files)\n\(errors.joined(separator: "\n"))"
    )
  }

  // MARK: Floating-point numbers that become integers

  private func rounding(_ expression: String, _ values: [Double?]) throws -> (MigrationTest, MappingModel) {
    func model(_ name: String, _ attribute: AttributeDescription) -> ManagedObjectModel {
      ManagedObjectModel(name: name, entities: [EntityDescription(name: "Track", attributes: [attribute])])
    }
    let test = try MigrationTest(
      from: model("1", Models.attribute("seconds", .double)), to: model("2", Models.attribute("whole", .integer64))
    ) { context in
      for value in values { try context.insert("Track")["seconds"] = value.map(Value.double) ?? .null }
    }
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(
        source: "Track", destination: "Track",
        properties: [.attribute("whole", try MappingExpression(parsing: expression))])
    ])
    return (test, mapping)
  }

  @Test(arguments: [
    "trunc:($source.seconds * 1000)", "floor:($source.seconds / 8)", "ceiling:(1000.5 - $source.seconds)",
    "trunc:(trunc:($source.seconds * 3) * 5)",
  ])
  func `SQL converts a product that cannot be NaN to an integer`(expression: String) throws {
    let (test, mapping) = try rounding(expression, [215.4567, -0.25, 0, -0.0, nil, 1e12, -7.999, 2.5e-308])
    #expect(try test.plan(mapping).steps.map(\.rows) == [.sqlWithFunctions])
    let objects = try outcome(test, mapping, forcesObjects: true)
    #expect(objects.error == nil && objects.rows["ZTRACK"]?.count == 8)
    #expect(try outcome(test, mapping, forcesObjects: false) == objects)
  }

  @Test(arguments: [1e300, -.infinity, .greatestFiniteMagnitude])
  func `a number that no integer can hold is the same error in SQL`(value: Double) throws {
    let (test, mapping) = try rounding("trunc:($source.seconds * 1000)", [1, value])
    let objects = try outcome(test, mapping, forcesObjects: true)
    #expect(objects.error?.contains("whole") == true)
    #expect(try outcome(test, mapping, forcesObjects: false) == objects)
  }

  // MARK: Sources that break their own rules

  /// Three items in a box with tags. SQL makes them invalid; expressions set the items' values.
  private func broken(
    _ sql: String, _ expressions: [(String, String)] = []
  ) throws -> (MigrationTest, MappingModel) {
    func model(_ name: String) -> ManagedObjectModel {
      ManagedObjectModel(
        name: name,
        entities: [
          EntityDescription(
            name: "Item",
            attributes: [
              Models.attribute("name", .string, isOptional: false), Models.attribute("size", .integer16),
              Models.attribute("count", .integer32, isOptional: false, default: .integer(1)),
            ],
            relationships: [
              Models.toOne("box", "Box", "items", isOptional: false), Models.toMany("tags", "Tag", "items"),
            ]),
          EntityDescription(name: "Box", relationships: [Models.toMany("items", "Item", "box")]),
          EntityDescription(name: "Tag", relationships: [Models.toMany("items", "Item", "tags")]),
        ])
    }
    let test = try MigrationTest(from: model("1"), to: model("2")) { context in
      let (box, tags) = (try context.insert("Box"), try (0..<2).map { _ in try context.insert("Tag") })
      for number in 1...3 as ClosedRange<Int64> {
        let item = try context.insert("Item")
        item["name"] = .string("item \(number)")
        item["size"] = .integer(number)
        item["count"] = .integer(number * 1000)
        item[toOne: "box"] = box
        try item.setObjects(tags, forKey: "tags")
      }
    }
    let database = try Database(path: test.source.path, mode: .readWrite)
    try database.execute(sql)
    try database.close()
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(
        source: "Item", destination: "Item",
        properties: try expressions.map { .attribute($0, try MappingExpression(parsing: $1)) }),
      EntityMappingDescription(source: "Box", destination: "Box"),
      EntityMappingDescription(source: "Tag", destination: "Tag"),
    ])
    return (test, mapping)
  }

  @Test(
    arguments: [
      ("", [], nil), ("", [("size", "$source.count + 29767")], nil),
      ("UPDATE ZITEM SET ZNAME = NULL WHERE Z_PK = 2", [], "'name' is mandatory"),
      ("UPDATE ZITEM SET ZCOUNT = NULL WHERE Z_PK = 2", [], "'count' is mandatory"),
      ("UPDATE ZITEM SET ZSIZE = 40000 WHERE Z_PK = 3", [], "'size' is larger"),
      ("UPDATE ZITEM SET ZSIZE = -40000, ZCOUNT = 3000000000 WHERE Z_PK = 3", [], "'count' is larger"),
      ("UPDATE ZITEM SET ZBOX = NULL WHERE Z_PK = 1", [], "'box' is mandatory"),
      ("UPDATE ZITEM SET ZBOX = 9 WHERE Z_PK = 1", [], "'box' is mandatory"),
      ("DELETE FROM ZTAG WHERE Z_PK = 2", [], nil), ("DELETE FROM ZITEM WHERE Z_PK = 2", [], nil),
      ("", [("size", "$source.count * 11")], "'size' is larger"),
      ("", [("size", "$source.count + 29768")], "'size' is larger"),
      ("UPDATE ZITEM SET ZSIZE = NULL WHERE Z_PK = 2", [("count", "$source.size + 1")], "'count' is mandatory"),
      ("UPDATE ZITEM SET ZSIZE = NULL WHERE Z_PK = 2", [("count", "$source.size")], "'count' is mandatory"),
      ("", [("name", "TERNARY($source.size > 2, NULL, $source.name)")], "'name' is mandatory"),
      ("", [("size", "40000")], "'size' is larger"), ("", [("name", "nil")], "'name' is mandatory"),
    ] as [(String, [(String, String)], String?)])
  func `a broken rule is reported by SQL as by objects`(
    sql: String, expressions: [(String, String)], problem: String?
  ) throws {
    let (test, mapping) = try broken(sql, expressions)
    if sql.contains("3000000000") || expressions.allSatisfy({ $1 != "40000" }) {
      #expect(try test.plan(mapping).steps.allSatisfy { $0.rows.isSQL && $0.relationships != .objects })
    }
    let objects = try outcome(test, mapping, forcesObjects: true)
    #expect((objects.error == nil) == (problem == nil), "\(objects.error ?? "")")
    #expect(objects.error?.contains(problem ?? "") ?? true, "\(objects.error ?? "")")
    #expect(try outcome(test, mapping, forcesObjects: false) == objects)
  }

  @Test(arguments: [
    "trunc:($source.seconds * 0.0)", "trunc:($source.seconds - $source.seconds)", "trunc:(sqrt:($source.seconds))",
    "trunc:($source.seconds * $source.seconds)",
  ])
  func `a value that may be NaN is left to objects`(expression: String) throws {
    let (test, mapping) = try rounding(expression, [1])
    #expect(
      try test.plan(mapping).steps[0].rowReasons.map(\.description)
        == ["'whole': the result may be NaN, which Integer 64 cannot store"])
  }
}

extension MigrationTest {
  /// The plan, whether the mapping is valid or not.
  func plan(_ mapping: MappingModel) throws -> MigrationPlan {
    try manager.plan(from: source, [mapping.complete(from: old, to: new)])
  }
}
