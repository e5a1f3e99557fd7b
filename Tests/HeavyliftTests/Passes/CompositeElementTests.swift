import Foundation
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Elements of composites that are renamed, added or become mandatory.
@Suite struct CompositeElementTests {
  private static func model(_ elements: [AttributeDescription], _ names: [AttributeDescription]) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Stop",
          attributes: [
            AttributeDescription(name: "place", type: .composite, compositeName: "Place"),
            Models.attribute("number", .integer16),
          ])
      ],
      composites: [
        CompositeDescription(
          name: "Place",
          elements: elements + [AttributeDescription(name: "label", type: .composite, compositeName: "Label")]),
        CompositeDescription(name: "Label", elements: names),
      ])
  }

  private static func element(
    _ name: String, _ type: AttributeType = .string, was identifier: String? = nil, isOptional: Bool = true,
    default value: Value = .null
  ) -> AttributeDescription {
    AttributeDescription(
      name: name, type: type, isOptional: isOptional, defaultValue: value, renamingIdentifier: identifier)
  }

  private static let old = model(
    [element("a"), element("b"), element("isOpen", .boolean), element("floor", .integer16)],
    [element("long"), element("short")])

  /// `a` and `b` are exchanged, `isOpen` is renamed, `floor` is mandatory now, and `country` and `code` are new.
  private static let new = model(
    [
      element("b", was: "a"), element("a", was: "b"), element("isPublic", .boolean, was: "isOpen"),
      element("floor", .integer16, isOptional: false, default: .integer(3)), element("country", default: "NO"),
    ], [element("name", was: "long"), element("short"), element("code", .integer64, default: .integer(7))])

  private static func fill(_ context: ManagedObjectContext) throws {
    let places: [Value] = [
      .composite([
        "a": "A", "b": "B", "isOpen": .bool(true), "floor": .integer(2),
        "label": .composite(["long": "Long", "short": "Short"]),
      ]), .composite(["a": "only A"]), .null,
    ]
    for (number, place) in places.enumerated() {
      let stop = try context.insert("Stop")
      stop["number"] = .integer(Int64(number))
      stop["place"] = place
    }
  }

  private static let expected: [Value] = [
    .composite([
      "b": "A", "a": "B", "isPublic": .bool(true), "floor": .integer(2), "country": "NO",
      "label": .composite(["name": "Long", "short": "Short", "code": .integer(7)]),
    ]),
    // An inner composite without a value stays without one.
    .composite(["b": "only A", "a": nil, "isPublic": nil, "floor": .integer(3), "country": "NO", "label": nil]),
    // So does a whole one: a default would give it a value.
    nil,
  ]

  private func values(_ url: URL) throws -> [Value] {
    let store = try PersistentStore(url: url, models: [Self.new], mode: .readOnly)
    defer { try? store.close() }
    return try ManagedObjectContext(store: store).fetch(FetchRequest(entityName: "Stop")).map { $0["place"] }
  }

  @Test func `they are inferred, in SQL and by objects, and verified`() throws {
    let inferred = try MappingModel.inferred(from: Self.old, to: Self.new)
    #expect(inferred.complete(from: Self.old, to: Self.new).check().map(\.description) == [])
    for policy in [nil, "ScriptedPolicy"] {
      let test = try MigrationTest(
        from: Self.old, to: Self.new, policies: PolicyRegistry(ScriptedPolicy.self), fill: Self.fill)
      var mapping = inferred
      mapping.entityMappings[0].policyClassName = policy
      try test.migrate(mapping)
      #expect(try values(test.destination) == Self.expected, "\(policy ?? "SQL")")
      let stores = try test.bothStores()
      let report = try StoreVerifier(
        source: stores.0, destination: stores.1, mappings: [mapping], policies: PolicyRegistry(ScriptedPolicy.self)
      ).verify()
      #expect(report.isClean && report.decidedByPolicies == 0, "\(report.examples)")
    }
  }

  @Test(arguments: [IncrementalMigrationOptions.Mode.copy, .inPlace])
  func `they are the same in place`(_ mode: IncrementalMigrationOptions.Mode) throws {
    let test = try MigrationTest(from: Self.old, to: Self.new, fill: Self.fill)
    try IncrementalMigrationManager(models: [Self.old, Self.new], infersMissingMappings: true).migrate(
      test.source, options: .init(mode: mode))
    #expect(try values(test.source) == Self.expected)
  }

  @Test func `the verifier notices elements that were not exchanged`() throws {
    let (old, new) = (
      Self.model([Self.element("a"), Self.element("b")], [Self.element("x")]),
      Self.model([Self.element("a", was: "b"), Self.element("b", was: "a")], [Self.element("x")])
    )
    let test = try MigrationTest(from: old, to: new) { context in
      try context.insert("Stop")["place"] = .composite(["a": "A", "b": "B"])
    }
    let mapping = try MappingModel.inferred(from: old, to: new)
    try test.migrate(mapping)
    try Database(path: test.destination.path, mode: .readWrite).execute("UPDATE ZSTOP SET ZA = 'A', ZB = 'B'")
    let stores = try test.bothStores()
    let report = try StoreVerifier(source: stores.0, destination: stores.1, mappings: [mapping]).verify()
    #expect(report.differences == 1, "\(report.examples)")
  }

  @Test func `an element without a counterpart is refused`() {
    let new = Self.model(
      [Self.element("a", was: "b"), Self.element("isOpen", .boolean), Self.element("floor", .integer16)],
      [Self.element("long"), Self.element("short")])
    #expect(
      failure { _ = try MappingModel.inferred(from: Self.old, to: new) } == """
        error[inference.composite-type]: attribute 'place' of entity 'Stop' has lost elements, or the types of elements have \
        changed
          write a mapping file with an expression that creates the new value
        """)
  }
}
