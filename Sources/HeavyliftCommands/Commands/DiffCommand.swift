import HeavyliftModel
import HeavyliftStore
import HeavyliftXML

/// `heavylift diff A B`: compares two models, two mappings, or the contents of two stores.
package struct DiffCommand: Command {
  package static let description = CommandDescription(
    name: "diff", abstract: "Compare two models, two mappings, or the contents of two stores",
    discussion: """
      Models are compared down to the last parameter, and differences that change a version hash are marked. For a \
      bundle, 'diff' uses the current version, or the one given with --from or --to; with a single bundle, it \
      compares two of its versions.

      Stores are compared object by object: two objects with the same entity and key are the same object. If the \
      stores have different models, 'diff' compares what both have. Values are user data and are shown only with \
      --values.

      If B is A after a migration, 'diff' follows entities and properties to their new names: with the mappings next to \
      the models or the store, or with --mappings or --mapping. With --provenance, it also follows objects that have \
      become objects of another entity, or have another key.

      Mappings are compared as they are written. With --model, or if they are of different kinds, they are compared \
      by their effect.

      Exits with 0 if there are no differences, with 2 if there are any, and with 1 if the two cannot be compared.
      """,
    arguments: [
      .init("A", help: "The old model, mapping or store."),
      .init("B", help: "The new model, mapping or store. Optional for a bundle.", isOptional: true),
    ],
    options: [
      .init("from", value: "VERSION", help: "The version of model A."),
      .init("to", value: "VERSION", help: "The version of model B, or of A if B is omitted."),
      .storeModels,
      .init("mappings", value: "FOLDER", help: "The folder of the mappings that lead from store A to store B."),
      .init(
        "mapping", value: "FILE", isRepeatable: true,
        help: "A mapping that leads from store A to store B, or to a version in between."),
      .init("provenance", value: "FILE", help: "The provenance database that the migration from A to B wrote."),
      .init(flag: "values", help: "Show the values that differ between stores, in shortened form."),
      .init("examples", value: "NUMBER", help: "How many differing objects to list for each entity; 5 by default."),
    ],
    examples: [
      .init("diff Library.xcdatamodeld --from Library --to 'Library 2'", "Shows what the new version changes."),
      .init("diff Library.momd Library.xcdatamodeld", "Checks that a compiled model is up to date."),
      .init("diff before.sqlite after.sqlite --model Library.xcdatamodeld", "Shows which objects have changed."),
      .init(
        "diff Before.sqlite Library.sqlite -m . --provenance Origins.sqlite", "Shows what became of the objects."),
      .init("diff V2toV3.xcmappingmodel 2-3.xml", "Checks that a mapping file does what Xcode's did."),
    ])

  package var first: String
  /// The second file; `nil` to compare two versions of the first.
  package var second: String?
  package var firstVersion: String?
  package var secondVersion: String?
  /// Models that may contain the stores' versions.
  package var models: [String]
  /// The folder of the mappings between the stores; `nil` to look next to the models or the store.
  package var mappings: String?
  /// The mappings between the stores.
  package var mappingFiles: [String]
  /// The provenance of the migration from the first store to the second.
  package var provenance: String?
  /// True to show the values that differ in stores.
  package var showsValues: Bool
  package var exampleLimit: Int
  package var writesJSON: Bool

  /// Creates the command.
  package init(
    _ first: String, _ second: String? = nil, firstVersion: String? = nil, secondVersion: String? = nil,
    models: [String] = [], mappings: String? = nil, mappingFiles: [String] = [], provenance: String? = nil,
    showsValues: Bool = false, exampleLimit: Int = 5, writesJSON: Bool = false
  ) {
    self.mappings = mappings
    self.mappingFiles = mappingFiles
    self.provenance = provenance
    self.first = first
    self.second = second
    self.firstVersion = firstVersion
    self.secondVersion = secondVersion
    self.models = models
    self.showsValues = showsValues
    self.exampleLimit = exampleLimit
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    let limit = arguments.value(ofOption: "examples")
    guard let count = Int(limit ?? "5"), (0...1_000).contains(count) else {
      throw UsageError(
        "bad-number", problem: "'--examples \((limit ?? "").shown)' is not a number from 0 to 1000",
        remedy: "write a number, such as '--examples 20'", commandName: Self.description.name)
    }
    self.init(
      arguments[argument: "A"], arguments.values(ofArgument: "B").first,
      firstVersion: arguments.value(ofOption: "from"), secondVersion: arguments.value(ofOption: "to"),
      models: arguments.values(ofOption: "model"), mappings: arguments.value(ofOption: "mappings"),
      mappingFiles: arguments.values(ofOption: "mapping"), provenance: arguments.value(ofOption: "provenance"),
      showsValues: arguments.has("values"), exampleLimit: count,
      writesJSON: arguments.has("json"))
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    let subject = try Subject(first, io)
    guard let second else {
      guard subject == .model else {
        throw usage("missing-argument", "'diff' needs a second \(subject.rawValue) to compare with")
      }
      guard firstVersion != nil || secondVersion != nil else {
        throw usage("missing-argument", "'diff' needs two versions to compare: a second model, --from or --to")
      }
      return try compareModels(first, first, io)
    }
    let other = try Subject(second, io)
    guard subject == .store && other == .store || mappings == nil && mappingFiles.isEmpty && provenance == nil else {
      throw usage(
        "useless-option", "options '--mappings', '--mapping' and '--provenance' of 'diff' are for two stores")
    }
    switch (subject, other) {
    case (.mapping, .mapping): return try compareMappings(first, second, io)
    case (.store, .store):
      guard firstVersion == nil, secondVersion == nil else {
        throw usage("useless-option", "options '--from' and '--to' of 'diff' are for models, and these are stores")
      }
      return try compareStores(first, second, io)
    case (.model, .model): return try compareModels(first, second, io)
    case (let subject, let other): throw Self.mixed([(subject, first), (other, second)])
    }
  }

  /// The kind of file at a path, judged by its first bytes.
  private enum Subject: String {
    case store, model, mapping

    init(_ path: String, _ io: CommandIO) throws {
      let url = io.url(path)
      self =
        try MappingSource.kind(path, url) != nil
        ? .mapping : GivenFile(path, url).kind == .database ? .store : .model
    }
  }

  private static func mixed(_ things: [(subject: Subject, path: String)]) -> Diagnostic {
    let hasMapping = things.contains { $0.subject == .mapping }
    // The file that the user probably mistook for something else comes first.
    let order: [Subject] = [.mapping, .store, .model]
    let named = order.flatMap { subject in things.filter { $0.subject == subject } }
    return Diagnostic(
      .error, code: "diff.mixed",
      problem: named.map { "'\($0.path)' is a \($0.subject.rawValue)" }.joined(separator: " and "),
      remedy: hasMapping
        ? "give two mappings; 'heavylift check MAPPING --model MODEL' shows whether a mapping fits its models"
        : "give two stores or two models; 'heavylift inspect STORE --model MODEL' shows whether they belong together")
  }

  private func usage(_ code: String, _ problem: String) -> UsageError {
    UsageError(code, problem: problem, remedy: "write '\(Self.description.usage)'", commandName: Self.description.name)
  }
}
