import Heavylift
import HeavyliftVerification

/// `heavylift verify`: compares a migrated store with the old one.
package struct VerifyCommand: Command {
  package static let description = CommandDescription(
    name: "verify", abstract: "Recompute every value of a migrated store, and report differences",
    discussion: """
      Reads the old store, evaluates the mapping for each of its objects with a plain interpreter that shares no SQL \
      statements with the migration, and compares every attribute and every relationship with the new store. Also \
      reports what became of every old object: migrated, filtered out by a predicate, removed, or not mentioned in \
      the mapping.

      Object pairs come from the provenance that the migration recorded, or else from keys. What a policy decides \
      cannot be computed: where the result differs from what its mapping declares, the difference is counted, but is \
      not an error.

      What the stores contain besides objects is compared, too: the UUID, user_version, application_id, the app's \
      values in the metadata, and the rows of the app's own tables. The report says what was compared.

      Without --mapping, finds the models and the mappings as 'migrate' does, with --model or next to the old store. \
      With several hops, reruns them in a temporary folder, and verifies each hop on its own. That takes as long as \
      the migration, and needs the same policies. 'migrate --verify' does this during the migration.

      Exits with 0 if everything is as declared, and with 2 if anything differs. Both stores are opened read-only.
      """,
    arguments: [
      .init("OLD", help: "The old store.", alternative: "source"),
      .init("NEW", help: "The migrated store.", alternative: "destination"),
    ],
    options: [
      .init("source", value: "STORE", help: "The old store, in place of OLD."),
      .init("destination", value: "STORE", help: "The migrated store, in place of NEW."),
      .init(
        "mapping", value: "FILE", isRepeatable: true,
        help: "The mapping from one to the other; for several hops, one per hop, in order."),
      .init(
        "model", shortName: "m", value: "PATH", isRepeatable: true,
        help: "The models, or a folder that contains them and the mappings; by default those next to the mapping or "
          + "the old store."),
      .init("mappings", value: "FOLDER", help: "The folder of the mapping files, if they are not next to the models."),
      .init(
        "provenance", value: "FILE", help: "The provenance database that 'migrate --provenance' wrote."),
      .init("sample", value: "NUMBER", help: "Compute values only for every NUMBERth object."),
      .init(flag: "leave-behind", help: "Ignore tables that 'migrate --leave-behind' left behind."),
    ],
    examples: [
      .init("verify Before.sqlite Library.sqlite -m .", "Finds the models and the mappings, and checks every value."),
      .init("verify Before.sqlite Library.sqlite --mapping Mappings/1-2.xml", "Checks every value."),
    ])

  package var source: String
  package var destination: String
  /// The paths of the mappings; empty to find them.
  package var mappings: [String]
  package var models: [String]
  /// The folder of mapping files to search, if none are given.
  package var mappingFolder: String?
  package var provenance: String?
  /// Only every nth object's values are verified; 1 verifies all objects.
  package var stride: Int
  /// True to ignore tables that are not Core Data's.
  package var leavesBehind: Bool
  package var writesJSON: Bool

  /// Creates the command.
  package init(
    source: String, destination: String, mappings: [String] = [], models: [String] = [], mappingFolder: String? = nil,
    provenance: String? = nil, stride: Int = 1, leavesBehind: Bool = false, writesJSON: Bool = false
  ) {
    self.mappingFolder = mappingFolder
    self.leavesBehind = leavesBehind
    self.source = source
    self.destination = destination
    self.mappings = mappings
    self.models = models
    self.provenance = provenance
    self.stride = stride
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    let sample = arguments.value(ofOption: "sample") ?? "1"
    guard let stride = Int(sample), stride > 0 else {
      throw UsageError(
        "bad-number", problem: "'--sample \(sample.shown)' is not a whole number of 1 or more",
        remedy: "write a number, such as '--sample 100'", commandName: "verify")
    }
    let mappings = arguments.values(ofOption: "mapping")
    guard mappings.isEmpty || !arguments.has("mappings") else {
      throw UsageError(
        "useless-option", problem: "'--mappings' of 'verify' is the folder to search, but '--mapping' names the files",
        remedy: "omit one of them", commandName: "verify")
    }
    self.init(
      source: arguments.value(ofOption: "source") ?? arguments[argument: "OLD"],
      destination: arguments.value(ofOption: "destination") ?? arguments[argument: "NEW"],
      mappings: mappings, models: arguments.values(ofOption: "model"),
      mappingFolder: arguments.value(ofOption: "mappings"), provenance: arguments.value(ofOption: "provenance"),
      stride: stride, leavesBehind: arguments.has("leave-behind"), writesJSON: arguments.has("json"))
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    if mappings.isEmpty { return try verifyFound(io) }
    let sources = try mappings.map { try MappingSource(path: $0, url: io.url($0)) }
    let read = ModelSources(io)
    let found = try sources.map { try MappedModels(of: $0, models: models, read) }
    for note in found.flatMap(\.notes) { try io.writeError(lines: [note.description.shownLines]) }
    guard let first = found.first, let last = found.last else { return .usage }
    let chain = ChainVerification(Array(zip(sources, found).map { (source: $0, models: $1) }))
    let versions = VerifiedStores(
      old: source, new: destination, source: first.source, destination: last.destination, mappings: mappings)
    if chain.hops.count > 1 {
      try refuseProvenance(ofHops: chain.hops.count)
      let manager = try chain.manager(io.code, hopOptions)
      try versions.requireVersions(io)
      return try rerun(manager, count: chain.hops.count, to: last.destination.model, io)
    }
    try versions.requireVersions(io)
    return try verifyHop(
      try sources.map { try $0.validMappingModel() }, from: first.source.model, to: last.destination.model, io)
  }

  /// Verifies with the models and mappings that a migration would find.
  private func verifyFound(_ io: CommandIO) throws -> ExitCode {
    let project = try MigrationProject(
      MigrationInput(
        store: source, models: models, mappings: mappingFolder, infersMissing: true, leavesBehind: leavesBehind), io)
    let manager = project.manager
    let file = try StoreFile(url: io.url(destination), mode: .readOnly)
    defer { try? file.close() }
    let version = try file.model(among: manager.models).model
    let plan: IncrementalMigrationPlan
    do {
      plan = try manager.chainPlan(for: io.url(source), to: version)
    } catch let error as MigrationError {
      let old = try PersistentStore(url: io.url(source), models: manager.models, mode: .readOnly)
      defer { try? old.close() }
      guard (try? manager.chainPlan(for: io.url(destination), to: old.model)) != nil else { throw error }
      throw VerifiedStores.exchanged(source, destination)
    }
    guard !plan.isCurrent else {
      throw Diagnostic(
        .error, code: "verify.same-version",
        problem: "both stores have version '\(version.title)': no migration leads from one to the other",
        remedy: "name the store as it was before the migration first; 'diff' compares two stores of one version")
    }
    if let stage = plan.hops.lazy.compactMap(\.stage).first(where: { !$0.handlers.isEmpty }) {
      throw Diagnostic(
        .error, code: "verify.handlers",
        problem: "\(stage.title) has handlers, whose results cannot be verified afterwards",
        remedy: "verify while you migrate, with 'migrate --verify', which compares the changes of structure")
    }
    if plan.hops.count > 1 {
      try refuseProvenance(ofHops: plan.hops.count)
      return try rerun(manager, count: plan.hops.count, to: version, io)
    }
    return try verifyHop(plan.hops[0].mappings, from: plan.version, to: version, io)
  }

  private var hopOptions: MigrationOptions {
    var options = MigrationOptions()
    if leavesBehind { options.unknownTables = .leaveBehind }
    return options
  }

  private func verifyHop(
    _ mappings: [MappingModel], from sourceModel: ManagedObjectModel, to destinationModel: ManagedObjectModel,
    _ io: CommandIO
  ) throws -> ExitCode {
    let old = try PersistentStore(url: io.url(source), models: [sourceModel], mode: .readOnly)
    defer { try? old.close() }
    let new = try PersistentStore(url: io.url(destination), models: [destinationModel], mode: .readOnly)
    defer { try? new.close() }
    var verifier = StoreVerifier(
      source: old, destination: new, mappings: mappings, policies: io.code.policies, functions: io.code.functions,
      provenance: try provenance.map { try MigrationProvenance(contentsOf: io.url($0)) })
    (verifier.stride, verifier.options) = (stride, hopOptions)
    let told = VerificationText(try verifier.verify())
    writesJSON ? try io.write(told.json.indented) : try io.write(lines: told.lines(TextStyle(io)))
    return told.report.isClean ? .success : .negative
  }

  private func refuseProvenance(ofHops count: Int) throws {
    guard provenance != nil else { return }
    throw Diagnostic(
      .error, code: "verify.chain-provenance",
      problem: "a chain of \(count) hops is verified hop by hop, without '--provenance'",
      remedy: "omit '--provenance'")
  }

  private func rerun(
    _ manager: IncrementalMigrationManager, count: Int, to version: ManagedObjectModel, _ io: CommandIO
  ) throws -> ExitCode {
    let rerun = HopRerun(
      manager: manager, count: count, version: version, code: io.code, options: hopOptions, stride: stride)
    let hops = try rerun.verify(io.url(source), io.url(destination))
      .map { (title: $0.title, text: VerificationText($0.report)) }
    if writesJSON {
      let list = hops.map { JSONValue.object([("hop", .string($0.title)), ("report", $0.text.json)]) }
      try io.write(JSONValue.object([("hops", .array(list))]).indented)
    } else {
      let style = TextStyle(io)
      let blocks = hops.map { [style.bold($0.title), ""] + $0.text.lines(style) }
      try io.write(lines: Array(blocks.joined(separator: [""])))
    }
    return hops.allSatisfy(\.text.report.isClean) ? .success : .negative
  }
}
