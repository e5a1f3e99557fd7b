import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// `heavylift infer OLD [NEW]`: infers a mapping file to start from.
package struct InferCommand: Command {
  package static let description = CommandDescription(
    name: "infer", abstract: "Infer the mapping between two models, as lightweight migration does",
    discussion: """
      Uses the rules of Core Data's lightweight migration: entities and properties that were added, removed or \
      renamed with a renaming identifier; attributes that became optional, or non-optional with a default; to-one \
      relationships that became to-many; and moves within an entity hierarchy. All other differences are reported \
      together. With --draft, writes the file anyway for you to complete, with a TODO comment wherever you must decide \
      something.

      For a bundle, 'infer' uses the current version, or the one given with --from or --to; with a single bundle, it \
      compares two of its versions. Exits with 2 if the mapping cannot be inferred.
      """,
    arguments: [
      .init("OLD", help: "The source model."),
      .init("NEW", help: "The destination model. Optional for a bundle.", isOptional: true),
    ],
    options: [
      .init("from", value: "VERSION", help: "The version of the source model."),
      .init("to", value: "VERSION", help: "The version of the destination model."),
      MappingOutput.option,
      .init(flag: "pin", help: "Record the exact model versions in the file, property by property."),
      .init(flag: "draft", help: "Write a file even if the mapping cannot be inferred."),
    ],
    examples: [
      .init(
        "infer Library.xcdatamodeld --from Library --to 'Library 2' -o 1-2.xml", "Writes a mapping file to start from."
      ),
      .init("infer Old.xcdatamodel New.xcdatamodel --draft", "Shows a draft for you to complete."),
    ])

  package var source: String
  /// The destination model; `nil` to use two versions of the source.
  package var destination: String?
  package var sourceVersion: String?
  package var destinationVersion: String?
  package var output: String?
  package var pins: Bool
  package var isDraft: Bool
  package var writesJSON: Bool

  /// Creates the command.
  package init(
    _ source: String, _ destination: String? = nil, sourceVersion: String? = nil, destinationVersion: String? = nil,
    output: String? = nil, pins: Bool = false, isDraft: Bool = false, writesJSON: Bool = false
  ) {
    self.source = source
    self.destination = destination
    self.sourceVersion = sourceVersion
    self.destinationVersion = destinationVersion
    self.output = output
    self.pins = pins
    self.isDraft = isDraft
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    let destination = arguments.values(ofArgument: "NEW").first
    let versions = (arguments.value(ofOption: "from"), arguments.value(ofOption: "to"))
    guard destination != nil || versions.0 != nil || versions.1 != nil else {
      throw UsageError(
        "missing-argument", problem: "'infer' needs two versions: a second model, --from or --to",
        remedy: "write '\(Self.description.usage)'", commandName: Self.description.name)
    }
    self.init(
      arguments[argument: "OLD"], destination, sourceVersion: versions.0, destinationVersion: versions.1,
      output: arguments.value(ofOption: "output"), pins: arguments.has("pin"), isDraft: arguments.has("draft"),
      writesJSON: arguments.has("json"))
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    let before = try ModelSource(path: source, url: io.url(source))
    let after = try destination.map { try ModelSource(path: $0, url: io.url($0)) } ?? before
    let old = try before.version(named: sourceVersion, option: "--from")
    let new = try after.version(named: destinationVersion, option: "--to")
    let errors = (before.diagnostics + after.diagnostics).filter { $0.severity == .error }
    guard errors.isEmpty else { throw DiagnosticList(errors) }

    var (mapping, refusals) =
      isDraft
      ? MappingModel.draft(from: old.model, to: new.model) : MappingModel.inferring(from: old.model, to: new.model)
    mapping.source = pins ? ModelReference(pinning: old.model, name: old.name) : ModelReference(name: old.name)
    mapping.destination = pins ? ModelReference(pinning: new.model, name: new.name) : ModelReference(name: new.name)
    if !refusals.isEmpty, !isDraft || !writesJSON {
      try ErrorReport(DiagnosticList(refusals)).write(to: io, toolName: "heavylift", asJSON: writesJSON)
      guard isDraft else { return .negative }
    }
    let output = MappingOutput(path: output)
    if writesJSON { try output.writeJSON(mapping, refusals, to: io) } else { try output.write(mapping, to: io) }
    return refusals.isEmpty ? .success : .negative
  }
}
