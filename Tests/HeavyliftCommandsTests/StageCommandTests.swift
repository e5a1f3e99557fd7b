import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

/// A tool with stages of its own.
struct StageCommandTests {
  private static let models = (1...3).map { version in
    var attributes = [
      AttributeDescription(name: "title", type: .string), AttributeDescription(name: "plays", type: .string),
    ]
    if version > 1 { attributes.append(AttributeDescription(name: "rating", type: .integer16)) }
    if version > 2 { attributes[1] = AttributeDescription(name: "plays", type: .integer64, isOptional: false) }
    return ManagedObjectModel(
      name: "Music \(version)", entities: [EntityDescription(name: "Track", attributes: attributes)])
  }

  private let tool: ToolFixture

  init() throws {
    tool = try ToolFixture()
    try ModelBundle(
      versions: Self.models.map { .init(name: $0.name ?? "", model: $0) }, currentVersionName: "Music 3"
    ).write(to: tool.folder.appending("Music.xcdatamodeld"))
    let store = try PersistentStore.create(at: tool.folder.appending("Music.sqlite"), model: Self.models[0])
    let context = ManagedObjectContext(store: store)
    for plays in ["12", "x"] { try context.insert("Track")["plays"] = .string(plays) }
    try context.save()
    try store.close()
  }

  private static func reference(_ version: Int) -> ManagedObjectModelReference {
    ManagedObjectModelReference(
      model: models[version - 1], versionChecksum: models[version - 1].versionChecksum)
  }

  private static func stages(isReversed: Bool = false) -> [MigrationStage] {
    let counting = CustomMigrationStage(migratingFrom: reference(2), to: reference(3), label: "Count plays")
    counting.migrate("Track") { old, new in new["plays"] = .integer(Int64(old["plays"].string ?? "") ?? 0) }
    let rating = LightweightMigrationStage([models[0].versionChecksum, models[1].versionChecksum], label: "Rate")
    return isReversed ? [counting, rating] : [rating, counting]
  }

  private func run(_ stages: [MigrationStage], _ arguments: String...) -> ToolFixture.Run {
    tool.run(arguments, code: MigrationCode(stages: stages))
  }

  @Test func `a list of stages is checked against the versions of a model`() throws {
    let good = run(Self.stages(), "check", "--stages", "Music.xcdatamodeld")
    #expect(
      good.output == """
        'Music 1' → 'Music 2', by lightweight stage 'Rate'
        'Music 2' → 'Music 3', by custom stage 'Count plays' (migrate 'Track')
        no errors, no warnings

        """)
    #expect(good.code == .success && good.errors == "")
    let wrong = run(Self.stages(isReversed: true), "check", "--stages", "Music.xcdatamodeld")
    #expect(
      wrong.output == """
        the stages: error[stage.wrong-order]: the stages are not in the order of their versions
          write them in this order:
          - lightweight stage 'Rate', from 'Music 1' to 'Music 2'
          - custom stage 'Count plays', from 'Music 2' to 'Music 3'

        1 error

        """)
    #expect(wrong.code == .negative)
    let none = run([], "check", "--stages", "Music.xcdatamodeld")
    #expect(
      none.output == """
        the stages: error[stage.no-stages]: no stages are registered in this tool
          build a tool of your own that has them: 'tool.code.stages = [...]'

        1 error

        """)
    let other = tool.run(
      ["check", "--stages", "Music.xcdatamodeld"],
      code: MigrationCode(stagesByModel: ["Points": [LightweightMigrationStage(["a", "b"])]]))
    #expect(
      other.output == """
        the stages: error[stage.no-stages]: this tool has no stages for these models, only for 'Points'
          register them: 'tool.code.stagesByModel["Music"] = [...]'

        1 error

        """)
    let impossible = LightweightMigrationStage(Self.models.map(\.versionChecksum))
    #expect(
      run([impossible], "check", "--stages", "Music.xcdatamodeld").output == """
        'Music 1' → 'Music 2', by lightweight stage 1
        'Music 2' → 'Music 3', by lightweight stage 1
        Music.xcdatamodeld/Music 3.xcdatamodel/contents:4:9: error[stage.not-inferred]: lightweight stage 1 cannot migrate 'Music 2' → 'Music 3': attribute \
        'plays' of entity 'Track' has type Integer 64, but its source 'plays' has type String
          write a mapping file with an expression that converts the value; or use a custom stage with a handler

        1 error

        """)
  }

  @Test func `each model has its own stages, also if its file was renamed`() throws {
    let others = [LightweightMigrationStage(["a", "b"])]
    var code = MigrationCode(stages: others, stagesByModel: ["Music": Self.stages(), "Points": others])
    let expected = """
      'Music 1' → 'Music 2', by lightweight stage 'Rate'
      'Music 2' → 'Music 3', by custom stage 'Count plays' (migrate 'Track')
      no errors, no warnings

      """
    #expect(tool.run(["check", "--stages", "Music.xcdatamodeld"], code: code).output == expected)
    let renamed = tool.folder.appending("Renamed.xcdatamodeld")
    try FileManager.default.moveItem(at: tool.folder.appending("Music.xcdatamodeld"), to: renamed)
    #expect(tool.run(["check", "--stages", "Renamed.xcdatamodeld"], code: code).output == expected)
    let plan = tool.run(["plan", "Music.sqlite", "-m", "Renamed.xcdatamodeld"], code: code)
    #expect(plan.output.contains("by lightweight stage 'Rate'"), "\(plan)")
    // The stages of models without any of their own, which do not have these versions.
    code.stagesByModel["Music"] = nil
    #expect(tool.run(["plan", "Music.sqlite", "-m", "Renamed.xcdatamodeld"], code: code).code == .failure)
    code.stages = []
    let unrelated = tool.run(["plan", "Music.sqlite", "-m", "Renamed.xcdatamodeld"], code: code)
    #expect(unrelated.errors.contains("stage") == false && unrelated.code == .negative, "\(unrelated)")
  }

  @Test func `scripts get the stages as JSON`() throws {
    #expect(
      run(Self.stages(), "check", "--stages", "Music.xcdatamodeld", "--json").output == """
        {
          "diagnostics": [],
          "errors": 0,
          "warnings": 0,
          "notes": 0,
          "stages": [
            {
              "from": "Music 1",
              "to": "Music 2",
              "stage": {
                "kind": "lightweight",
                "number": 1,
                "label": "Rate",
                "handlers": []
              }
            },
            {
              "from": "Music 2",
              "to": "Music 3",
              "stage": {
                "kind": "custom",
                "number": 2,
                "label": "Count plays",
                "handlers": [
                  "migrate 'Track'"
                ]
              }
            }
          ]
        }

        """)
  }

  @Test func `a plan and a migration show the stages`() throws {
    let plan = run(Self.stages(), "plan", "Music.sqlite", "-m", "Music.xcdatamodeld")
    #expect(plan.code == .success, "\(plan)")
    #expect(!plan.output.contains("warning"), "the handler sets the value")
    let lines = plan.output.split(separator: "\n").filter { $0.hasPrefix("hop") || $0.hasPrefix("  attribute") }
    #expect(
      lines.joined(separator: "\n") == """
        hop 1 of 3: 'Music 1' → 'Music 2', by lightweight stage 'Rate'
        hop 2 of 3: 'Music 2' → 'Music 2 → Music 3, intermediate', first part of custom stage 'Count plays' (migrate \
        'Track')
          attribute 'plays' of entity 'Track' has type Integer 64 instead of String; its old values are in 'old_plays'; \
        needs a script
        hop 3 of 3: 'Music 2 → Music 3, intermediate' → 'Music 3', last part of custom stage 'Count plays'
        """)
    let json = run(Self.stages(), "plan", "Music.sqlite", "-m", "Music.xcdatamodeld", "--json").output
    #expect(
      json.contains(
        """
              "title": "'Music 2' → 'Music 2 → Music 3, intermediate'",
              "mappings": null,
              "inferred": false,
              "stage": {
                "kind": "custom",
                "number": 2,
                "label": "Count plays",
                "handlers": [
                  "migrate 'Track'"
                ]
              },
              "handlers": [
                "migrate 'Track'"
              ],
              "overriddenStage": null,
              "changes": [
                {
                  "entity": "Track",
                  "property": "plays",
                  "change": "attribute 'plays' of entity 'Track' has type Integer 64 instead of String; its old values \
        are in 'old_plays'; needs a script",
                  "needsScript": true
                }
              ],
        """))
    let rehearsed = run(Self.stages(), "migrate", "Music.sqlite", "-m", "Music.xcdatamodeld", "--dry-run")
    #expect(rehearsed.code == .success, "\(rehearsed)")
    let migrated = run(Self.stages(), "migrate", "Music.sqlite", "-m", "Music.xcdatamodeld", "--verify")
    #expect(migrated.code == .success, "\(migrated)")
    #expect(migrated.output.contains("by custom stage 'Count plays'"))
    let store = try PersistentStore(
      url: tool.folder.appending("Music.sqlite"), models: [Self.models[2]], mode: .readOnly)
    let context = ManagedObjectContext(store: store)
    #expect(try context.fetch(FetchRequest(entityName: "Track")).map { $0["plays"] } == [12, 0])
    let wrong = run(Self.stages(isReversed: true), "plan", "Music.sqlite", "-m", "Music.xcdatamodeld")
    #expect(wrong.code == .failure && wrong.errors.hasPrefix("error[stage.wrong-order]"))
  }

  @Test func `each step of the stages gets a test`() throws {
    let arguments = ["generate-tests", "--stages", "Music.xcdatamodeld", "-o", "Tests", "--graphs", "Graphs"]
    let code = MigrationCode(stages: Self.stages())
    #expect(
      tool.run(arguments, code: code)
        == .init(
          code: .success,
          output: """
            wrote Graphs/graph-1.json: 4 objects
            wrote Graphs/graph-2.json: 4 objects
            wrote Tests/Music1To2Tests.swift
              return the stages of your program in 'stages()'
            wrote Graphs/graph-3.json: 4 objects
            wrote Tests/Music2To3Tests.swift
              return the stages of your program in 'stages()'

            """, errors: ""))
    #expect(
      try tool.text(of: "Tests/Music2To3Tests.swift") == """
        import Foundation
        import Heavylift
        import HeavyliftTesting
        import XCTest

        final class Music2To3Tests: MigrationTestCase {
          // heavylift: begin generated
          private let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

          override func makePair() throws -> MigrationPair {
            try MigrationPair(
              models: folder.appending(path: "Music.xcdatamodeld"),
              from: "Music 2",
              to: "Music 3",
              stages: stages())
          }

          func testMigration() throws { try assertMigration(of: sourceGraph, gives: destinationGraph) }

          // Breaks the migration on purpose in many ways, and fails for each one that the graphs do not detect. That
          // takes minutes in a debug build, so it does not run unless you copy it below the generated lines:
          //
          //   func testMutations() throws {
          //     try assertNoMutationSurvives(of: sourceGraph, gives: destinationGraph, atLeast: 1)
          //   }

          private var sourceGraph: URL { folder.appending(path: "Graphs/graph-2.json") }
          private var destinationGraph: URL { folder.appending(path: "Graphs/graph-3.json") }
          // heavylift: end generated

          /// The stages of the migration, as your program passes them to `StagedMigrationManager`.
          private func stages() throws -> [MigrationStage] { [] }

          // Mistakes that no graph can show: name the property in single quotes.
          override func mistakes(in migration: TestedMigration) throws -> [String] { [] }
        }

        """)
    let pair = try MigrationPair(
      models: tool.folder.appending("Music.xcdatamodeld"), from: "Music 2", to: "Music 3", stages: Self.stages())
    let graphs = try [(2, pair.sourceModel), (3, pair.destinationModel)].map { version, model in
      try ObjectGraph(contentsOf: tool.folder.appending("Graphs/graph-\(version).json"), model: model)
    }
    #expect(try pair.migrate(graphs[0]).failures(expecting: graphs[1]) == [])
    let again = tool.run(arguments, code: code)
    #expect(
      again.output == """
        kept Graphs/graph-1.json: nothing has changed
        kept Graphs/graph-2.json: nothing has changed
        kept Tests/Music1To2Tests.swift: nothing has changed
        kept Graphs/graph-3.json: nothing has changed
        kept Tests/Music2To3Tests.swift: nothing has changed

        """)
  }

  @Test func `tests for stages that do not exist are refused`() {
    func errors(_ arguments: String..., stages: [MigrationStage] = Self.stages()) -> String {
      tool.run(["generate-tests", "--stages", "Music.xcdatamodeld"] + arguments, code: MigrationCode(stages: stages))
        .errors
    }
    #expect(
      errors("-o", "Tests.swift") == """
        error[test.output]: 'Tests.swift' is one file, but there are 2 steps, each with a test class
          name a folder, or select a step with '--from' and '--to'

        """)
    #expect(
      errors("--from", "Music 3") == """
        error[test.no-stage]: no stage leads from 'Music 3'
          there are stages for 'Music 1' → 'Music 2', 'Music 2' → 'Music 3'

        """)
    #expect(
      errors("--to", "Music 4") == """
        error[test.no-version]: 'Music.xcdatamodeld' has no version 'Music 4'
          available: 'Music 1', 'Music 2', 'Music 3'

        """)
    #expect(
      errors("-m", "Music.xcdatamodeld") == """
        error[usage.useless-option]: option '--model' of 'generate-tests' is only for mappings
          with '--stages', name the models alone: 'generate-tests --stages Music.xcdatamodeld'
        see 'heavylift generate-tests --help'

        """)
    #expect(
      errors(stages: []) == """
        the stages: error[stage.no-stages]: no stages are registered in this tool
          build a tool of your own that has them: 'tool.code.stages = [...]'

        1 error

        """)
  }
}
