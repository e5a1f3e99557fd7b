/// Which store is to be migrated, and where what that takes is found: what `migrate` and `plan` have in common.
public struct MigrationInput: Hashable, Sendable {
  /// The path of the store.
  public var store: String
  /// Paths of models, the oldest first; empty to look beside the mappings or the store.
  public var models: [String]
  /// The folder of mapping files; nil to look beside the models.
  public var mappings: String?
  /// Mapping files that go before all others for their versions, in the order in which they run.
  public var mappingFiles: [String]
  /// The version that is wanted; nil for the current one of the last bundle.
  public var version: String?
  /// Whether mappings that nobody has written are inferred.
  public var infersMissing: Bool
  /// Whether a mapping may be inferred over versions in between.
  public var allowsJumps: Bool
  /// Where the new store is to be; nil for the old one's place.
  public var destination: String?
  /// Where the old store is to stay.
  public var backup: String?
  /// Where to leave which objects came of which.
  public var provenance: String?
  /// Whether a value whose external file is missing stops the migration.
  public var isStrict: Bool
  /// True if what the store holds besides the objects of its model is left behind where it cannot be carried over.
  public var leavesBehind: Bool
  /// True if a damaged store is migrated as far as it can be read.
  public var acceptsDamage: Bool

  /// Creates an input.
  public init(
    store: String, models: [String] = [], mappings: String? = nil, mappingFiles: [String] = [], version: String? = nil,
    infersMissing: Bool = false, allowsJumps: Bool = false, destination: String? = nil, backup: String? = nil,
    provenance: String? = nil, isStrict: Bool = false, leavesBehind: Bool = false,
    acceptsDamage: Bool = false
  ) {
    self.store = store
    self.models = models
    self.mappings = mappings
    self.mappingFiles = mappingFiles
    self.version = version
    self.infersMissing = infersMissing
    self.allowsJumps = allowsJumps
    self.destination = destination
    self.backup = backup
    self.provenance = provenance
    self.isStrict = isStrict
    self.leavesBehind = leavesBehind
    self.acceptsDamage = acceptsDamage
  }

  init(_ arguments: ParsedArguments, command: String) throws(UsageError) {
    self.init(
      store: arguments[argument: "STORE"], models: arguments.values(ofOption: "model"),
      mappings: arguments.value(ofOption: "mappings"), mappingFiles: arguments.values(ofOption: "mapping"),
      version: arguments.value(ofOption: "version"), infersMissing: arguments.has("infer"),
      allowsJumps: arguments.has("allow-jumps"), destination: arguments.value(ofOption: "to"),
      backup: arguments.value(ofOption: "backup"), provenance: arguments.value(ofOption: "provenance"),
      isStrict: arguments.has("strict"), leavesBehind: arguments.has("leave-behind"),
      acceptsDamage: arguments.has("accept-damage"))
    guard infersMissing || !allowsJumps else {
      throw UsageError(
        "useless-option", problem: "option '--allow-jumps' of '\(command)' needs '--infer': a jump is inferred",
        remedy: "write both, or leave it out", commandName: command)
    }
    guard destination == nil || backup == nil else {
      throw UsageError(
        "useless-option", problem: "option '--backup' of '\(command)' is for a store that is replaced",
        remedy: "leave it out: with '--to' the old store stays where it is", commandName: command)
    }
  }

  static let arguments: [CommandDescription.Argument] = [.init("STORE", help: "The store's file.")]

  static let options: [CommandDescription.Option] = [
    .init(
      "model", shortName: "m", value: "PATH", isRepeatable: true,
      help:
        "The versions of the model, the oldest first; without it they are looked for beside the mappings or the store."
    ),
    .init("mappings", value: "FOLDER", help: "Where the mapping files are, if not beside the models."),
    .init(
      "mapping", value: "FILE", isRepeatable: true,
      help:
        "The mapping file to use for its versions, where several are; several for the same versions run as passes, in "
        + "this order."),
    .init("version", value: "NAME", help: "The version that is wanted, if not the model's current one."),
    .init(flag: "infer", help: "Infer the mapping of a hop that no mapping file is for."),
    .init(
      flag: "allow-jumps",
      help: "With --infer, migrate past versions for which nothing can be inferred; 'plan' shows what that skips."),
    .init(flag: "strict", help: "Stop if the store refers to objects or external files that are missing."),
    .init(
      flag: "leave-behind",
      help: "Leave behind what the store holds besides the objects of its model, each with a warning."),
    .init(
      flag: "accept-damage",
      help: "Migrate what can be read of a damaged store, and list what cannot; 'migrate' refuses one otherwise."),
    .init("to", value: "FILE", help: "Make a new store there, and leave the old one as it is."),
    .init("backup", value: "FILE", help: "Keep the old store there."),
    .init(
      "provenance", value: "FILE",
      help: "Leave there which objects came of which: a database, or lines of JSON if the name ends in '.jsonl'."),
  ]
}
