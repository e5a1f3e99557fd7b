import Foundation
import Heavylift
import HeavyliftModel
import HeavyliftStore
import HeavyliftReports

/// `heavylift dump STORE`: writes a store's objects as canonical JSON lines.
package struct DumpCommand: Command {
  package static let description = CommandDescription(
    name: "dump", abstract: "Write a store's objects as JSON lines, in a canonical form",
    discussion: """
      Writes one object per line, ordered by entity and key, with every stored attribute and every relationship:

        {"entity":"Book","key":1,"attributes":{"title":"Cosmos"},"relationships":{"author":"Author/p2"}}

      Stores with the same content produce the same bytes, whatever their files look like. Dates are ISO 8601, \
      decimals are strings, and data is base64. A relationship to a missing object is {"dangling":"Author/p9"}. Data \
      whose external file is missing is {"missingFile":"NAME"}, and is also reported on standard error. The store is \
      opened read-only and streamed, so memory use does not grow with its size.
      """,
    arguments: [.init("STORE", help: "The store's file.")],
    options: [
      .storeModels,
      .init(
        "entity", shortName: "e", value: "NAME", isRepeatable: true,
        help: "Write only this entity and its sub-entities."),
      .init("output", shortName: "o", value: "FILE", help: "Write to a file, which appears only when it is complete."),
      .init(flag: "strict", help: "Stop at a value whose external file is missing."),
      .init(flag: "metadata", help: "Start with a line for the store's identifier, version and metadata."),
    ],
    examples: [
      .init("dump Library.sqlite", "Works without a model if the store contains its own."),
      .init(
        "dump Library.sqlite --model Library.xcdatamodeld -o before.jsonl", "Saves the contents before a migration."),
      .init("dump Library.sqlite --entity Book | head", "Shows a few books."),
    ])

  package var store: String
  package var models: [String]
  /// Entities to write, including their sub-entities; all if empty.
  package var entityNames: [String]
  /// The file to write; `nil` for standard output.
  package var outputPath: String?
  package var includesMetadata: Bool
  /// True to stop at a value whose external file is missing.
  package var isStrict: Bool
  /// True to report in JSON what was written to the output file.
  package var writesJSON: Bool

  /// Creates the command.
  package init(
    store: String, models: [String] = [], entityNames: [String] = [], outputPath: String? = nil,
    includesMetadata: Bool = false, isStrict: Bool = false, writesJSON: Bool = false
  ) {
    self.store = store
    self.models = models
    self.entityNames = entityNames
    self.outputPath = outputPath
    self.includesMetadata = includesMetadata
    self.isStrict = isStrict
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      store: arguments[argument: "STORE"], models: arguments.values(ofOption: "model"),
      entityNames: arguments.values(ofOption: "entity"), outputPath: arguments.value(ofOption: "output"),
      includesMetadata: arguments.has("metadata"), isStrict: arguments.has("strict"),
      writesJSON: arguments.has("json"))
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    let source = try StoreSource(path: store, candidates: ModelCandidates(models, io.directory), io)
    var options = StoreDump.Options()
    options.includesMetadata = includesMetadata
    options.refusesMissingFiles = isStrict
    options.entityNames = try source.entityNames(chosen: entityNames)
    let dump = StoreDump(source.store, options: options)
    guard let outputPath else {
      try warn(of: try dump.write(to: io.output), source.store, io)
      return .success
    }
    let url = io.url(outputPath)
    try refuseToOverwriteStore(url, shownAs: outputPath, io)
    let counts = try OutputFile.write(to: url, shownAs: outputPath) { try dump.write(to: $0) }
    writesJSON
      ? try io.write(json(counts, file: outputPath)) : try io.write(lines: [report(counts, file: outputPath)])
    if !writesJSON { try warn(of: counts, source.store, io) }
    return .success
  }

  private func warn(of counts: StoreDump.Counts, _ source: PersistentStore, _ io: CommandIO) throws {
    let warnings = [
      counts.missingFiles.diagnostic(.warning, in: source.externalData), counts.misnumberedRows.diagnostic,
    ].compactMap(\.self)
    guard !warnings.isEmpty else { return }
    try FindingList(warnings, about: store).writeErrors(to: io, asJSON: writesJSON)
  }

  /// Throws if the output file is one of the store's own files: a typo must not overwrite the user's data.
  private func refuseToOverwriteStore(_ url: URL, shownAs path: String, _ io: CommandIO) throws {
    let target = url.resolvingSymlinksInPath().path
    let store = io.url(store).resolvingSymlinksInPath().path
    guard ["", "-wal", "-shm", "-journal"].contains(where: { store + $0 == target }) else { return }
    throw Diagnostic(
      .error, code: "dump.output-is-store",
      problem: "the dump cannot be written to '\(path)', which is the store itself",
      remedy: "choose another file; nothing was changed")
  }

  private func report(_ counts: StoreDump.Counts, file: String) -> String {
    let links = counts.danglingLinks > 0 ? ", and \(counts.danglingLinks.counted("link")) to missing objects" : ""
    return "wrote \(counts.total.counted("object"))\(links) to \(file.shown)"
  }

  private func json(_ counts: StoreDump.Counts, file: String) -> String {
    JSONValue.object([
      ("file", .string(file)), ("objects", .count(counts.total)), ("danglingLinks", .count(counts.danglingLinks)),
      (
        "missingFiles",
        .array(
          counts.missingFiles.map {
            .object([
              ("entity", .string($0.entity)), ("key", .integer($0.key)), ("attribute", .string($0.attribute)),
              ("file", .string($0.file)),
            ])
          })
      ),
      (
        "entities",
        .object(counts.objects.sorted { $0.key < $1.key }.map { ($0.key, .count($0.value)) })
      ),
    ]).indented
  }
}

extension CommandDescription.Option {
  /// Models that may contain the store's version.
  static let storeModels = Self(
    "model", shortName: "m", value: "PATH", isRepeatable: true,
    help:
      "A model that may contain the store's version (.xcdatamodeld, .xcdatamodel, contents, .momd or .mom), or a folder "
      + "with such models, such as an Xcode project.")
}
