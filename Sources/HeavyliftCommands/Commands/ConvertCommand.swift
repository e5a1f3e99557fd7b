import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// `heavylift convert MAPPING`: converts Xcode's mapping models to readable mapping files.
package struct ConvertCommand: Command {
  package static let description = CommandDescription(
    name: "convert", abstract: "Convert an Xcode mapping model to a mapping file",
    discussion: """
      Reads an .xcmappingmodel or a compiled .cdm and writes the shortest mapping file that means the same for the \
      two models: it omits everything that is the default. The models are the ones given with --model, or else those \
      next to the mapping, or else those that Xcode embedded in the file. What Xcode tolerates and a mapping file does \
      not is listed, and the exit code is 2.
      """,
    arguments: [.init("MAPPING", help: "An .xcmappingmodel, an xcmapping.xml or a .cdm.")],
    options: MappingOptions.options + [
      MappingOutput.option,
      .init(flag: "pin", help: "Record the exact model versions in the file, property by property."),
    ],
    examples: [
      .init("convert V2toV3.xcmappingmodel --model Library.xcdatamodeld -o 2-3.xml", "Converts a mapping model.")
    ])

  package var mapping: String
  package var mappingOptions: MappingOptions
  package var output: String?
  package var pins: Bool
  package var writesJSON: Bool

  /// Creates the command.
  package init(
    _ mapping: String, mappingOptions: MappingOptions = MappingOptions(), output: String? = nil, pins: Bool = false,
    writesJSON: Bool = false
  ) {
    self.mapping = mapping
    self.mappingOptions = mappingOptions
    self.output = output
    self.pins = pins
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      arguments[argument: "MAPPING"], mappingOptions: MappingOptions(arguments),
      output: arguments.value(ofOption: "output"), pins: arguments.has("pin"), writesJSON: arguments.has("json"))
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    let source = try MappingSource(path: mapping, url: io.url(mapping))
    let models = try mappingOptions.models(of: source, io)
    var converted = try source.validMappingModel()
      .converted(for: models.source.model, destination: models.destination.model)
    converted.source = reference(to: models.source)
    converted.destination = reference(to: models.destination)
    let mistakes = converted.complete(from: models.source.model, to: models.destination.model)
      .check(MappingCheckEnvironment(file: self.output ?? "the mapping file")).filter { $0.severity == .error }
    let diagnostics = source.diagnostics + models.notes + mistakes + remainingWork(mistakes)
    let output = MappingOutput(path: self.output)
    if writesJSON {
      try output.writeJSON(converted, diagnostics, to: io)
    } else {
      for diagnostic in diagnostics { try io.writeError(lines: [diagnostic.description.shownLines]) }
      try output.write(converted, to: io)
    }
    return mistakes.isEmpty ? .success : .negative
  }

  /// Xcode's formats may have mistakes that matter only if a store has certain objects; a mapping file may not.
  private func remainingWork(_ mistakes: [Diagnostic]) -> [Diagnostic] {
    if mistakes.isEmpty { return [] }
    return [
      Diagnostic(
        .warning, code: "mapping.unfinished-conversion",
        problem: "the mapping file means the same as '\(mapping)', but it cannot run before "
          + (mistakes.count == 1 ? "the mistake above is" : "the \(mistakes.count) mistakes above are") + " corrected",
        remedy: output.map { "edit '\($0)', then run 'heavylift check \($0)'" } ?? "edit it, then run 'heavylift check'"
      )
    ]
  }

  private func reference(to side: MappedModels.Side) -> ModelReference {
    pins ? ModelReference(pinning: side.model, name: side.name) : ModelReference(name: side.name)
  }
}
