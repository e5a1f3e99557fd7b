import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore
import HeavyliftXML

/// `heavylift inspect STORE`: what a store is, which version it has, what is in it, and what nobody knows about it.
/// Of a model: its entities and their version hashes.
public struct InspectCommand: Command {
  public static let description = CommandDescription(
    name: "inspect", abstract: "Say what a store is, which version it has, and what is in it; or what a model holds",
    discussion: """
      Works on every Core Data store, with or without a model. The version is looked for among the models that are \
      given, by version hashes, and failing that by the model that the store carries itself or by its tables; it is never \
      guessed. The store is only read.

      Of a model (.xcdatamodeld, .xcdatamodel, contents, .momd, .mom) shows every version: entities, version hashes, \
      checksum and digest.

      Exits with 0, or with 2 if models were given and not exactly one of them fits.
      """,
    arguments: [.init("STORE", help: "The store's file, or a model.")],
    options: [
      .storeModels, .init(flag: "hashes", help: "Show the version hash of every entity."),
    ],
    examples: [
      .init("inspect Library.sqlite", "Shows all that the store says by itself."),
      .init("inspect Library.sqlite --model Library.xcdatamodeld", "Finds out which version the store has."),
      .init("inspect Library.xcdatamodeld", "Shows the version hashes by which a store is known."),
      .init("inspect Library.sqlite --json | jq .entities", "The same for scripts."),
    ])

  public var store: String
  public var models: [String]
  public var showsHashes: Bool
  public var writesJSON: Bool

  /// Creates the command.
  public init(store: String, models: [String] = [], showsHashes: Bool = false, writesJSON: Bool = false) {
    self.store = store
    self.models = models
    self.showsHashes = showsHashes
    self.writesJSON = writesJSON
  }

  public init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      store: arguments[argument: "STORE"], models: arguments.values(ofOption: "model"),
      showsHashes: arguments.has("hashes"), writesJSON: arguments.has("json"))
  }

  public func run(_ io: CommandIO) throws -> ExitCode {
    if ModelReport.isModel(store) { return try inspectModel(io) }
    let candidates = try ModelCandidates(models, io)
    let file = try StoreFile(url: io.url(store), mode: .readOnly)
    let report = try InspectReport(path: store, file, candidates, showsHashes: showsHashes)
    if writesJSON {
      try io.write(report.json.indented)
    } else {
      try io.write(InspectText(report, TextStyle(io)).lines.joined(separator: "\n") + "\n")
    }
    // That the store knows its version is not what was asked.
    return models.isEmpty || report.fitsGivenModel ? .success : .negative
  }

  private func inspectModel(_ io: CommandIO) throws -> ExitCode {
    let report = ModelReport(source: try ModelSource(path: store, url: io.url(store)))
    try io.write(writesJSON ? report.json.indented : report.lines(TextStyle(io)).joined(separator: "\n") + "\n")
    return .success
  }
}
