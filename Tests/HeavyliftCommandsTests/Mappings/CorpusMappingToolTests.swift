import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftConcurrency
import HeavyliftTestSupport
import Testing

/// Runs the tool on mapping models that shipped with real programs.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
struct CorpusMappingToolTests {
  static let names =
    Corpus.isPresent
    ? (Corpus.files(endingWith: ".xcmappingmodel") + Corpus.files(endingWith: ".cdm")).map(Corpus.name) : []
  private static let samples = "CoreDataPlus/Tests/Resources/SampleModel"
  private static let xcode = "\(samples)/MappingModels/V2toV3.xcmappingmodel"
  private static let compiled = "\(samples)/Fixtures/V2toV3.cdm"
  private static let models = "\(samples)/SampleModel.xcdatamodeld"

  private func run(_ arguments: String..., in folder: URL = Corpus.root) -> ToolFixture.Run {
    let (output, errors) = (MemorySink(), MemorySink())
    let io = CommandIO(output: output, errors: errors, workingDirectory: folder)
    let code = CommandLineTool.heavylift.run(arguments, io)
    return ToolFixture.Run(code: code, output: output.text, errors: errors.text)
  }

  private static let uncheckedPolicy = """
    this tool has no policies, so it cannot know whether 'REPLACE_AT_RUNTIME.V2to3MakerPolicy' exists
      to check policies, too, run 'check' in a tool of your own that registers them
    """

  @Test func `the corpus has mapping models of both kinds`() {
    #expect(Self.names.count == 11)
    #expect(Self.names.count { $0.hasSuffix(".cdm") } == 1)
  }

  /// Also where bundles have versions of the same name.
  @Test(arguments: names)
  func `a real mapping model checks without errors against the models next to it`(name: String) {
    let run = run("check", name)
    #expect(run.code == .success, "\(run.output)")
    #expect(run.errors == "")
    #expect(!run.output.contains("mapping.embedded-model"), "the models of today are there: \(run.output)")
  }

  @Test func `the check of a project reads each file, and each embedded model, once`() {
    let count = WorkCount()
    let run = WorkCount.$current.withValue(count) { self.run("check", "BookMigration") }
    #expect(run.code == .success, "\(run.output)")
    let mappings = ["Model1_to_Model2", "Model2_to_Model3", "Model2_to_Model3_User"]
      .map { "BookMigration/\($0).xcmappingmodel/xcmapping.xml" }
    let models = (1...3).map { "BookMigration/Model.xcdatamodeld/Model\($0).xcdatamodel/contents" }
    let embedded = mappings.flatMap { file in
      ["source", "destination"].map { "the \($0) model inside the file '\(file)'" }
    }
    let current = "BookMigration/Model.xcdatamodeld/.xccurrentversion"
    #expect(
      count[.read] == Dictionary(uniqueKeysWithValues: (mappings + models + embedded + [current]).map { ($0, 1) }))
  }

  @Test func `both forms of one mapping model pass the check`() {
    for name in [Self.xcode, Self.compiled] {
      #expect(
        run("check", name, "--strict", "-m", Self.models)
          == .init(
            code: .success,
            output: """
              \(name): note[mapping.unchecked-policy]: \(Self.uncheckedPolicy)

              1 note

              """, errors: ""))
    }
  }

  @Test func `a compiled mapping model does what its source does`() {
    let title = "what the mappings do: from \(Self.xcode) to \(Self.compiled)"
    #expect(
      run("diff", Self.xcode, Self.compiled)
        == .init(code: .success, output: "\(title)\n\nno difference\n", errors: ""))
  }

  @Test(arguments: names) func `a converted mapping model does what it did, and is explained`(name: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.appending("converted.xml").path
    let original = Corpus.root.appending(path: name).path
    #expect(run("convert", name, "--output", file, "--pin").code == .success)
    #expect(run("format", "--check", file) == .init(code: .success, output: "", errors: ""))
    let models = Corpus.files(endingWith: ".xcdatamodeld").filter {
      Corpus.name(of: $0).prefix { $0 != "/" } == name.prefix { $0 != "/" }
    }
    let options = models.flatMap { ["--model", $0.path] }
    let (output, errors) = (MemorySink(), MemorySink())
    let io = CommandIO(output: output, errors: errors, workingDirectory: Corpus.root)
    #expect(
      CommandLineTool.heavylift.run(["diff", original, file] + options, io) == .success, "\(output.text)\(errors.text)")
    #expect(CommandLineTool.heavylift.run(["explain", file] + options, io) == .success, "\(errors.text)")
  }

  @Test func `JSON contains the converted text as it would be written`() {
    let (plain, json) = (run("convert", Self.xcode), run("convert", Self.xcode, "--json"))
    #expect(json.code == .success)
    #expect(json.errors == "")
    let lines = plain.output.replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    #expect(json.output.contains("\"mapping\": \"\(lines)\","), "\(json.output)")
  }

  @Test func `the models inside a mapping model are used if there are no others`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: Corpus.root.appending(path: Self.xcode), to: folder.appending("V2toV3.xcmappingmodel"))
    let told = run("check", "V2toV3.xcmappingmodel", in: folder.url)
    #expect(
      told
        == .init(
          code: .success,
          output: """
            V2toV3.xcmappingmodel: note[mapping.embedded-model]: the source model is the copy that was \
            embedded in 'V2toV3.xcmappingmodel' at its last edit
              specify the current model with --model, if there is one
            V2toV3.xcmappingmodel: note[mapping.embedded-model]: the destination model is the copy that was \
            embedded in 'V2toV3.xcmappingmodel' at its last edit
              specify the current model with --model, if there is one
            V2toV3.xcmappingmodel: note[mapping.unchecked-policy]: \(Self.uncheckedPolicy)

            3 notes

            """, errors: ""))
    // A compiled one has none.
    try FileManager.default.copyItem(at: Corpus.root.appending(path: Self.compiled), to: folder.appending("V2toV3.cdm"))
    #expect(
      run("check", "V2toV3.cdm", in: folder.url).output == """
        V2toV3.cdm: error[mapping.no-model]: 'V2toV3.cdm' does not say what its source model is
          specify the models with --model

        1 error

        """)
  }

  @Test func `models with other version hashes do not match a compiled mapping model`() {
    let run = run("explain", Self.compiled, "-m", "BookMigration/Model.xcdatamodeld")
    #expect(run.code == .failure && run.output == "")
    #expect(
      run.errors == """
        error[mapping.no-model]: none of the given models has the version hashes of the source model that \
        '\(Self.compiled)' was compiled for
          available: 'Model1', 'Model2', 'Model3'; choose one with --from, or give others with --model

        """)
  }

  @Test func `a rebase of a mapping model of Xcode starts from the models inside it, and writes another file`() throws {
    let folder = try TemporaryFolder()
    let file = folder.appending("2-3.xml").path
    #expect(
      run("rebase", Self.xcode)
        == .init(
          code: .failure, output: "",
          errors: """
            error[rebase.not-a-mapping-file]: '\(Self.xcode)' is an Xcode mapping model, not a mapping file
              convert it with 'heavylift convert', or name the file to write with --output

            """))
    // The written file copies what it does not mention, and mentions everything that is dropped.
    #expect(
      run("rebase", Self.xcode, "-o", file)
        == .init(
          code: .success, output: "mapping model\n    itself  unmentioned entities  dropped → copied\n", errors: ""))
    #expect(run("check", file, "-m", Self.models).code == .success)
  }
}
