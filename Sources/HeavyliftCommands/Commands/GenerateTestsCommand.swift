import Foundation
import Heavylift
import HeavyliftVerification

/// `heavylift generate-tests FILE`: writes a test for a mapping, or for each stage, with the graphs that it needs.
package struct GenerateTestsCommand: Command {
  package static let description = CommandDescription(
    name: "generate-tests", abstract: "Write tests for a mapping or for stages, or update them",
    discussion: """
      Writes an XCTest class and two graphs. The first is for the old version, with every attribute at its default, at \
      nil and at both ends of its range, every relationship with no target, one target and many, and for each filter of \
      the mapping an object that passes it and one that passes none. The second is for the new version, as the \
      migration produces it. The test for the next pair of versions starts from it if it has all that test needs; \
      otherwise that test gets a graph of its own, such as graph-2-input.json.

      First checks the result against an independent interpreter of the mapping. An interpreter cannot know what \
      policies decide, so read the result before you commit it. If the mapping names policies that this tool lacks, \
      the test records the second graph when you run it with HEAVYLIFT_RECORD=1 in the environment.

      Run this command again after you change a model or a mapping: it regenerates the code between its markers in \
      the class, removes from the first graph what the model no longer has, adds what is new, keeps everything else, \
      and reports what it did.

      With --stages, FILE is the bundle with all versions of the model, and there is one test for each step between \
      neighboring versions that a stage of this tool defines (see 'Staged migrations' in the documentation). --from and \
      --to select one of them. The real stages run, but only the first and the last store are compared: an interpreter \
      cannot know what handlers decide.

      Exits with 0, or with 2 if the first graph breaks rules of its model or cannot be migrated; you must fix that \
      before the test can pass.
      """,
    arguments: [
      .init("FILE", help: "A mapping file, an .xcmappingmodel or a .cdm; with --stages, an .xcdatamodeld or a .momd.")
    ],
    options: MappingOptions.options + [
      .init(flag: "stages", help: "Write a test for each step of this tool's stages."),
      .init(
        "output", shortName: "o", value: "FILE",
        help: "The file for the class; by default 'Tests/<A>To<B>Tests.swift'. With --stages, it may be a folder."),
      .init("graphs", value: "FOLDER", help: "The folder for the graphs; by default the folder of the class."),
    ],
    examples: [
      .init(
        "generate-tests Mappings/1-2.xml -o Tests/Music1To2Tests.swift --graphs Graphs",
        "Writes the class, graph-1.json and graph-2.json."),
      .init(
        "generate-tests --stages Music.xcdatamodeld -o Tests --graphs Graphs",
        "Writes a class for each step, and a graph for each version."),
    ])

  /// The path of the mapping, or of the models if the tests are for stages.
  package var file: String
  package var mappingOptions: MappingOptions
  package var outputPath: String?
  package var graphs: String?
  /// True to write tests for the tool's stages.
  package var isForStages: Bool
  package var writesJSON: Bool

  /// Creates the command.
  package init(
    _ file: String, mappingOptions: MappingOptions = MappingOptions(), outputPath: String? = nil,
    graphs: String? = nil, isForStages: Bool = false, writesJSON: Bool = false
  ) {
    self.file = file
    self.isForStages = isForStages
    self.mappingOptions = mappingOptions
    self.outputPath = outputPath
    self.graphs = graphs
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      arguments[argument: "FILE"], mappingOptions: MappingOptions(arguments),
      outputPath: arguments.value(ofOption: "output"), graphs: arguments.value(ofOption: "graphs"),
      isForStages: arguments.has("stages"), writesJSON: arguments.has("json"))
    guard !isForStages || mappingOptions.models.isEmpty else {
      throw UsageError(
        "useless-option", problem: "option '--model' of 'generate-tests' is only for mappings",
        remedy: "with '--stages', name the models alone: 'generate-tests --stages \(mappingOptions.models[0].shown)'",
        commandName: Self.description.name)
    }
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    guard let subjects = try isForStages ? stageSubjects(io) : mappingSubject(io).map({ [$0] }) else {
      return .negative
    }
    var works: [TestGeneration] = []
    for subject in subjects {
      var work = TestGeneration(subject, files: try files(subject, io), io: io)
      work.reported = Set(works.filter(\.isComplete).map(\.files.destinationGraph.standardizedFileURL.path))
      works.append(work)
      try works[works.count - 1].perform()
    }
    let lines = works.flatMap(\.told)
    if writesJSON {
      let paths = works.flatMap { [$0.files.testClass, $0.files.sourceGraph, $0.files.destinationGraph].map(\.path) }
      try io.write(
        JSONValue.object([
          ("files", .strings(paths.enumerated().filter { !paths[..<$0.offset].contains($0.element) }.map(\.element))),
          ("changes", .strings(lines)),
        ]).indented)
    } else {
      try io.write(lines: lines.map(\.shownLines))
    }
    return works.allSatisfy(\.isComplete) ? .success : .negative
  }

  /// Returns the mapping; `nil` if it has mistakes, which are then reported.
  private func mappingSubject(_ io: CommandIO) throws -> TestSubject? {
    let source = try MappingSource(path: file, url: io.url(file))
    let models = try mappingOptions.models(of: source, io)
    try refuseModelsWithoutFile(models)
    let mappingModel = try source.validMappingModel(from: models.source.model, to: models.destination.model)
    let mistakes = models.complete(mappingModel).check(MappingCheckEnvironment(file: file)).filter {
      $0.severity == .error
    }
    guard mistakes.isEmpty else {
      try FindingList(mistakes, about: file).writeErrors(to: io, asJSON: writesJSON)
      return nil
    }
    return TestSubject(models, mappingModel, at: io.url(file), io.code)
  }

  /// Returns the steps of the stages; `nil` if the stages have mistakes, which are then reported.
  private func stageSubjects(_ io: CommandIO) throws -> [TestSubject]? {
    // A file that cannot be read, and a file that is not a model, are reported before the stages.
    let versions = try ModelSource(path: file, url: io.url(file)).validVersions().map(\.model)
    let check = StageCheck([file], io)
    guard let manager = check.manager, check.diagnostics.isEmpty else {
      try FindingList(check.diagnostics, about: "the stages").writeErrors(to: io, asJSON: writesJSON)
      return nil
    }
    let (from, to) = (mappingOptions.sourceVersion, mappingOptions.destinationVersion)
    for name in [from, to].compactMap(\.self) where !versions.contains(where: { $0.name == name }) {
      throw Diagnostic(
        .error, code: "test.no-version", problem: "'\(file)' has no version \(name.quotedName)",
        remedy: versions.compactMap(\.name).suggestion(forVersion: name))
    }
    let history = manager.history
    let all = history.edges.map { (history.versions[$0.source], history.versions[$0.destination]) }
    let steps = all.filter { (from ?? $0.0.name) == $0.0.name && (to ?? $0.1.name) == $0.1.name }
    guard !steps.isEmpty else {
      throw Diagnostic(
        .error, code: "test.no-stage",
        problem: "no stage leads" + (from.map { " from \($0.quotedName)" } ?? "")
          + (to.map { " to \($0.quotedName)" } ?? ""),
        remedy: "there are stages for "
          + all.map { "\(($0.0.name ?? "").quotedName) → \(($0.1.name ?? "").quotedName)" }.joined(separator: ", "))
    }
    if steps.count > 1, let outputPath, io.url(outputPath).pathExtension == "swift" {
      throw Diagnostic(
        .error, code: "test.output",
        problem: "'\(outputPath)' is one file, but there are \(steps.count) steps, each with a test class",
        remedy: "name a folder, or select a step with '--from' and '--to'")
    }
    return try steps.map { try TestSubject(manager, from: $0.0, to: $0.1, path: file) }
  }

  /// Throws if a model exists only inside an Xcode mapping: a test cannot refer to it.
  private func refuseModelsWithoutFile(_ models: MappedModels) throws {
    for side in [models.source, models.destination] where side.path == nil {
      throw Diagnostic(
        .error, code: "test.embedded-model",
        problem: "model '\(side.name)' is only inside '\(file)', where tests cannot read it",
        remedy: "specify the current models: --model PATH.xcdatamodeld")
    }
  }

  private func files(_ subject: TestSubject, _ io: CommandIO) throws -> TestFiles {
    let (old, new) = TestFiles.suffixes(subject.source.name, subject.destination.name)
    let name = "\(TestFiles.identifier(subject.source.name))To\(TestFiles.identifier(new))Tests"
    var output = io.url(outputPath ?? "Tests/\(name).swift")
    if subject.mapping == nil, output.pathExtension != "swift" { output = output.appending(path: "\(name).swift") }
    let folder = graphs.map(io.url) ?? output.deletingLastPathComponent()
    guard output.pathExtension == "swift" else {
      throw Diagnostic(
        .error, code: "test.output", problem: "'\(outputPath ?? "")' is not a Swift file",
        remedy: "name one: '\(outputPath ?? "")/\(name).swift'")
    }
    func graph(_ version: String) -> URL { folder.appending(path: "graph-\(version).json") }
    return TestFiles(
      testClass: output, sourceGraph: graph(old), destinationGraph: graph(new),
      others: [subject.mapping?.url].compactMap(\.self)
        + [subject.source.path, subject.destination.path].compactMap { $0.map(io.url) })
  }
}
