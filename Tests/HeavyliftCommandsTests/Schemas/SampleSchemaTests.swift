import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

@testable import SampleSchemas

/// The frozen versions of the sample schemas, and plans in a tool.
struct SampleSchemaTests {
  private static let frozen = Corpus.project.appending(path: "MappingModels/Schemas/Frozen")

  private static func code() throws -> MigrationCode {
    var code = MigrationCode(stagesByModel: try SampleVersions.stages)
    code.versionsByModel = try SampleVersions.all
    return code
  }

  @Test(arguments: ["Exercises", "Places"]) func `the samples are as they were frozen`(name: String) throws {
    let run = try ToolFixture().run(
      ["schema", "check", Self.frozen.appending(path: "\(name).xcdatamodeld").path, "--strict"], code: Self.code())
    #expect(run == .init(code: .success, output: "no errors, no warnings\n", errors: ""))
  }

  @Test func `SampleTool has the versions`() throws {
    let fixture = try ToolFixture()
    let bundle = Self.frozen.appending(path: "Exercises.xcdatamodeld").path
    let process = try ToolProcess("SampleTool", ["schema", "check", bundle], in: fixture.folder.url)
    let (code, output, errors) = try process.end()
    #expect(code == 0 && output == "no errors, no warnings\n" && errors == "")
  }

  @Test func `a tool migrates by the stages of a plan, from frozen models`() throws {
    let fixture = try ToolFixture()
    let url = fixture.folder.appending("Exercises.sqlite")
    let old = try ModelContext(ModelContainer(for: ExercisesV1.self, at: url))
    let press = try old.insert(ExercisesV1.Exercise.self)
    (press.name, press.sets) = ("Bench press", [SetSummary(repetitions: 8, weight: 60)])
    try old.save()
    try old.managedObjectContext.store.close()

    let models = ["-m", Self.frozen.appending(path: "Exercises.xcdatamodeld").path]
    let plan = fixture.run(["plan", "Exercises.sqlite"] + models, code: try Self.code())
    #expect(plan.errors == "" && plan.code == .success)
    #expect(
      plan.output.split(separator: "\n").filter { !$0.hasPrefix(" ") && !$0.hasPrefix("the store is") }
        .joined(separator: "\n") == """
          Exercises.sqlite migrates from 'ExercisesV1' to 'ExercisesV5'; the store was identified by its version hashes
          hop 1 of 5: 'ExercisesV1' → 'ExercisesV2', by lightweight stage 'ExercisesV1 → ExercisesV2'
          hop 2 of 5: 'ExercisesV2' → 'ExercisesV2 → ExercisesV3, intermediate', first part of custom stage \
          'ExercisesV2 → ExercisesV3' (didMigrate)
          hop 3 of 5: 'ExercisesV2 → ExercisesV3, intermediate' → 'ExercisesV3', last part of custom stage \
          'ExercisesV2 → ExercisesV3'
          hop 4 of 5: 'ExercisesV3' → 'ExercisesV4', by custom stage 'ExercisesV3 → ExercisesV4' (didMigrate)
          hop 5 of 5: 'ExercisesV4' → 'ExercisesV5', by lightweight stage 'ExercisesV4 → ExercisesV5'
          checked after each hop (in advance, with 'migrate --dry-run'): mandatory values,
          ranges, lengths and patterns, dangling links, minimum and maximum counts,
          uniqueness
          nothing else would stop the migration
          """)
    let run = fixture.run(["migrate", "Exercises.sqlite", "--quiet"] + models, code: try Self.code())
    #expect(run == .init(code: .success, output: "", errors: ""))
    #expect(
      fixture.run(["dump", "Exercises.sqlite"] + models).output == """
        {"entity":"Exercise","key":1,"attributes":{"createdAt":"2023-11-14T22:13:20Z","name":"Bench press","notes":null},\
        "relationships":{"performedSets":["PerformedSet/p1"]}}
        {"entity":"PerformedSet","key":1,"attributes":{"position":0,"repetitions":8,"weight":60.0},\
        "relationships":{"exercise":"Exercise/p1"}}

        """)
    let container = try ModelContainer(for: ExercisesV5.self, migrationPlan: ExercisesPlan.self, at: url)
    #expect(container.migrationReport == nil)
  }
}
