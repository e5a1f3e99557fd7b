import Heavylift
import HeavyliftVerification

/// `heavylift verify`: compares a migrated store with the old one.
public struct VerifyCommand: Command {
  public static let description = CommandDescription(
    name: "verify", abstract: "Recompute every value of a migrated store, and report differences",
    discussion: """
      Reads the old store, evaluates the mapping for each of its objects with a plain interpreter that shares no SQL \
      statements with the migration, and compares every attribute and every relationship with the new store. Also \
      reports what became of every old object: migrated, filtered out by a predicate, removed, or not mentioned in \
      the mapping.

      Object pairs come from the provenance that the migration recorded, or else from keys. What a policy decides \
      cannot be computed: where the result differs from what its mapping declares, the difference is counted, but is \
      not an error.

      Given the mappings of several hops, reruns all hops but the last in a temporary folder, and verifies each \
      hop on its own. That takes as long as the migration, and needs the same policies. 'migrate --verify' does \
      this during the migration.

      Exits with 0 if everything is as declared, and with 2 if anything differs. Both stores are opened read-only.
      """,
    options: [
      .init("source", value: "STORE", help: "The old store."),
      .init("destination", value: "STORE", help: "The migrated store."),
      .init(
        "mapping", value: "FILE", isRepeatable: true,
        help: "The mapping from one to the other; for several hops, one per hop, in order."),
      .init(
        "model", shortName: "m", value: "PATH", isRepeatable: true,
        help: "The mapping's models, or a folder that contains them; by default those next to the mapping."),
      .init(
        "provenance", value: "FILE", help: "The provenance database that 'migrate --provenance' wrote."),
      .init("sample", value: "NUMBER", help: "Compute values only for every NUMBERth object."),
    ],
    examples: [
      .init(
        "verify --source Before.sqlite --destination Library.sqlite --mapping Mappings/1-2.xml",
        "Checks every value.")
    ])

  public var source: String
  public var destination: String
  public var mappings: [String]
  public var models: [String]
  public var provenance: String?
  /// Only every nth object's values are verified; 1 verifies all objects.
  public var stride: Int
  public var writesJSON: Bool

  /// Creates the command.
  public init(
    source: String, destination: String, mappings: [String], models: [String] = [], provenance: String? = nil,
    stride: Int = 1, writesJSON: Bool = false
  ) {
    self.source = source
    self.destination = destination
    self.mappings = mappings
    self.models = models
    self.provenance = provenance
    self.stride = stride
    self.writesJSON = writesJSON
  }

  public init(_ arguments: ParsedArguments) throws(UsageError) {
    func required(_ option: String, _ value: String?) throws(UsageError) -> String {
      if let value { return value }
      throw UsageError(
        "missing-option", problem: "'verify' needs '--\(option)'",
        remedy: "write 'verify --source STORE --destination STORE --mapping FILE'", commandName: "verify")
    }
    let sample = arguments.value(ofOption: "sample") ?? "1"
    guard let stride = Int(sample), stride > 0 else {
      throw UsageError(
        "bad-number", problem: "'--sample \(sample.shown)' is not a whole number of 1 or more",
        remedy: "write a number, such as '--sample 100'", commandName: "verify")
    }
    let mappings = arguments.values(ofOption: "mapping")
    _ = try required("mapping", mappings.first)
    self.init(
      source: try required("source", arguments.value(ofOption: "source")),
      destination: try required("destination", arguments.value(ofOption: "destination")), mappings: mappings,
      models: arguments.values(ofOption: "model"), provenance: arguments.value(ofOption: "provenance"),
      stride: stride, writesJSON: arguments.has("json"))
  }

  public func run(_ io: CommandIO) throws -> ExitCode {
    let sources = try mappings.map { try MappingSource(path: $0, url: io.url($0)) }
    let found = try sources.map { try MappedModels(of: $0, models: models, io) }
    for note in found.flatMap(\.notes) { try io.writeError(note.description.shownLines + "\n") }
    guard let first = found.first else { return .usage }
    let chain = ChainVerification(Array(zip(sources, found).map { (source: $0, models: $1) }))
    if chain.hops.count > 1 { return try verify(chain, io) }
    let old = try PersistentStore(url: io.url(source), models: [first.source.model], mode: .readOnly)
    defer { try? old.close() }
    let new = try PersistentStore(url: io.url(destination), models: [first.destination.model], mode: .readOnly)
    defer { try? new.close() }
    var verifier = StoreVerifier(
      source: old, destination: new, mappings: try sources.map { try $0.validMappingModel() },
      policies: io.code.policies, functions: io.code.functions,
      provenance: try provenance.map { try MigrationProvenance(contentsOf: io.url($0)) })
    verifier.stride = stride
    let told = VerificationText(try verifier.verify())
    try io.write(writesJSON ? told.json.indented : told.lines(TextStyle(io)).joined(separator: "\n") + "\n")
    return told.report.isClean ? .success : .negative
  }

  private func verify(_ chain: ChainVerification, _ io: CommandIO) throws -> ExitCode {
    guard provenance == nil else {
      throw Diagnostic(
        .error, code: "verify.chain-provenance",
        problem: "a chain of \(chain.hops.count) hops is verified hop by hop, without '--provenance'",
        remedy: "omit '--provenance'")
    }
    let hops = try chain.verify(io.url(source), io.url(destination), code: io.code, stride: stride)
      .map { (title: $0.title, text: VerificationText($0.report)) }
    if writesJSON {
      let list = hops.map { JSONValue.object([("hop", .string($0.title)), ("report", $0.text.json)]) }
      try io.write(JSONValue.object([("hops", .array(list))]).indented)
    } else {
      let style = TextStyle(io)
      let blocks = hops.map { ([style.bold($0.title), ""] + $0.text.lines(style)).joined(separator: "\n") }
      try io.write(blocks.joined(separator: "\n\n") + "\n")
    }
    return hops.allSatisfy(\.text.report.isClean) ? .success : .negative
  }
}
