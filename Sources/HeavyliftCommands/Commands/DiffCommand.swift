import HeavyliftModel
import HeavyliftStore
import HeavyliftXML

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
    switch (subject, try Subject(second, io)) {
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

  /// What a path leads to, as far as its first bytes tell.
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
    // What the user probably takes for something else is named first.
    let order: [Subject] = [.mapping, .store, .model]
    let named = order.flatMap { subject in things.filter { $0.subject == subject } }
    return Diagnostic(
      .error, code: "diff.mixed",
      problem: named.map { "'\($0.path)' is a \($0.subject.rawValue)" }.joined(separator: " and "),
      remedy: hasMapping
        ? "give two mappings; 'heavylift check MAPPING --model MODEL' says whether a mapping fits its models"
        : "give two stores or two models; 'heavylift inspect STORE --model MODEL' says whether they belong together")
  }

  private func usage(_ code: String, _ problem: String) -> UsageError {
    UsageError(code, problem: problem, remedy: "write '\(Self.description.usage)'", commandName: Self.description.name)
  }
}
