import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// The sample chains in `MappingModels`. Users start from them, so every line must be right.
struct MappingSamplesTests {
  private static let root = Corpus.project.appending(path: "MappingModels")
  static let names = ["Bank", "Fitness", "Music", "Points", "Songbook"]
  static let files = names.flatMap { name in
    files(in: name, endingWith: ".xml").map { "\(name)/\($0)" }
  }

  private static func files(in folder: String, endingWith suffix: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
    return (names ?? []).filter { $0.hasSuffix(suffix) }.sorted()
  }

  private func run(_ arguments: String...) -> ToolFixture.Run {
    let (output, errors) = (MemorySink(), MemorySink())
    let io = CommandIO(output: output, errors: errors, workingDirectory: Self.root)
    let code = CommandLineTool.heavylift.run(arguments, io)
    return ToolFixture.Run(code: code, output: output.text, errors: errors.text)
  }

  @Test func `every sample is tested`() throws {
    let found = try FileManager.default.contentsOfDirectory(atPath: Self.root.path)
    #expect(found.filter { !$0.contains(".") && $0 != "Schemas" }.sorted() == Self.names)
    // The plans in Swift have no mapping files.
    for file in Self.files(in: "Schemas", endingWith: ".swift") where file != "SampleVersions.swift" {
      let tests = "Tests/SampleMigrationTests/\(file.dropLast(".swift".count))PlanTests.swift"
      #expect(FileManager.default.fileExists(atPath: Corpus.project.appending(path: tests).path), "\(tests)")
    }
    #expect(
      Self.files == [
        "Bank/1-2.xml", "Fitness/1-2.xml", "Fitness/2-3.xml", "Music/1-2.xml", "Music/2-3.xml", "Points/1-2.xml",
        "Songbook/classic.xml",
      ])
  }

  @Test(arguments: files) func `a sample reads, is accepted by the grammar, and is canonical`(name: String) throws {
    let url = Self.root.appending(path: name)
    #expect(try MappingReader.read(contentsOf: url).diagnostics == [])
    #expect(try MappingGrammar.validate(XMLDocument(contentsOf: url)) == [])
    #expect(run("format", "--check", name) == .init(code: .success, output: "", errors: ""))
  }

  @Test(arguments: files) func `a sample checks without error or warning against the models next to it`(name: String) {
    let run = run("check", "--strict", name)
    #expect(run.code == .success && run.errors == "", "\(run)")
  }

  @Test(arguments: names) func `the models of a sample have no errors`(name: String) {
    for bundle in Self.files(in: name, endingWith: ".xcdatamodeld") {
      let run = run("check", "\(name)/\(bundle)")
      #expect(run.code == .success, "\(run)")
    }
  }

  @Test(arguments: files) func `each entity mapping of a sample is explained`(name: String) throws {
    let mapping = try MappingReader.read(contentsOf: Self.root.appending(path: name)).validMappingModel()
    let run = run("explain", name)
    #expect(run.code == .success && run.errors == "")
    for entity in mapping.entityMappings { #expect(run.output.contains("\n\(entity.name) (")) }
  }

  @Test func `an explanation says where everything comes from`() {
    #expect(
      run("explain", "Fitness/1-2.xml")
        == .init(
          code: .success,
          output: """
            Fitness 1 → Fitness 2

            ExerciseToExercise (copy): Exercise → Exercise  Fitness/1-2.xml:3:3
              createdAt ← CAST(0.0, "NSDate")                               computed   5:5
              name      ← $source.name                                      copied     by name
              weights   ← $source.weights through 'WeightDataToWeightData'  rebuilt    by name

            WeightDataToWeightData (copy): WeightData → WeightData  Fitness/1-2.xml:7:3
              reps          ← $source.reps                                   copied     by name
              sets          ← $source.sets                                   copied     by name
              units         ← $source.units                                  copied     by name
              weight        ← $source.weight                                 copied     by name
              exercise      ← $source.exercise through 'ExerciseToExercise'  rebuilt    by name
              performedSets ← no objects                                     empty      not in the source
              workout       ← $source.workout through 'WorkoutToWorkout'     rebuilt    by name

            WorkoutToWorkout (copy): Workout → Workout  Fitness/1-2.xml:8:3
              createdAt ← TERNARY($source.startedAt == nil, CAST(0.0, "NSDate"), $source.startedAt)  computed   9:5
              notes     ← $source.notes                                                              copied     by \
            name
              startedAt ← $source.startedAt                                                          copied     by \
            name
              weights   ← $source.weights through 'WeightDataToWeightData'                           rebuilt    by \
            name

            WeightDataToPerformedSets (custom): WeightData → PerformedSet  Fitness/1-2.xml:12:3
              policy PerformedSetsFromSummary
              index      ← 0             defaulted  not in the source
              kilograms  ← 0.0           defaulted  not in the source
              reps       ← $source.reps  copied     by name
              weightData ← no objects    empty      not in the source

            """, errors: ""))
  }

  /// The one mapping from each version to the next, among the others of its folder.
  @Test(arguments: files) func `a sample is found for its models in its folder`(name: String) throws {
    let folder = String(name.prefix { $0 != "/" })
    let mapping = try MappingReader.read(contentsOf: Self.root.appending(path: name)).validMappingModel()
    let models = try Self.files(in: folder, endingWith: ".xcdatamodeld").flatMap {
      try ModelBundle(contentsOf: Self.root.appending(path: "\(folder)/\($0)")).versions.map(\.model)
    }
    let source = try #require(models.first { $0.name == mapping.source.name })
    let destination = try #require(models.first { $0.name == mapping.destination.name })
    let mappings = try MappingFolder(contentsOf: Self.root.appending(path: folder))
    #expect(mappings.diagnostics == [])
    #expect(mappings.candidates.count == Self.files(in: folder, endingWith: ".xml").count)
    #expect(try mappings.mapping(from: source, to: destination) == mapping)
    // There is no reverse mapping.
    #expect(throws: DiagnosticList.self) { try mappings.mapping(from: destination, to: source) }
  }
}
