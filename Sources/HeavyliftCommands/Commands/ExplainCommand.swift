import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// `heavylift explain MAPPING`: shows the complete mapping, property by property.
package struct ExplainCommand: Command {
  package static let description = CommandDescription(
    name: "explain", abstract: "Show everything a mapping does, including defaults",
    discussion: """
      A mapping file states only what differs from the defaults. 'explain' shows the rest, too. For each entity \
      mapping it lists every destination property with its expression; whether the property is copied, computed, \
      rebuilt from a relationship, set to a default or left empty; and why. It also lists the source properties that \
      nothing reads.

      Exits with 1 if the mapping or its models cannot be read. To find mistakes in a mapping, use 'check'. A tool \
      that registers policies or functions also lists the ones that the mapping names but the tool lacks.
      """,
    arguments: [.init("MAPPING", help: "A mapping file, an .xcmappingmodel or a .cdm.")],
    options: MappingOptions.options + [
      .init(
        "entity", shortName: "e", value: "NAME", isRepeatable: true,
        help: "Show only entity mappings from or to this entity, or with this name.")
    ],
    examples: [
      .init("explain MappingModels/Music/1-2.xml", "Explains the mapping, with the models next to it."),
      .init("explain V2toV3.xcmappingmodel --model Library.xcdatamodeld", "Explains an Xcode mapping model."),
    ])

  package var mapping: String
  package var mappingOptions: MappingOptions
  /// Names of entities or entity mappings; empty for all.
  package var entities: [String]
  package var writesJSON: Bool

  /// Creates the command.
  package init(
    _ mapping: String, mappingOptions: MappingOptions = MappingOptions(), entities: [String] = [],
    writesJSON: Bool = false
  ) {
    self.mapping = mapping
    self.mappingOptions = mappingOptions
    self.entities = entities
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      arguments[argument: "MAPPING"], mappingOptions: MappingOptions(arguments),
      entities: arguments.values(ofOption: "entity"), writesJSON: arguments.has("json"))
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    let source = try MappingSource(path: mapping, url: io.url(mapping))
    let models = try mappingOptions.models(of: source, io)
    let complete = models.complete(try source.validMappingModel())
    var explanation = complete.explanation()
    if !entities.isEmpty { explanation = try restricted(explanation) }
    for note in models.notes { try io.writeError(lines: [note.description.shownLines]) }
    // A mapping that calls missing code cannot run.
    for missing in Self.missingCode(complete, source.mappingModel, mapping, io.code) {
      try io.writeError(lines: [missing.description.shownLines])
    }
    if writesJSON {
      try io.write(explanation.json.indented)
    } else {
      let text = io.outputWidth.map { explanation.text(width: min($0, 120)) } ?? explanation.description
      try io.write(
        lines: text.shownLines.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init))
    }
    return .success
  }

  /// Returns errors about policies and functions that the mapping names but this tool lacks; empty if the tool has no
  /// code registered.
  private static func missingCode(
    _ complete: CompleteMappingModel, _ mapping: MappingModel, _ file: String, _ code: MigrationCode
  ) -> [Diagnostic] {
    guard !code.isEmpty else { return [] }
    let environment = code.checkEnvironment(for: mapping, file: file, isComplete: true)
    return complete.check(environment).filter { MigrationCode.diagnosticCodes.contains($0.code) }
  }

  private func restricted(_ explanation: MappingExplanation) throws -> MappingExplanation {
    var restricted = explanation
    restricted.entityMappings.removeAll { mapping in
      !entities.contains { [mapping.name, mapping.sourceEntity, mapping.destinationEntity].contains($0) }
    }
    let known = Set(
      explanation.entityMappings.flatMap { [$0.name, $0.sourceEntity, $0.destinationEntity].compactMap { $0 } })
    for name in entities where !known.contains(name) {
      throw Diagnostic(
        .error, code: "mapping.unknown-entity", problem: "'\(mapping)' has no mapping for entity '\(name)'",
        remedy: known.suggestion(for: name, kind: "entity"))
    }
    restricted.droppedEntities = []
    restricted.unfilledEntities = []
    return restricted
  }
}
