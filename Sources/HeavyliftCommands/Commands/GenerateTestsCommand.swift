import Foundation
import Heavylift
import HeavyliftVerification

/// `heavylift generate-tests MAPPING`: writes a test for a mapping, with the graphs that it needs.
public struct GenerateTestsCommand: Command {
  public static let description = CommandDescription(
    name: "generate-tests", abstract: "Write a test for a mapping, or update one",
    discussion: """
      Writes an XCTest class and two graphs. The first is for the old version, with every attribute at its default, at \
      nil and at both ends of its range, and every relationship with no target, one target and many. The second is \
      for the new version, as the migration produces it; the test for the next pair of versions starts from it.

      First checks the result against an independent interpreter of the mapping. An interpreter cannot know what \
      policies decide, so read the result before you commit it. If the mapping names policies that this tool lacks, \
      the test records the second graph when you run it with HEAVYLIFT_RECORD=1 in the environment.

      Run this command again after you change a model or a mapping: it regenerates the code between its markers in \
      the class, removes from the first graph what the model no longer has, adds what is new, keeps everything else, \
      and reports what it did.

      Exits with 0, or with 2 if the first graph breaks rules of its model or cannot be migrated; you must fix that \
      before the test can pass.
      """,
    arguments: [.init("MAPPING", help: "A mapping file, an .xcmappingmodel or a .cdm.")],
    options: MappingOptions.options + [
      .init(
        "output", shortName: "o", value: "FILE", help: "The file for the class; by default 'Tests/<A>To<B>Tests.swift'."
      ),
      .init("graphs", value: "FOLDER", help: "The folder for the graphs; by default the folder of the class."),
    ],
    examples: [
      .init(
        "generate-tests Mappings/1-2.xml -o Tests/Music1To2Tests.swift --graphs Graphs",
        "Writes the class, graph-1.json and graph-2.json.")
    ])

  public var mapping: String
  public var mappingOptions: MappingOptions
  public var outputPath: String?
  public var graphs: String?
  public var writesJSON: Bool

  /// Creates the command.
  public init(
    _ mapping: String, mappingOptions: MappingOptions = MappingOptions(), outputPath: String? = nil,
    graphs: String? = nil, writesJSON: Bool = false
  ) {
    self.mapping = mapping
    self.mappingOptions = mappingOptions
    self.outputPath = outputPath
    self.graphs = graphs
    self.writesJSON = writesJSON
  }

  public init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      arguments[argument: "MAPPING"], mappingOptions: MappingOptions(arguments),
      outputPath: arguments.value(ofOption: "output"), graphs: arguments.value(ofOption: "graphs"),
      writesJSON: arguments.has("json"))
  }

  public func run(_ io: CommandIO) throws -> ExitCode {
    let source = try MappingSource(path: mapping, url: io.url(mapping))
    let models = try mappingOptions.models(of: source, io)
    try refuseModelsWithoutFile(models)
    let mappingModel = try source.validMappingModel(from: models.source.model, to: models.destination.model)
    let complete = models.complete(mappingModel)
    let mistakes = complete.check(MappingCheckEnvironment(file: mapping)).filter { $0.severity == .error }
    guard mistakes.isEmpty else {
      try FindingList(mistakes, about: mapping).writeErrors(to: io, asJSON: writesJSON)
      return .negative
    }
    var work = TestGeneration(
      complete: complete, mapping: mappingModel, models: models, files: try files(models, io),
      mappingURL: io.url(mapping),
      code: io.code, io: io)
    try work.perform()
    let lines = work.told
    if writesJSON {
      try io.write(
        JSONValue.object([
          ("files", .strings([work.files.testClass, work.files.sourceGraph, work.files.destinationGraph].map(\.path))),
          ("changes", .strings(lines)),
        ]).indented)
    } else {
      try io.write(lines.map(\.shownLines).joined(separator: "\n") + "\n")
    }
    return work.isComplete ? .success : .negative
  }

  /// Throws if a model exists only inside an Xcode mapping: a test cannot refer to it.
  private func refuseModelsWithoutFile(_ models: MappedModels) throws {
    for side in [models.source, models.destination] where side.path == nil {
      throw Diagnostic(
        .error, code: "test.embedded-model",
        problem: "model '\(side.name)' is only inside '\(mapping)', where tests cannot read it",
        remedy: "specify the current models: --model PATH.xcdatamodeld")
    }
  }

  private func files(_ models: MappedModels, _ io: CommandIO) throws -> TestFiles {
    let (old, new) = TestFiles.suffixes(models.source.name, models.destination.name)
    let name = "\(TestFiles.identifier(models.source.name))To\(TestFiles.identifier(new))Tests"
    let output = io.url(outputPath ?? "Tests/\(name).swift")
    let folder = graphs.map(io.url) ?? output.deletingLastPathComponent()
    guard output.pathExtension == "swift" else {
      throw Diagnostic(
        .error, code: "test.output", problem: "'\(outputPath ?? "")' is not a Swift file",
        remedy: "name one: '\(outputPath ?? "")/\(name).swift'")
    }
    func graph(_ version: String) -> URL { folder.appending(path: "graph-\(version).json") }
    return TestFiles(
      testClass: output, sourceGraph: graph(old), destinationGraph: graph(new),
      others: [io.url(mapping)] + [models.source.path, models.destination.path].compactMap { $0.map(io.url) })
  }
}
