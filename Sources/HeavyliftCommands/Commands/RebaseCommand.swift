import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// `heavylift rebase MAPPING`: updates a mapping for models that were edited after it was written.
package struct RebaseCommand: Command {
  package static let description = CommandDescription(
    name: "rebase", abstract: "Update a mapping after its models were edited",
    discussion: """
      Use 'rebase' after you edit a model version that a mapping was written for. Properties and entities that were \
      renamed with a renaming identifier are renamed in the mapping, including its expressions and filters; \
      everything you wrote stays. What cannot be decided stays as it was, gets a comment 'rebase: …' before it, and \
      is reported as a conflict; 'check' reports an error until the comment is gone.

      The edited models are the ones given with --model, or those next to the mapping. --old-model specifies the \
      models from before the edit. Without it, 'rebase' knows only what the mapping itself says about those models, or \
      the models that Xcode embedded in its file. Exits with 2 if there are conflicts; the file is written anyway.
      """,
    arguments: [.init("MAPPING", help: "A mapping file.")],
    options: MappingOptions.options + [
      .init(
        "old-model", value: "PATH", isRepeatable: true, help: "The models as they were when the mapping was written."),
      .init("output", shortName: "o", value: "FILE", help: "Write to this file instead of the mapping's own."),
      .init(flag: "dry-run", help: "Write nothing, and show what would change."),
    ],
    examples: [
      .init("rebase 1-2.xml --old-model before/Library.xcdatamodeld", "Rewrites the file for the models next to it."),
      .init("rebase 1-2.xml --dry-run", "Shows what would change."),
    ])

  package var mapping: String
  package var mappingOptions: MappingOptions
  package var oldModels: [String]
  /// The file to write; `nil` for the mapping's own file.
  package var output: String?
  package var isDryRun: Bool
  package var writesJSON: Bool

  /// Creates the command.
  package init(
    _ mapping: String, mappingOptions: MappingOptions = MappingOptions(), oldModels: [String] = [],
    output: String? = nil, isDryRun: Bool = false, writesJSON: Bool = false
  ) {
    self.mapping = mapping
    self.mappingOptions = mappingOptions
    self.oldModels = oldModels
    self.output = output
    self.isDryRun = isDryRun
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      arguments[argument: "MAPPING"], mappingOptions: MappingOptions(arguments),
      oldModels: arguments.values(ofOption: "old-model"), output: arguments.value(ofOption: "output"),
      isDryRun: arguments.has("dry-run"), writesJSON: arguments.has("json"))
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    let source = try MappingSource(path: mapping, url: io.url(mapping))
    guard source.kind == .mappingFile || output != nil else {
      throw Diagnostic(
        .error, code: "rebase.not-a-mapping-file",
        problem: "'\(mapping)' is an Xcode mapping model, not a mapping file",
        remedy: "convert it with 'heavylift convert', or name the file to write with --output")
    }
    let read = ModelSources(io)
    let new = try mappingOptions.models(of: source, besides: oldModels, read)
    let old = oldModels.isEmpty ? nil : try MappedModels(of: source, models: oldModels, read)
    // Xcode's file embeds the models that it was made for.
    let (oldSource, oldDestination) =
      (old?.source.model ?? source.embeddedModels.source, old?.destination.model ?? source.embeddedModels.destination)
    let rebase = MappingRebase(
      try source.validMappingModel(), source: ModelEdit(from: oldSource, to: new.source.model),
      destination: ModelEdit(from: oldDestination, to: new.destination.model))
    if !isDryRun { try MappingOutput(path: output ?? mapping).write(rebase.mappingModel, to: io) }
    try report(rebase, io)
    return rebase.conflicts.isEmpty ? .success : .negative
  }

  private func report(_ rebase: MappingRebase, _ io: CommandIO) throws {
    if writesJSON {
      return try io.write(
        JSONValue.object([
          ("changes", rebase.changes.json), ("conflicts", .array(rebase.conflicts.map(\.json))),
          ("notes", .array(rebase.notes.map(\.json))),
        ]).indented)
    }
    try io.write(lines: [rebase.changes.isEmpty ? "nothing changes" : rebase.changes.description.shownLines])
    for diagnostic in rebase.conflicts + rebase.notes {
      try io.write(lines: [diagnostic.description.shownLines])
    }
  }
}
