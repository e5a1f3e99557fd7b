import Foundation
import Heavylift
import HeavyliftModel
import HeavyliftVerification
import HeavyliftXML

/// `heavylift graph export STORE`, `heavylift graph build GRAPH` and `heavylift graph generate STORE`: convert between a store
/// and a readable file, and build random stores.
package struct GraphCommand: Command {
  /// The kind of work.
  package enum Action: String, Hashable, Sendable, CaseIterable {
    case export, build, generate
  }

  package static let description = CommandDescription(
    name: "graph", abstract: "Export a store as a readable graph, or build a store from one or at random",
    discussion: """
      A graph is a JSON file in which every object has a name, and other objects refer to it by that name:

        { "model": "Music 2", "objects": { "Artist": { "miles": { "name": "Miles" } } } }

      'graph export' writes a store as a graph, and is meant for stores small enough to read. 'graph build' builds a \
      store from a graph; the same graph always produces the same store. Values have the same format as in 'dump'. \
      An omitted attribute gets the model's default, and you need to give only one side of a relationship. A name that \
      begins with // is a comment.

      If the graph has mistakes, reports all of them, each with its line, and exits with 1.

      'graph generate' builds a store with random objects that obey the model's rules, to rehearse a migration without \
      users' data. The same seed always produces the same store. With --mapping, half of the objects have values that \
      the mapping's filters mention. Attributes with a pattern get their default, and objects that a rule does not \
      allow are skipped.
      """,
    arguments: [
      .init("ACTION", help: "'export', 'build' or 'generate'."),
      .init("FILE", help: "The store or the graph to read; for 'generate', the store to write."),
    ],
    options: [
      .init(
        "model", shortName: "m", value: "PATH", isRepeatable: true,
        help: "The model; not needed for 'export' if the store contains its own."),
      .init(
        "version", value: "NAME",
        help:
          "The model version: for 'build', if the graph does not name it, and for 'generate', if not the current one."),
      .init("objects", value: "NUMBER", help: "For 'generate', the number of objects; 1,000 by default."),
      .init("seed", value: "NUMBER", help: "For 'generate', the seed; 1 by default."),
      .init(
        "mapping", value: "FILE", isRepeatable: true, help: "For 'generate', a mapping that leads from the version."),
      .init(
        "output", shortName: "o", value: "FILE", help: "The file to write; for 'export', standard output by default."),
    ],
    examples: [
      .init("graph export Library.sqlite -m Library.xcdatamodeld -o graph-1.json", "Writes the store's contents."),
      .init("graph build graph-1.json -m Library.xcdatamodeld -o Library.sqlite", "Builds a store from the graph."),
      .init(
        "graph generate Random.sqlite -m Library.xcdatamodeld --version Library --objects 100000",
        "Builds a store with many random objects."),
    ])

  package var action: Action
  package var file: String
  package var models: [String]
  package var version: String?
  package var outputPath: String?
  package var writesJSON: Bool
  private var objectCount = 1_000
  private var seed: UInt64 = 1
  private var mappings: [String] = []

  /// Creates the command.
  package init(
    _ action: Action, _ file: String, models: [String] = [], version: String? = nil, outputPath: String? = nil,
    writesJSON: Bool = false
  ) {
    self.action = action
    self.file = file
    self.models = models
    self.version = version
    self.outputPath = outputPath
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    let word = arguments[argument: "ACTION"]
    guard let action = Action(rawValue: word) else {
      throw UsageError(
        "unknown-action", problem: "'graph' has no action '\(word.shown)'",
        remedy: Action.allCases.map(\.rawValue).suggestion(for: word, kind: "action"), commandName: "graph")
    }
    self.init(
      action, arguments[argument: "FILE"], models: arguments.values(ofOption: "model"),
      version: arguments.value(ofOption: "version"), outputPath: arguments.value(ofOption: "output"),
      writesJSON: arguments.has("json"))
    mappings = arguments.values(ofOption: "mapping")
    if let count = try Self.number(arguments, "objects") { objectCount = Int(clamping: count) }
    if let seed = try Self.number(arguments, "seed") { self.seed = seed }
    if action == .generate, models.isEmpty {
      throw UsageError(
        "missing-option", problem: "'graph generate' needs '--model'",
        remedy: "write 'graph generate STORE --model PATH'", commandName: "graph")
    }
    if action == .build, models.isEmpty || outputPath == nil {
      throw UsageError(
        "missing-option", problem: "'graph build' needs '--model' and '--output'",
        remedy: "write 'graph build GRAPH --model PATH --output STORE'", commandName: "graph")
    }
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    let candidates = try ModelCandidates(models, io.directory)
    switch action {
    case .export: try export(candidates, io)
    case .build: try build(candidates, io)
    case .generate: try generate(candidates, io)
    }
    return .success
  }

  private static func number(_ arguments: ParsedArguments, _ option: String) throws(UsageError) -> UInt64? {
    guard let text = arguments.value(ofOption: option) else { return nil }
    guard let number = UInt64(text) else {
      throw UsageError(
        "bad-number", problem: "'--\(option) \(text.shown)' is not a whole number of 0 or more",
        remedy: "write a number, such as '--\(option) 1000'", commandName: "graph")
    }
    return number
  }

  private func generate(_ candidates: ModelCandidates, _ io: CommandIO) throws {
    guard candidates.sources.count == 1, let source = candidates.sources.first else {
      throw Diagnostic(
        .error, code: "model-file.several-models",
        problem:
          "\(models.quotedPaths) contain \(candidates.sources.count) models: \(candidates.sources.map(\.path).quotedPaths)",
        remedy: "specify one of them")
    }
    let model = try source.version(named: version, option: "--version").model
    let completes = try mappings.map { path in
      let mapping = try MappingSource(path: path, url: io.url(path))
      return try MappingOptions(models: models).models(of: mapping, io).complete(try mapping.validMappingModel())
    }
    let graph = RandomGraph(model, seed: seed, count: objectCount, mappings: completes).graph
    try graph.build(at: io.url(file), model: model)
    try report(graph, file, io)
  }

  private func export(_ candidates: ModelCandidates, _ io: CommandIO) throws {
    let source = try StoreSource(path: file, candidates: candidates, io)
    defer { try? source.store.close() }
    let graph = try ObjectGraph(source.store)
    let text = graph.json(model: source.store.model)
    guard let outputPath else { return try io.write(text) }
    guard io.url(outputPath).resolvingSymlinksInPath() != io.url(file).resolvingSymlinksInPath() else {
      throw Diagnostic(
        .error, code: "graph.output-is-store",
        problem: "the graph cannot be written to '\(outputPath)', which is the store itself",
        remedy: "choose another file; nothing was changed")
    }
    try OutputFile.write(to: io.url(outputPath), shownAs: outputPath) { sink in
      try Array(text.utf8).withUnsafeBytes { try sink.write($0) }
    }
    try report(graph, outputPath, io)
  }

  private func build(_ candidates: ModelCandidates, _ io: CommandIO) throws {
    let url = io.url(file)
    _ = try GivenFile(file, url)
    let versions = candidates.sources.flatMap(\.versions)
    let name = try version ?? ObjectGraph.modelName(ofFile: url)
    let model: ManagedObjectModel
    let named = versions.filter { $0.name == name || $0.model.name == name }
    if let name, let found = named.first {
      guard named.allSatisfy({ $0.model.versionHashes == found.model.versionHashes }) else {
        throw Diagnostic(
          .error, code: "model-file.several-versions", problem: "several models have a version '\(name)'",
          remedy: "use --model to specify which one you mean")
      }
      model = found.model
    } else if let name {
      throw Diagnostic(
        .error, code: "model-file.unknown-version", problem: "none of the given models has version '\(name)'",
        remedy: versions.map(\.name).suggestion(forVersion: name))
    } else if versions.count == 1 {
      model = versions[0].model
    } else {
      throw Diagnostic(
        .error, code: "graph.no-version", problem: "'\(file)' does not name its model, and \(versions.count) are given",
        remedy: "name it: --version '\(versions.first?.name ?? "")'")
    }
    let graph = try ObjectGraph(contentsOf: url, model: model)
    let path = outputPath ?? ""
    try graph.build(at: io.url(path), model: model)
    try report(graph, path, io)
  }

  private func report(_ graph: ObjectGraph, _ path: String, _ io: CommandIO) throws {
    guard writesJSON else {
      return try io.write(lines: ["wrote \(graph.objects.count.counted("object")) to \(path.shown)"])
    }
    try io.write(JSONValue.object([("file", .string(path)), ("objects", .count(graph.objects.count))]).indented)
  }
}
