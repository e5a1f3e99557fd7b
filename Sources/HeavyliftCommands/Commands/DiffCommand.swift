import HeavyliftModel
import HeavyliftStore

/// `heavylift diff A B`: what differs between two models, or between the contents of two stores.
public struct DiffCommand: Command {
  public static let description = CommandDescription(
    name: "diff", abstract: "Compare two models, two mappings, or the contents of two stores",
    discussion: """
      Models are compared down to the parameter, and what changes a version hash is marked. Of a bundle the current \
      version is taken, or the one that --from or --to names; with one bundle alone, two of its versions are compared.

      Stores are compared object by object: those with the same entity and key are the same object. Where the stores \
      have different models, what both have is compared. Values are a user's data and are told only with --values.

      Mappings are compared as they are written; with --model, or if they are of different kinds, by what they do.

      Exits with 0 if there is no difference, with 2 if there is one, and with 1 if the two cannot be compared.
      """,
    arguments: [
      .init("A", help: "A model, a mapping or a store: the one before."),
      .init("B", help: "A model, a mapping or a store: the one after. May be left out for a bundle.", isOptional: true),
    ],
    options: [
      .init("from", value: "VERSION", help: "The version of the model A."),
      .init("to", value: "VERSION", help: "The version of the model B, or of A if there is no B."),
      .storeModels,
      .init(flag: "values", help: "Tell the values that differ in stores, shortened."),
      .init("examples", value: "NUMBER", help: "How many differing objects to name of each entity; 5 if not given."),
    ],
    examples: [
      .init("diff Library.xcdatamodeld --from Library --to 'Library 2'", "Says what the new version changes."),
      .init("diff Library.momd Library.xcdatamodeld", "Finds out whether a compiled model is up to date."),
      .init("diff before.sqlite after.sqlite --model Library.xcdatamodeld", "Says which objects have changed."),
      .init("diff V2toV3.xcmappingmodel 2-3.xml", "Finds out whether a mapping file does what Xcode's did."),
    ])

  public var first: String
  /// Nil to compare two versions of the first.
  public var second: String?
  public var firstVersion: String?
  public var secondVersion: String?
  /// The models among which the versions of stores are looked for.
  public var models: [String]
  /// Whether values of stores are told.
  public var showsValues: Bool
  public var exampleLimit: Int
  public var writesJSON: Bool

  /// Creates the command.
  public init(
    _ first: String, _ second: String? = nil, firstVersion: String? = nil, secondVersion: String? = nil,
    models: [String] = [], showsValues: Bool = false, exampleLimit: Int = 5, writesJSON: Bool = false
  ) {
    self.first = first
    self.second = second
    self.firstVersion = firstVersion
    self.secondVersion = secondVersion
    self.models = models
    self.showsValues = showsValues
    self.exampleLimit = exampleLimit
    self.writesJSON = writesJSON
  }

  public init(_ arguments: ParsedArguments) throws(UsageError) {
    let limit = arguments.value(ofOption: "examples")
    guard let count = Int(limit ?? "5"), (0...1_000).contains(count) else {
      throw UsageError(
        "bad-number", problem: "'--examples \((limit ?? "").shown)' is not a number from 0 to 1000",
        remedy: "write e.g. '--examples 20'", commandName: Self.description.name)
    }
    self.init(
      arguments[argument: "A"], arguments.values(ofArgument: "B").first,
      firstVersion: arguments.value(ofOption: "from"), secondVersion: arguments.value(ofOption: "to"),
      models: arguments.values(ofOption: "model"), showsValues: arguments.has("values"), exampleLimit: count,
      writesJSON: arguments.has("json"))
  }

  public func run(_ io: CommandIO) throws -> ExitCode {
    if let second, try isMapping(first, io), try isMapping(second, io) {
      return try compareMappings(first, second, io)
    }
    let firstIsStore = try Self.isStore(first, io)
    guard let second else {
      guard !firstIsStore else { throw usage("missing-argument", "'diff' needs a second store to compare with") }
      guard firstVersion != nil || secondVersion != nil else {
        throw usage("missing-argument", "'diff' needs two versions to compare: a second model, --from or --to")
      }
      return try compareModels(first, first, io)
    }
    switch (firstIsStore, try Self.isStore(second, io)) {
    case (true, true):
      guard firstVersion == nil, secondVersion == nil else {
        throw usage("useless-option", "options '--from' and '--to' of 'diff' are for models, and these are stores")
      }
      return try compareStores(first, second, io)
    case (false, false): return try compareModels(first, second, io)
    case (let isFirst, _):
      throw Diagnostic(
        .error, code: "diff.mixed",
        problem: "'\(isFirst ? first : second)' is a store and '\(isFirst ? second : first)' is a model",
        remedy:
          "give two stores or two models; 'heavylift inspect STORE --model MODEL' says whether they belong together")
    }
  }

  private func usage(_ code: String, _ problem: String) -> UsageError {
    UsageError(code, problem: problem, remedy: "write '\(Self.description.usage)'", commandName: Self.description.name)
  }

  private func isMapping(_ path: String, _ io: CommandIO) throws -> Bool {
    try MappingSource.kind(path, io.url(path)) != nil
  }

  private static func isStore(_ path: String, _ io: CommandIO) throws -> Bool {
    try GivenFile(path, io.url(path)).kind == .database
  }
}
