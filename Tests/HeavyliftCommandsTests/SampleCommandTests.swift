import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import SamplePolicies
import Testing

/// Runs the samples as a new reader of the README would.
@Suite struct SampleCommandTests {
  struct Sample: CustomTestStringConvertible {
    var name: String
    var bundles: [String]
    var versions: [String]

    init(_ name: String, bundles: [String]? = nil, _ versions: String...) {
      (self.name, self.bundles, self.versions) = (name, bundles ?? [name], versions)
    }

    var testDescription: String { name }
  }

  private static let samples = [
    Sample("Music", "Music 1", "Music 2", "Music 3"), Sample("Bank", "Bank 1", "Bank 2"),
    Sample("Fitness", "Fitness 1", "Fitness 2", "Fitness 3"), Sample("Points", "Points 1", "Points 2"),
    Sample("Songbook", bundles: ["Classic", "Songbook"], "Classic", "Songbook"),
  ]

  private func run(_ arguments: [String], in folder: URL) -> ToolFixture.Run {
    let (output, errors) = (MemorySink(), MemorySink())
    var tool = CommandLineTool.heavylift
    tool.code = MigrationCode(policies: .samples, functions: BankFunctions.all)
    let code = tool.run(arguments, CommandIO(output: output, errors: errors, workingDirectory: folder))
    return ToolFixture.Run(code: code, output: output.text, errors: errors.text)
  }

  @Test(arguments: samples) func `a store of every older version is planned and migrated to the last`(
    sample: Sample
  )
    throws
  {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: Corpus.project.appending(path: "MappingModels/\(sample.name)"), to: folder.appending(sample.name))
    let models = sample.bundles.flatMap { ["-m", "\(sample.name)/\($0).xcdatamodeld"] }
    for (place, version) in sample.versions.dropLast().enumerated() {
      let store = "\(place).sqlite"
      let graph = Corpus.project.appending(path: "Fixtures/Samples/\(sample.name)/graph-\(place + 1).json")
      let built = run(
        ["graph", "build", graph.path, "-m", "\(sample.name)/\(sample.bundles[0]).xcdatamodeld", "-o", store],
        in: folder.url)
      #expect(built.errors == "" && built.code == .success)
      let last = sample.versions.last ?? ""
      let plan = run(["plan", store, "--mappings", sample.name] + models, in: folder.url)
      #expect(plan.errors == "" && plan.code == .success)
      #expect(plan.output.hasPrefix("\(store) migrates from '\(version)' to '\(last)'"))
      let migration = run(["migrate", store, "--mappings", sample.name, "--quiet"] + models, in: folder.url)
      #expect(migration.errors == "" && migration.output == "" && migration.code == .success)
      let after = run(["plan", store, "--mappings", sample.name] + models, in: folder.url)
      #expect(after.output.hasPrefix("\(store) already has version '\(last)'"))
    }
  }
}
