import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore
@testable import HeavyliftEngine

/// Source objects that another thread reads and computes, without a visible difference.
@Suite struct PrefetchingTests {
  /// Prefetches small pages, so that objects move from one page to the next; or never.
  private func outcome(_ test: MigrationTest, _ mapping: MappingModel, prefetching: Bool) throws -> MigrationOutcome {
    var options = MigrationOptions()
    options.prefetching.leastObjects = prefetching ? 0 : .max
    options.prefetching.pageSize = 2
    return try MigrationOutcome(of: test, mapping, named: prefetching ? "prefetched" : "later", options: options)
  }

  private func disagreement(_ candidate: MigrationCase, damage: [String]) throws -> String? {
    let test = try MigrationTest(
      from: candidate.models[0], to: candidate.models[1], policies: PolicyRegistry(CuriousPolicy.self)
    ) { try candidate.populate($0) }
    if !damage.isEmpty {
      let database = try Database(path: test.source.path, mode: .readWrite)
      for sql in damage { try database.execute(sql) }
      try database.close()
    }
    let mapping = candidate.mappings[0]
    let later = try outcome(test, mapping, prefetching: false)
    let prefetched = try outcome(test, mapping, prefetching: true)
    return later == prefetched ? nil : MigrationOutcome.difference(("later", "prefetched"), later, prefetched)
  }

  /// A generated migration with the policy on each entity mapping.
  private func candidate(_ seed: UInt64) throws -> MigrationCase {
    var candidate = MigrationCase(try GeneratedMigration(seed: seed))
    for (place, mapping) in candidate.mappings[0].entityMappings.enumerated() where mapping.sourceEntityName != nil {
      candidate.mappings[0].entityMappings[place].policyClassName = PolicyRegistry(CuriousPolicy.self).names.first
      candidate.mappings[0].entityMappings[place].userInfo = ["way": "\((seed + UInt64(place)) % 10)"]
    }
    return candidate
  }

  private func expectAgreement(_ seed: UInt64, damage: [String] = []) throws -> Bool {
    let candidate = try candidate(seed)
    guard try disagreement(candidate, damage: damage) != nil else { return true }
    let least = try candidate.shrunk { try disagreement($0, damage: damage) != nil }
    Issue.record("seed \(seed)\n\(try disagreement(least, damage: damage) ?? "")\n\(least)")
    return false
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `policies see the same values, whatever they do with them`(round: UInt64) throws {
    for seed in Seeds.some(of: (round * 20)..<(round * 20 + 20)) {
      guard try expectAgreement(5_000 + seed) else { return }
    }
  }

  @Test(arguments: [
    "UPDATE ZTRACK SET ZTEXT = x'00ff' WHERE Z_PK % 3 = 0", "UPDATE ZTRACK SET ZCOUNT = 'many' WHERE Z_PK % 3 = 0",
    "UPDATE ZTRACK SET ZALBUM = 'one' WHERE Z_PK % 3 = 0", "UPDATE ZTRACK SET ZALBUM = -1 WHERE Z_PK % 3 = 0",
    "UPDATE ZTRACK SET ZRATIO = x'00' WHERE Z_PK % 3 = 0", "UPDATE ZTRACK SET ZCOUNT = 9e18 WHERE Z_PK % 3 = 0",
    "UPDATE ZTRACK SET ZFLAG = 5 WHERE Z_PK % 3 = 0", "UPDATE ZTRACK SET ZSMALL = 70000 WHERE Z_PK % 3 = 0",
    "UPDATE ZTRACK SET ZPRICE = 'dear' WHERE Z_PK % 3 = 0", "UPDATE ZTRACK SET ZIDENT = x'00' WHERE Z_PK % 3 = 0",
    "UPDATE ZTRACK SET Z_PK = -Z_PK WHERE Z_PK = 3", "UPDATE ZTRACK SET ZWHEN = 'today' WHERE Z_PK % 3 = 0",
  ])
  func `damage is reported to the policy that reads it, and to no other`(damage: String) throws {
    for seed in Seeds.some(of: 0..<10) { guard try expectAgreement(6_000 + seed, damage: [damage]) else { return } }
  }

  // MARK: Prefetched values

  /// The values that were available while a policy created objects.
  private final class Findings {
    var attributes: [Set<String>] = []
    var given: [Bool] = []
  }

  /// Reads every other object before calling super, so that the values computed for it are not used.
  private final class Reader: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      guard let findings = manager.userInfo["findings"] as? Findings,
        let rows = try manager.run?.step(for: mapping).prefetch
      else { return try super.createDestinationInstances(forSource: source, in: mapping, manager: manager) }
      findings.attributes.append(rows.attributeNames)
      if source.primaryKey.isMultiple(of: 2) { try source.fulfill() }
      if source.primaryKey.isMultiple(of: 3) { _ = source["small"] }
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      let object = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source]).first
      findings.given.append(object?.prefetched != nil)
    }
  }

  private func model(_ name: String) -> ManagedObjectModel {
    ManagedObjectModel(
      name: name,
      entities: [
        EntityDescription(
          name: "Track",
          attributes: [
            Models.attribute("text", .string), Models.attribute("count", .integer64),
            Models.attribute("small", .integer16), Models.attribute("ratio", .double),
            Models.attribute("price", .decimal), Models.attribute("kind", .string, default: "none"),
          ])
      ])
  }

  private func tracks(_ count: Int64) throws -> MigrationTest {
    try MigrationTest(from: model("1"), to: model("2"), policies: PolicyRegistry(Reader.self)) { context in
      for number in 1...count {
        let track = try context.insert("Track")
        track["text"] = .string("a text of some length \(number)")
        track["count"] = .integer(number)
        track["small"] = .integer(number % 7)
        track["ratio"] = .double(Double(number) / 8)
        track["price"] = .decimal(1.5)
      }
    }
  }

  private func mapping(_ expressions: [(String, String)]) throws -> MappingModel {
    MappingModel(
      copying: .everything,
      entityMappings: [
        EntityMappingDescription(
          source: "Track", destination: "Track", policy: PolicyRegistry(Reader.self).names.first,
          properties: try expressions.map { .attribute($0, try MappingExpression(parsing: $1)) })
      ])
  }

  @Test(
    arguments: [
      ([("kind", "uppercase:($source.text)")], ["count", "kind", "price", "ratio", "small", "text"]),
      ([("kind", "'word'"), ("count", "$source.count * 2")], ["count", "kind", "price", "ratio", "small", "text"]),
      // Values that SQL and objects see differently, or that only objects know.
      ([("price", "$source.price + 1")], ["count", "kind", "ratio", "small", "text"]),
      ([("ratio", "$source.ratio / $source.count")], ["count", "kind", "price", "small", "text"]),
      ([("kind", "CAST($source.price, 'NSString')")], ["count", "price", "ratio", "small", "text"]),
      ([("kind", "$destination.text")], []),
      // The first expression may look at an object whose count is not set yet.
      ([("kind", "$destination.text"), ("count", "$source.count * 2")], []),
    ] as [([(String, String)], [String])])
  func `values that depend only on the row are prefetched and used by super`(
    expressions: [(String, String)], attributes: [String]
  ) throws {
    let (test, mapping) = (try tracks(9), try mapping(expressions))
    let findings = Findings()
    test.manager.userInfo["findings"] = findings
    let prefetched = try outcome(test, mapping, prefetching: true)
    #expect(findings.attributes == [Set<String>](repeating: Set(attributes), count: 9))
    #expect(findings.given == (1...9).map { !$0.isMultiple(of: 2) && !attributes.isEmpty })
    let later = try MigrationOutcome(
      of: try tracks(9), try self.mapping(expressions), named: "objects", options: .forcingObjects)
    #expect(prefetched.rows["ZTRACK"]?.count == 9)
    #expect(prefetched.rows == later.rows)
  }

  @Test func `very large values are copied without being in a page`() throws {
    let length = 1 << 21
    let test = try MigrationTest(from: model("1"), to: model("2"), policies: PolicyRegistry(Reader.self)) { context in
      for number in 1...3 {
        let track = try context.insert("Track")
        track["text"] = .string(String(repeating: "\(number)", count: number == 1 ? length : 5))
        track["count"] = .integer(Int64(number))
      }
    }
    let prefetched = try outcome(test, try mapping([]), prefetching: true)
    let later = try outcome(test, try mapping([]), prefetching: false)
    #expect(prefetched.error == nil && prefetched == later)
    #expect(prefetched.rows["ZTRACK"]?.contains { "\($0)".utf8.count > length } == true)
  }

  /// Sets attributes that super has copied or computed, other ones for each object.
  private final class Setter: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      let made = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
      guard let object = made.first else { return }
      let key = source.primaryKey
      if let broken = manager.userInfo["broken"] as? Int64 {
        object["small"] = .integer(key == broken ? -1 : 1)
        return
      }
      if [1, 5].contains(key % 6) { object["text"] = .string("set for \(key)") }
      if [2, 5].contains(key % 6) { object["count"] = .null }
      if [3, 5].contains(key % 6) { (object["kind"], object["small"]) = ("A KIND", .integer(key)) }
      if key % 6 == 4 { (object["price"], object["ratio"]) = (.decimal(2.25), .double(0.5)) }
      if key == 6 { object["text"] = .string(String(repeating: "ä long text", count: 1_000)) }
      if key == 7 { object["text"] = .string((object["text"].string ?? "nil") + ", and again") }
    }
  }

  @Test func `attributes that a policy sets are written instead of those in the page`() throws {
    let test = try MigrationTest(from: model("1"), to: model("2"), policies: PolicyRegistry(Setter.self)) { context in
      for number in 1...14 as ClosedRange<Int64> {
        let track = try context.insert("Track")
        (track["text"], track["count"]) = (.string("text \(number)"), .integer(number))
        (track["small"], track["ratio"], track["price"]) = (.integer(0), .double(0.25), .decimal(1.5))
      }
    }
    var mapping = try mapping([("kind", "uppercase:($source.text)")])
    mapping.entityMappings[0].policyClassName = PolicyRegistry(Setter.self).names.first
    let later = try outcome(test, mapping, prefetching: false)
    let prefetched = try outcome(test, mapping, prefetching: true)
    #expect(prefetched == later, "\(MigrationOutcome.difference(("later", "prefetched"), later, prefetched))")
    let store = try PersistentStore(
      url: test.folder.appending("prefetched.sqlite"), models: [model("2")], mode: .readOnly)
    let tracks = try ManagedObjectContext(store: store).fetch(FetchRequest(entityName: "Track"))
    let names = ["text", "count", "small", "ratio", "price", "kind"]
    for key in 1...14 as ClosedRange<Int64> {
      var expected: [Value] = [
        .string("text \(key)"), .integer(key), .integer(0), .double(0.25), .decimal(1.5), .string("TEXT \(key)"),
      ]
      switch key % 6 {
      case 1: expected[0] = .string("set for \(key)" + (key == 7 ? ", and again" : ""))
      case 2: expected[1] = .null
      case 3: (expected[2], expected[5]) = (.integer(key), "A KIND")
      case 4: (expected[3], expected[4]) = (.double(0.5), .decimal(2.25))
      case 5:
        expected = [.string("set for \(key)"), .null, .integer(key), .double(0.25), .decimal(1.5), "A KIND"]
      default: if key == 6 { expected[0] = .string(String(repeating: "ä long text", count: 1_000)) }
      }
      let track = try #require(tracks.first { $0.primaryKey == key })
      #expect(names.map { track[$0] } == expected)
    }
  }

  @Test(arguments: [false, true])
  func `a value that a policy sets is checked instead of the one in the page`(prefetching: Bool) throws {
    var new = model("2")
    let place = try #require(new.entities[0].attributes.firstIndex { $0.name == "small" })
    new.entities[0].attributes[place].validation = AttributeValidation(minimum: .integer(0))
    var mapping = try mapping([])
    mapping.entityMappings[0].policyClassName = PolicyRegistry(Setter.self).names.first
    for broken in [4, 0] as [Int64] {
      let test = try MigrationTest(from: model("1"), to: new, policies: PolicyRegistry(Setter.self)) { context in
        // The values in the page are right if the policy's are wrong, and wrong if they are right.
        for _ in 1...6 { try context.insert("Track")["small"] = .integer(broken == 0 ? -1 : 1) }
      }
      test.manager.userInfo["broken"] = broken
      let outcome = try outcome(test, mapping, prefetching: prefetching)
      if broken == 0 {
        #expect(outcome.error == nil)
      } else {
        #expect(outcome.error?.contains("'small'") == true, "\(outcome.error ?? "no error")")
      }
    }
  }

  @Test func `few objects need no extra thread`() throws {
    let test = try tracks(20)
    let findings = Findings()
    test.manager.userInfo["findings"] = findings
    try test.migrate(try mapping([]))
    #expect(findings.attributes.isEmpty)
  }

  @Test func `a store that is closed or abandoned leaves no thread behind`() throws {
    struct Enough: Error {}
    final class Leaving: EntityMigrationPolicy {
      override func createDestinationInstances(
        forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
      ) throws {
        if source.primaryKey == 5 { throw Enough() }
        try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      }
    }
    let test = try MigrationTest(from: model("1"), to: model("2"), policies: PolicyRegistry(Leaving.self)) { context in
      for _ in 0..<20 { _ = try context.insert("Track") }
    }
    var mapping = try mapping([])
    mapping.entityMappings[0].policyClassName = PolicyRegistry(Leaving.self).names.first
    let later = try outcome(test, mapping, prefetching: false)
    let prefetched = try outcome(test, mapping, prefetching: true)
    #expect(later == prefetched)
    #expect(prefetched.error?.contains("Track/p5") == true)
  }
}

extension MigrationOptions {
  fileprivate static var forcingObjects: MigrationOptions {
    var options = MigrationOptions()
    options.forcesObjects = true
    return options
  }
}
