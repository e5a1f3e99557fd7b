/// The arguments that `migrate` and `plan` share: the store to migrate, and the files and options for doing so.
package struct MigrationInput: Hashable, Sendable {
  /// The path of the store.
  package var store: String
  /// Paths of models, oldest first, or of one folder that contains the store's model and its mappings somewhere below
  /// it; empty to look next to the mappings or the store.
  package var models: [String]
  /// The folder of mapping files; `nil` to look next to the models, or in the folder that contains them.
  package var mappings: String?
  /// Mapping files that take precedence over all others for their versions, in the order in which they run.
  package var mappingFiles: [String]
  /// The version to migrate to; `nil` for the current version of the last bundle.
  package var version: String?
  /// The configuration of the new store; `nil` for that of the old one.
  package var configuration: String?
  /// True to infer missing mappings.
  package var infersMissing: Bool
  /// True if an inferred mapping may skip versions in between.
  package var allowsJumps: Bool
  /// The path of the new store; `nil` to replace the old one.
  package var destination: String?
  /// The path under which to keep the old store.
  package var backup: String?
  /// The file for the provenance, which lists the objects that result from each old object.
  package var provenance: String?
  /// True if a value whose external file is missing stops the migration.
  package var isStrict: Bool
  /// True to leave behind anything in the store that is not in its model.
  package var leavesBehind: Bool
  /// True to migrate a damaged store as far as it can be read.
  package var acceptsDamage: Bool
  /// True to write every table anew, even if most of them stay the same.
  package var startsFresh: Bool
  /// True to change the store itself in one transaction instead of replacing it.
  package var isInPlace: Bool
  /// True to drop tables and columns that are no longer needed later; only for a migration in place.
  package var defersCleanup: Bool

  /// Creates an input.
  package init(
    store: String, models: [String] = [], mappings: String? = nil, mappingFiles: [String] = [], version: String? = nil,
    configuration: String? = nil, infersMissing: Bool = false, allowsJumps: Bool = false, destination: String? = nil,
    backup: String? = nil,
    provenance: String? = nil, isStrict: Bool = false, leavesBehind: Bool = false,
    acceptsDamage: Bool = false, startsFresh: Bool = false, isInPlace: Bool = false, defersCleanup: Bool = false
  ) {
    self.store = store
    self.models = models
    self.mappings = mappings
    self.mappingFiles = mappingFiles
    self.version = version
    self.configuration = configuration
    self.infersMissing = infersMissing
    self.allowsJumps = allowsJumps
    self.destination = destination
    self.backup = backup
    self.provenance = provenance
    self.isStrict = isStrict
    self.leavesBehind = leavesBehind
    self.acceptsDamage = acceptsDamage
    self.startsFresh = startsFresh
    self.isInPlace = isInPlace
    self.defersCleanup = defersCleanup
  }

  init(_ arguments: ParsedArguments, command: String) throws(UsageError) {
    self.init(
      store: arguments[argument: "STORE"], models: arguments.values(ofOption: "model"),
      mappings: arguments.value(ofOption: "mappings"), mappingFiles: arguments.values(ofOption: "mapping"),
      version: arguments.value(ofOption: "version"),
      configuration: arguments.value(ofOption: "configuration"), infersMissing: arguments.has("infer"),
      allowsJumps: arguments.has("allow-jumps"), destination: arguments.value(ofOption: "to"),
      backup: arguments.value(ofOption: "backup"), provenance: arguments.value(ofOption: "provenance"),
      isStrict: arguments.has("strict"), leavesBehind: arguments.has("leave-behind"),
      acceptsDamage: arguments.has("accept-damage"), startsFresh: arguments.has("fresh"),
      isInPlace: arguments.has("in-place"), defersCleanup: arguments.has("defer-cleanup"))
    guard infersMissing || !allowsJumps else {
      throw UsageError(
        "useless-option", problem: "option '--allow-jumps' of '\(command)' needs '--infer', because jumps are inferred",
        remedy: "use both or neither", commandName: command)
    }
    guard isInPlace || !defersCleanup else {
      throw UsageError(
        "useless-option",
        problem: "option '--defer-cleanup' of '\(command)' needs '--in-place': a new store has nothing to clean up",
        remedy: "use both or neither", commandName: command)
    }
    guard destination == nil || !isInPlace else {
      throw UsageError(
        "useless-option", problem: "option '--in-place' of '\(command)' changes the store itself",
        remedy: "omit '--to', or omit '--in-place' to create a new store", commandName: command)
    }
    guard destination == nil || backup == nil else {
      throw UsageError(
        "useless-option", problem: "option '--backup' of '\(command)' is only for a store that is replaced",
        remedy: "omit '--backup': with '--to', the old store remains where it is", commandName: command)
    }
  }

  static let arguments: [CommandDescription.Argument] = [.init("STORE", help: "The store's file.")]

  static let options: [CommandDescription.Option] = [
    .init(
      "model", shortName: "m", value: "PATH", isRepeatable: true,
      help:
        "The versions of the model, oldest first, or a folder that contains the store's model and its mappings, such as "
        + "an Xcode project; by default the models next to the mappings or the store."
    ),
    .init("mappings", value: "FOLDER", help: "The folder of the mapping files, if they are not next to the models."),
    .init(
      "mapping", value: "FILE", isRepeatable: true,
      help:
        "The mapping file to use if several exist for the same versions. If you name several, they run as passes, in the "
        + "order given."),
    .init("version", value: "NAME", help: "The version to migrate to, if not the model's current one."),
    .init(
      "configuration", value: "NAME",
      help: "The model configuration of the new store, if the old one has another or none."),
    .init(flag: "infer", help: "Infer the mapping of a hop that has no mapping file."),
    .init(
      flag: "allow-jumps",
      help: "With --infer, jump over versions whose mappings cannot be inferred; 'plan' shows what that skips."),
    .init(flag: "strict", help: "Stop if the store refers to objects or external files that are missing."),
    .init(
      flag: "leave-behind",
      help: "Drop anything in the store that is not in its model, with a warning for each."),
    .init(
      flag: "accept-damage",
      help:
        "Migrate what can be read of a damaged store, and list what cannot. Without this option, 'migrate' refuses a "
        + "damaged store."
    ),
    .init(
      flag: "fresh",
      help: "Write every table anew. Without this option, a store of which most stays the same starts as a copy of the "
        + "old one."),
    .init(
      flag: "in-place",
      help: "Change the store itself, in one transaction, instead of replacing it with a new one. Only for hops whose "
        + "mapping is inferred; needs no space for another store."),
    .init(
      flag: "defer-cleanup",
      help: "With --in-place, only rename the tables and columns that are no longer needed. 'finish-cleanup' or the "
        + "next migration drops them."),
    .init("to", value: "FILE", help: "Create the new store at FILE, and leave the old one unchanged."),
    .init("backup", value: "FILE", help: "Keep the old store as FILE."),
    .init(
      "provenance", value: "FILE",
      help: "Write a database of the new objects that each old object became, or JSON lines if the name ends in "
        + "'.jsonl'."),
  ]
}
