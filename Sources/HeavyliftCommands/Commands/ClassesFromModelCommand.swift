import Foundation
import Heavylift

/// `heavylift schema from-model MODEL`: writes a schema in Swift for a model.
package struct ClassesFromModelCommand: Command {
  package static let description = CommandDescription(
    name: "schema from-model", abstract: "Write a schema in Swift for a model",
    discussion: """
      Writes an enumeration with a class for each entity of MODEL, for a program that imports HeavyliftSchema. Stores \
      of the model open with these classes, because their version hashes are the same.

      MODEL can also be a store that contains its own model. Without MODEL, the version is one that your own tool \
      registers; with a new --name and --identifier, the result is the start of the next version.

      Parts that classes cannot declare, such as fetch request templates and indexes of expressions, are listed on \
      standard error and in a comment. Exits with 2 if such a part changes a version hash.
      """,
    arguments: [
      .init("MODEL", help: "A model, a bundle or a store; without it, a version of the tool's own.", isOptional: true)
    ],
    options: [
      .init("version", value: "NAME", help: "The version of a bundle; by default the current or only one."),
      .init("name", value: "NAME", help: "The name of the enumeration; by default made from the version's name."),
      .init("identifier", value: "X.Y.Z", help: "The version identifier; by default the model's, or 1.0.0."),
      MappingOutput.option,
    ],
    examples: [
      .init("schema from-model Music.xcdatamodeld --name MusicV1 -o MusicV1.swift", "Writes the current version."),
      .init("schema from-model Music.sqlite", "Prints classes for a store that contains its own model."),
    ])

  package var model: String?
  package var version: String?
  package var name: String?
  package var identifier: String?
  package var output: String?
  package var writesJSON: Bool

  /// Creates the command.
  package init(
    model: String? = nil, version: String? = nil, name: String? = nil, identifier: String? = nil,
    output: String? = nil, writesJSON: Bool = false
  ) {
    self.model = model
    self.version = version
    self.name = name
    self.identifier = identifier
    self.output = output
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    if let identifier = arguments.value(ofOption: "identifier"), Self.numbers(identifier) == nil {
      throw UsageError(
        "invalid-identifier", problem: "'\(identifier.shown)' is not a version identifier",
        remedy: "write three numbers: --identifier 1.0.0", commandName: Self.description.name)
    }
    if let name = arguments.value(ofOption: "name"), !SwiftWords.isIdentifier(name) {
      throw UsageError(
        "invalid-type-name", problem: "'\(name.shown)' cannot be the name of a Swift enumeration",
        remedy: "begin it with a letter, and use only letters, digits and '_'", commandName: Self.description.name)
    }
    self.init(
      model: arguments.values(ofArgument: "MODEL").first, version: arguments.value(ofOption: "version"),
      name: arguments.value(ofOption: "name"), identifier: arguments.value(ofOption: "identifier"),
      output: arguments.value(ofOption: "output"), writesJSON: arguments.has("json"))
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    let source = try version(io)
    let stated = source.model.versionIdentifiers.sorted().compactMap(Self.numbers).first
    let classes = try ClassModel(source.model, version: identifier ?? stated ?? "1.0.0")
    let enumeration = name ?? SwiftWords.identifier(from: source.name)
    let origin = model.map { "version '\(source.name)' of '\(($0 as NSString).lastPathComponent)'" }
    let text = ClassSource(
      classes, name: enumeration, origin: origin ?? "version '\(source.name)' of the tool's own code"
    ).text
    let diagnostics = diagnostics(of: classes)
    let output = MappingOutput(path: output)
    if self.output != nil || !writesJSON { try output.write(text: text, to: io) }
    if writesJSON {
      try io.write(
        JSONValue.object([
          ("output", .optional(self.output)), ("source", .optional(self.output == nil ? text : nil)),
          ("diagnostics", .array(diagnostics.map(\.json))),
        ]).indented)
    } else {
      for diagnostic in diagnostics { try io.writeError(lines: [diagnostic.description.shownLines]) }
    }
    return diagnostics.hasErrors ? .negative : .success
  }

  private func version(_ io: CommandIO) throws -> ModelBundle.Version {
    if let model, ModelSource.isModel(model) {
      let source = try ModelSource(path: model, url: io.url(model))
      _ = try source.validVersions()
      let version = try source.version(named: version, option: "--version")
      return ModelBundle.Version(name: version.name, model: version.model)
    }
    let source = try SchemaVersions(at: model, named: version, io)
    guard source.versions.count == 1 else {
      throw UsageError(
        "one-version", problem: "\(source.subject) has \(source.versions.count) versions",
        remedy: "choose one: " + source.versions.map { "--version '\($0.name)'" }.joined(separator: ", "),
        commandName: Self.description.name)
    }
    return source.versions[0]
  }

  private func diagnostics(of classes: ClassModel) -> [Diagnostic] {
    let omissions = classes.omissions.map {
      Diagnostic(.warning, code: "schema.not-in-classes", problem: "classes cannot declare a part of the model: \($0)")
    }
    let different = classes.entitiesWithOtherHashes
    guard !different.isEmpty else { return omissions }
    return omissions + [
      Diagnostic(
        .error, code: "schema.other-classes",
        problem: "the classes have other version hashes than the model: "
          + different.map { "entity \($0.quotedName)" }.joined(separator: ", "),
        remedy: "they cannot open stores of this model; keep this version as a model file")
    ]
  }

  /// Returns the text if it is three numbers, separated by dots.
  private static func numbers(_ text: String) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ part in Int(part).map { String($0) == part } == true }) else {
      return nil
    }
    return text
  }
}
