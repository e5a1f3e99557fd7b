import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// `heavylift infer OLD [NEW]`: the mapping file that one starts from.
public struct InferCommand: Command {
  public static let description = CommandDescription(
    name: "infer", abstract: "Write the mapping between two models that needs no words",
    discussion: """
      Infers by the rules of Core Data's lightweight migration: entities and properties that were added, removed or \
      renamed by a renaming identifier, attributes that became optional, or mandatory with a default, relationships from \
      one to many, and moves within a hierarchy. Everything else that differs is reported at once. With --draft the file is \
      written nevertheless, for its author to complete: with a <drop> for each property that is gone, and a TODO comment \
      wherever something has to be decided.

      Of a bundle the current version is taken, or the one that --from or --to names; with one bundle alone, two of its \
      versions. Exits with 2 if the mapping cannot be inferred.
      """,
    arguments: [
      .init("OLD", help: "The source model."),
      .init("NEW", help: "The destination model. May be left out for a bundle.", isOptional: true),
    ],
    options: [
      .init("from", value: "VERSION", help: "The version of the source model."),
      .init("to", value: "VERSION", help: "The version of the destination model."),
      MappingOutput.option,
      .init(flag: "pin", help: "Note in the file which versions exactly it is for, property by property."),
      .init(flag: "draft", help: "Write a file also where the mapping cannot be inferred."),
    ],
    examples: [
      .init(
        "infer Library.xcdatamodeld --from Library --to 'Library 2' -o 1-2.xml", "Writes the file that one starts from."
      ),
      .init("infer Old.xcdatamodel New.xcdatamodel --draft", "Shows one where words are needed."),
    ])

  public var source: String
  /// Nil to take two versions of the first.
  public var destination: String?
  public var sourceVersion: String?
  public var destinationVersion: String?
  public var output: String?
  public var pins: Bool
  public var isDraft: Bool
  public var writesJSON: Bool

  /// Creates the command.
  public init(
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

  public init(_ arguments: ParsedArguments) throws(UsageError) {
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

  public func run(_ io: CommandIO) throws -> ExitCode {
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
