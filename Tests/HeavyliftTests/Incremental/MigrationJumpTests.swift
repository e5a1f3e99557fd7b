import HeavyliftTestSupport
import Testing

@testable import Heavylift

/// Jumps over versions for hops that cannot be inferred, where a longer hop can.
struct MigrationJumpTests {
  /// Version 2 requires what version 1 lacks; version 3 no longer does.
  private static let models = [
    version(1, [Models.attribute("title", .string), Models.attribute("stars", .integer16)]),
    version(
      2,
      [
        Models.attribute("title", .string), Models.attribute("owner", .string, isOptional: false),
        attribute("stars", isOptional: false, default: 3), attribute("rank", default: 1),
      ]),
    version(
      3,
      [
        Models.attribute("title", .string), Models.attribute("owner", .string), attribute("stars"),
        attribute("rank", default: 2),
      ]),
    version(
      4,
      [
        Models.attribute("title", .string), Models.attribute("owner", .string), attribute("stars"),
        attribute("rank", default: 2), Models.attribute("color", .string),
      ]),
  ]

  private static func version(_ number: Int, _ attributes: [AttributeDescription]) -> ManagedObjectModel {
    ManagedObjectModel(name: "V\(number)", entities: [EntityDescription(name: "Note", attributes: attributes)])
  }

  private static func attribute(
    _ name: String, isOptional: Bool = true, default value: Int64? = nil, renamedFrom old: String? = nil
  ) -> AttributeDescription {
    AttributeDescription(
      name: name, type: .integer16, isOptional: isOptional, defaultValue: value.map { .integer($0) } ?? .null,
      renamingIdentifier: old)
  }

  private func graph(_ files: [(Int, Int)] = []) -> MigrationGraph {
    let candidates = files.map { pair in
      MappingCandidate(
        file: "\(pair.0)-\(pair.1).xml",
        mappingModel: MappingModel(
          source: ModelReference(name: "V\(pair.0)"), destination: ModelReference(name: "V\(pair.1)"),
          entityMappings: [EntityMappingDescription(source: "Note", destination: "Note")]))
    }
    return MigrationGraph(models: Self.models, mappings: MappingSearch(candidates), infersMissing: true)
  }

  @Test func `a jump is offered with everything that it skips, and never taken without consent`() {
    #expect(
      failure { try graph([(2, 3)]).path(from: 0, to: 3) } == """
        error[migration.no-path]: no mappings lead from 'V1' to 'V4':
          'V1' → nothing
          'V2' → 'V3' (2-3.xml)
          'V3' → 'V4' (inferred)
          'V4' → nothing
          no other mapping can be inferred:
          - attribute 'owner' of entity 'Note' is new and mandatory, and has no default value
          a jump 'V1' → 'V3' over 'V2' can be inferred, with these consequences:
            - a skipped hop cannot be inferred: attribute 'owner' of entity 'Note' is new and mandatory, and has no \
        default value
            - mapping file '2-3.xml' does not run
            - attribute 'rank' of entity 'Note' gets 2 in all old objects; without the jump, it gets 1, the default of 'V2'
            - attribute 'stars' of entity 'Note' remains nil where it was nil; without the jump, it gets 3, the default \
        of 'V2'
          write a mapping file from 'V1' to 'V2', or pass allowsJumps: true to accept what the jump skips
        """)
  }

  @Test func `a jump over a stage with code lists its handlers`() throws {
    let stage = CustomMigrationStage(
      migratingFrom: ManagedObjectModelReference(
        model: Self.models[1], versionChecksum: Self.models[1].versionChecksum),
      to: ManagedObjectModelReference(model: Self.models[2], versionChecksum: Self.models[2].versionChecksum),
      label: "Rank")
    stage.migrate("Note") { _, _ in }
    let graph = MigrationGraph(
      models: Self.models, mappings: MappingSearch([]), infersMissing: true,
      stages: try StagedMigrationManager([stage], versions: Self.models).history.hops)
    let hops = try graph.path(from: 0, to: 3, allowsJumps: true)
    #expect(hops.first?.jump?.skippedStages == ["custom stage 'Rank' (migrate 'Note')"])
    #expect(hops.first?.jump?.lines.contains("custom stage 'Rank' (migrate 'Note') does not run") == true)
  }

  @Test func `an allowed jump skips as little as possible`() throws {
    let hops = try graph().path(from: 0, to: 3, allowsJumps: true)
    #expect(
      hops.map { "\($0.title), \($0.reason)" } == [
        "'V1' → 'V3', a jump over 'V2', inferred", "'V3' → 'V4', inferred, because it has no mapping file",
      ])
    #expect(hops.map { $0.jump?.skippedVersions } == [["V2"], nil])
  }

  @Test func `a mapping file takes precedence over a jump`() throws {
    let hops = try graph([(1, 2)]).path(from: 0, to: 3, allowsJumps: true)
    #expect(hops.map(\.title) == ["'V1' → 'V2'", "'V2' → 'V3'", "'V3' → 'V4'"])
  }

  @Test func `a store jumps as planned`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    let store = try PersistentStore.create(at: url, model: Self.models[0])
    let context = ManagedObjectContext(store: store)
    try context.insert("Note")["title"] = "a"
    try context.save()
    try store.close()
    let manager = IncrementalMigrationManager(
      models: Self.models, infersMissingMappings: true, allowsJumps: true)
    #expect(try manager.plan(for: url).hops.map(\.title) == ["'V1' → 'V3'", "'V3' → 'V4'"])
    try manager.migrate(url)
    let new = ManagedObjectContext(store: try PersistentStore(url: url, models: [Self.models[3]], mode: .readOnly))
    let note = try #require(try new.fetch(FetchRequest(entityName: "Note")).first)
    #expect(note["title"] == "a")
    #expect(note["rank"] == .integer(2))
    #expect(note["stars"] == .null)
  }

  private typealias Versions = [[AttributeDescription]]

  @Test(arguments: [
    (
      [[attribute("a")], [attribute("b", renamedFrom: "a")], [attribute("c", renamedFrom: "b")]],
      ["attribute 'c' of entity 'Note' gets the contents of 'a' without the jump, but not with it"]
    ),
    (
      [[attribute("a")], [], [attribute("a")]],
      [
        "'a' is removed, and attribute 'a' of entity 'Note' is added in 'V3'; the jump keeps the old values"
      ]
    ),
    (
      [[], [attribute("a", default: 1)], [attribute("a")]],
      [
        "attribute 'a' of entity 'Note' remains nil in all old objects; without the jump, it gets 1, the default of 'V2'"
      ]
    ),
    (
      [[], [attribute("a")], [attribute("a", isOptional: false, default: 2)]], []
    ),
    (
      [[], [attribute("a")], [attribute("a", default: 2)]],
      ["attribute 'a' of entity 'Note' gets 2 in all old objects; without the jump, it remains nil"]
    ),
    ([[attribute("a")], [attribute("a", default: 1)], [attribute("a", default: 2)]], []),
    ([[attribute("a")], [attribute("a"), attribute("b")], [attribute("a")]], []),
  ])
  func `a jump differs from its hops in values`(_ versions: [[AttributeDescription]], _ expected: [String]) {
    let models = versions.enumerated().map { Self.version($0 + 1, $1) }
    #expect(JumpComparison(models).differences == expected)
  }

  @Test func `an inherited attribute is listed once, where it is declared`() {
    func model(_ number: Int, _ attributes: [AttributeDescription], isAbstract: Bool) -> ManagedObjectModel {
      ManagedObjectModel(
        name: "V\(number)",
        entities: [
          EntityDescription(name: "Memo", superentityName: "Note"),
          EntityDescription(name: "Note", isAbstract: isAbstract, attributes: attributes),
          EntityDescription(name: "Task", superentityName: "Note"),
        ])
    }
    for isAbstract in [false, true] {
      let models = [[], [Self.attribute("a", default: 1)], [Self.attribute("a")]].enumerated()
        .map { model($0.offset + 1, $0.element, isAbstract: isAbstract) }
      #expect(
        JumpComparison(models).differences == [
          "attribute 'a' of entity 'Note' remains nil in all old objects; without the jump, it gets 1, the default of "
            + "'V2'"
        ])
    }
  }

  @Test func `a jump differs from its hops in entities`() {
    func model(_ number: Int, _ names: [(String, String?)]) -> ManagedObjectModel {
      ManagedObjectModel(
        name: "V\(number)", entities: names.map { EntityDescription(name: $0.0, renamingIdentifier: $0.1) })
    }
    let renamed = [model(1, [("A", nil)]), model(2, [("B", "A")]), model(3, [("C", "B")])]
    #expect(
      JumpComparison(renamed).differences == [
        "without the jump, objects of entity 'A' become objects of 'C'; the jump cannot match these entities by "
          + "name or renaming identifier"
      ])
    let again = [model(1, [("A", nil)]), model(2, []), model(3, [("A", nil)])]
    #expect(
      JumpComparison(again).differences == [
        "entity 'A' is removed and then added again in 'V3'; the jump keeps its old objects"
      ])
  }
}
