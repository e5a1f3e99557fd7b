import Foundation
import Heavylift
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore
import HeavyliftXML

/// `heavylift inspect STORE`: shows a store's kind, version and contents, and anything unknown in it. For a model,
/// shows its entities and their version hashes.
package struct InspectCommand: Command {
  package static let description = CommandDescription(
    name: "inspect", abstract: "Show a store's kind, version and contents, or what a model contains",
    discussion: """
      Works on every Core Data store, with or without a model. Looks for the version among the given models by \
      version hashes; if none fits, it uses the model that the store contains, or the store's tables. It never \
      guesses the version. The store is opened read-only.

      For a model (.xcdatamodeld, .xcdatamodel, contents, .momd, .mom), shows every version: entities, version \
      hashes, checksum and digest. For a folder, shows every model in it, as 'check' finds them.

      Exits with 0, or with 2 if models were given and none or several of them fit.
      """,
    arguments: [.init("STORE", help: "The store's file, a model, or a folder that contains models.")],
    options: [
      .storeModels, .init(flag: "hashes", help: "Show the version hash of every entity."),
    ],
    examples: [
      .init("inspect Library.sqlite", "Shows what the store reveals without a model."),
      .init("inspect Library.sqlite --model Library.xcdatamodeld", "Finds the store's version."),
      .init("inspect Library.xcdatamodeld", "Shows the version hashes that identify a store's model."),
      .init("inspect Library.sqlite --json | jq .entities", "Lists the entities, for scripts."),
    ])

  package var store: String
  package var models: [String]
  package var showsHashes: Bool
  package var writesJSON: Bool

  /// Creates the command.
  package init(store: String, models: [String] = [], showsHashes: Bool = false, writesJSON: Bool = false) {
    self.store = store
    self.models = models
    self.showsHashes = showsHashes
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      store: arguments[argument: "STORE"], models: arguments.values(ofOption: "model"),
      showsHashes: arguments.has("hashes"), writesJSON: arguments.has("json"))
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    if ModelSource.isModel(store) { return try inspectModel(io) }
    if let folder = try ProjectFolder(store, io.directory) { return try inspectModels(in: folder, io) }
    let candidates = try ModelCandidates(models, io.directory)
    let file = try StoreFile(url: io.url(store), mode: .readOnly)
    let report = try InspectReport(path: store, file, candidates, showsHashes: showsHashes)
    if writesJSON {
      try io.write(report.json.indented)
    } else {
      try io.write(lines: InspectText(report, TextStyle(io)).lines)
    }
    if !report.fitsGivenModel, !candidates.skipped.isEmpty {
      try FindingList(candidates.skipped, about: "the models").writeErrors(to: io, asJSON: writesJSON)
    }
    // The user asked whether a given model fits, not whether the store embeds its own model.
    return models.isEmpty || report.fitsGivenModel ? .success : .negative
  }

  /// Inspects all models in a folder.
  private func inspectModels(in folder: ProjectFolder, _ io: CommandIO) throws -> ExitCode {
    let reports = try folder.models.map { ModelReport(source: try ModelSource(path: $0, url: io.url($0))) }
    if writesJSON {
      try io.write(JSONValue.object([("models", .array(reports.map(\.json)))]).indented)
    } else {
      let lines = reports.map { $0.lines(TextStyle(io)) }.joined(separator: [""])
      try io.write(lines: Array(lines))
    }
    return .success
  }

  private func inspectModel(_ io: CommandIO) throws -> ExitCode {
    let report = ModelReport(source: try ModelSource(path: store, url: io.url(store)))
    writesJSON ? try io.write(report.json.indented) : try io.write(lines: report.lines(TextStyle(io)))
    return .success
  }
}
