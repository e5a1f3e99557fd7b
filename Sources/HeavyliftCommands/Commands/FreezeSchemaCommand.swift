import Heavylift

/// `heavylift schema freeze BUNDLE`: keeps versions of a schema as model files.
package struct FreezeSchemaCommand: Command {
  package static let description = CommandDescription(
    name: "schema freeze", abstract: "Keep versions of a schema as model files",
    discussion: """
      Writes each version to BUNDLE as an .xcdatamodel, and its checksum to a file next to BUNDLE. Commit both. From \
      then on, the old version does not need its classes, and 'schema check' finds changes to it.

      The versions are those of MODEL, which can also be a store that contains its own model. Without MODEL, they are \
      the ones that your own tool registers.

      A version that is frozen already is not written again. If it has changed, nothing is written.
      """,
    arguments: SchemaOptions.arguments(bundle: ", which is created if needed"),
    options: [
      SchemaOptions.version("Freeze"),
      .init("as", value: "NAME", help: "The name of the frozen version; needs a single version."),
      .init(flag: "store", help: "Also write a small store of each version, with objects of every entity."),
      .init(flag: "replace", help: "Replace frozen versions that have changed."),
    ],
    examples: [
      .init("schema freeze Frozen/Music.xcdatamodeld", "Freezes the versions that your own tool registers."),
      .init(
        "schema freeze Frozen/Music.xcdatamodeld Music.sqlite --as 'Music 1' --store",
        "Freezes the version of a store that contains its own model."),
    ])

  package var options: SchemaOptions
  package var newName: String?
  package var writesStores: Bool
  package var replaces: Bool
  package var writesJSON: Bool

  /// Creates the command.
  package init(
    _ options: SchemaOptions, newName: String? = nil, writesStores: Bool = false, replaces: Bool = false,
    writesJSON: Bool = false
  ) {
    self.options = options
    self.newName = newName
    self.writesStores = writesStores
    self.replaces = replaces
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      SchemaOptions(arguments), newName: arguments.value(ofOption: "as"),
      writesStores: arguments.has("store"), replaces: arguments.has("replace"), writesJSON: arguments.has("json"))
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    let frozen = try FrozenVersions(path: options.bundle, io)
    let source = try options.versions(io)
    var versions = source.versions
    if let newName {
      guard versions.count == 1 else {
        throw UsageError(
          "one-name", problem: "--as needs a single version, but \(source.subject) has \(versions.count)",
          remedy: "choose one: " + versions.map { "--version '\($0.name)'" }.joined(separator: ", "),
          commandName: Self.description.name)
      }
      versions[0].name = newName
    }
    var freeze = SchemaFreeze(versions, in: frozen, replaces: replaces)
    let errors = freeze.diagnostics.filter { $0.severity == .error }
    guard errors.isEmpty else { throw DiagnosticList(errors) }
    try freeze.write(stores: writesStores, io)
    if writesJSON {
      try io.write(json(freeze).indented)
    } else {
      for diagnostic in freeze.diagnostics { try io.writeError(lines: [diagnostic.description.shownLines]) }
      if !freeze.results.isEmpty {
        try io.write(lines: freeze.results.map { line($0, freeze.frozen).shownLines })
      }
    }
    return .success
  }

  private func line(_ result: SchemaFreeze.Result, _ frozen: FrozenVersions) -> String {
    let version =
      result.isNew
      ? "\(frozen.path(ofVersion: result.name)): frozen"
      : "\(frozen.path(ofVersion: result.name)): frozen already, unchanged"
    guard let store = result.store else { return version }
    return version + "\n\(store): " + (result.objectCount.map { $0.counted(as: "object") } ?? "kept")
  }

  private func json(_ freeze: SchemaFreeze) -> JSONValue {
    .object([
      ("bundle", .string(freeze.frozen.path)), ("checksums", .string(freeze.frozen.checksumPath)),
      (
        "versions",
        .array(
          freeze.results.map { result in
            .object([
              ("name", .string(result.name)), ("checksum", .string(result.checksum)), ("new", .bool(result.isNew)),
              ("store", .optional(result.store)), ("objects", result.objectCount.map { .count($0) } ?? .null),
            ])
          })
      ),
      ("diagnostics", .array(freeze.diagnostics.map(\.json))),
    ])
  }
}
