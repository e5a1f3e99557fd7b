import Foundation
import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// `heavylift squash BUNDLE`: writes one mapping file in place of many hops.
package struct SquashCommand: Command {
  package static let description = CommandDescription(
    name: "squash", abstract: "Write one mapping file in place of many hops",
    discussion: """
      Composes the mapping files that lead from one version to another, and the mappings that are inferred where there is \
      no file, into one mapping file. The file gives the same result for every store, and rejects the same stores. \
      Everything that a hop loses is dropped or removed by name, with a comment that says in which version.

      Some hops cannot be composed: those with a policy, a handler or a filter, and those whose version has a rule or a \
      conversion that the last version does not show. 'squash' then writes nothing, and lists the parts that can be \
      squashed on their own, with the hop and the reason between them. Exits with 2.

      With --store, also migrates a store of the first version both ways in a temporary folder, hop by hop and with the \
      new file, and compares the two results object by object, and what they lose. The file is written only if they are \
      the same. Otherwise, exits with 2.

      The file does not replace the models: a store is recognized by the model of its version. See 'prune' for which \
      versions can go.
      """,
    arguments: [.init("BUNDLE", help: "An .xcdatamodeld, or a .momd.")],
    options: [
      .init("from", value: "VERSION", help: "The version to start from; by default the first one."),
      .init("to", value: "VERSION", help: "The version to lead to; by default the current one."),
      .init("mappings", value: "FOLDER", help: "The folder of the mapping files, if they are not next to the bundle."),
      .init(
        "store", value: "STORE", isRepeatable: true, help: "A store of the first version to compare both ways with."),
      MappingOutput.option,
      .init(flag: "pin", help: "Record the exact model versions in the file, property by property."),
    ],
    examples: [
      .init("squash Library.xcdatamodeld -o 1-30.xml", "Writes a mapping from the first version to the current one."),
      .init(
        "squash Library.xcdatamodeld --from 'Library 4' --store Old.sqlite -o 4-30.xml",
        "Also compares the results for a store."),
    ])

  package var bundle: String
  package var sourceVersion: String?
  package var destinationVersion: String?
  /// The folder of the mapping files; `nil` to look next to the bundle.
  package var mappings: String?
  /// The stores to compare the results for.
  package var stores: [String]
  package var output: String?
  package var pins: Bool
  package var writesJSON: Bool

  /// Creates the command.
  package init(
    _ bundle: String, sourceVersion: String? = nil, destinationVersion: String? = nil, mappings: String? = nil,
    stores: [String] = [], output: String? = nil, pins: Bool = false, writesJSON: Bool = false
  ) {
    self.bundle = bundle
    self.sourceVersion = sourceVersion
    self.destinationVersion = destinationVersion
    self.mappings = mappings
    self.stores = stores
    self.output = output
    self.pins = pins
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      arguments[argument: "BUNDLE"], sourceVersion: arguments.value(ofOption: "from"),
      destinationVersion: arguments.value(ofOption: "to"), mappings: arguments.value(ofOption: "mappings"),
      stores: arguments.values(ofOption: "store"), output: arguments.value(ofOption: "output"),
      pins: arguments.has("pin"), writesJSON: arguments.has("json"))
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    let history = try BundleHistory(bundle, mappings: mappings, without: output, io)
    let (old, new) = try (
      history.version(named: sourceVersion) ?? history.versions[0],
      history.version(named: destinationVersion) ?? history.source.version(option: "--to")
    )
    guard old.name != new.name else {
      throw Diagnostic(
        .error, code: "squash.same-version", problem: "'\(old.name)' is both the first and the last version",
        remedy: "name two versions with --from and --to")
    }
    let squash = try MigrationSquash(
      from: old.model, to: new.model, of: history.models, mappings: history.search, stages: history.stages(io))
    guard var mapping = squash.mapping else { return try refuse(squash, history, io) }
    mapping.source = pins ? ModelReference(pinning: old.model, name: old.name) : ModelReference(name: old.name)
    mapping.destination = pins ? ModelReference(pinning: new.model, name: new.name) : ModelReference(name: new.name)
    let proof = SquashProof(squash.parts[0], mapping, history, io.code)
    let results = try stores.map { try proof.compare($0, io) }
    let isProved = results.allSatisfy(\.isSame)
    let output = MappingOutput(path: isProved ? self.output : nil)
    if writesJSON {
      let text = try MappingWriter.text(of: mapping)
      if isProved, self.output != nil { try output.write(mapping, to: io) }
      try io.write(
        JSONValue.object([
          ("output", .optional(isProved ? self.output : nil)), ("mapping", .optional(self.output == nil ? text : nil)),
          ("parts", .array(squash.parts.map(\.json))), ("stores", .array(results.map(\.json))),
        ]).indented)
      return isProved ? .success : .negative
    }
    if isProved { try output.write(mapping, to: io) }
    let lines = results.flatMap { $0.lines(TextStyle(isOn: false)) }
    // Without a file, the mapping alone is the output.
    if let file = self.output {
      let written = isProved ? "\(file): \(squash.parts[0].summary)" : "\(file) was not written"
      try io.write(lines: (lines + [written]).map(\.shownLines))
    } else if !lines.isEmpty {
      try io.writeError(lines: lines.map(\.shownLines))
    }
    return isProved ? .success : .negative
  }

  private func singleHop(_ hop: MigrationHop, _ history: BundleHistory) -> Diagnostic {
    var remedy = "there is nothing to squash; 'heavylift infer' writes a file for it"
    if case .files(let names) = hop.origin {
      let path = names.first.map(history.path) ?? ""
      remedy = "to squash the hops that it replaces again, write to that file: -o '\(path)'"
    }
    return Diagnostic(
      .error, code: "squash.single-hop", problem: "\(hop.title) is a single hop already, \(hop.reason)", remedy: remedy)
  }

  /// Reports the hops that prevent a single mapping, and the parts between them.
  private func refuse(_ squash: MigrationSquash, _ history: BundleHistory, _ io: CommandIO) throws -> ExitCode {
    if writesJSON {
      try io.write(
        JSONValue.object([
          ("output", .null), ("mapping", .null), ("parts", .array(squash.parts.map(\.json))), ("stores", .array([])),
        ]).indented)
      return .negative
    }
    guard let first = squash.parts.first, let last = squash.parts.last, squash.parts.count > 1 else {
      throw singleHop(squash.parts[0].hops[0], history)
    }
    let title = "'\(first.sourceModel.title)' → '\(last.destinationModel.title)'"
    let example = squash.parts.first { $0.mapping != nil }
    let cut = Diagnostic(
      .error, code: "squash.cut",
      problem: "\(title) cannot be one mapping; the fewest hops are \(squash.parts.count):"
        + squash.parts.enumerated().map { "\n  \($0 + 1). \($1.summary)" + ($1.cut.map { "\n     cut: \($0)" } ?? "") }
        .joined(),
      remedy: example.map {
        "squash the parts on their own, such as with --from '\($0.sourceModel.title)' --to '\($0.destinationModel.title)'"
      } ?? "keep the mapping files as they are")
    try io.writeError(lines: [cut.description.shownLines])
    return .negative
  }
}

extension MigrationSquash.Part {
  /// The hops that the part replaces, in words: `'Music 1' → 'Music 9' in one hop instead of 8 (7 inferred, by '2-3.xml')`.
  fileprivate var summary: String {
    guard hops.count > 1 else { return "\(title), \(hops[0].reason)" }
    let inferred = hops.count { $0.origin == .inferred }
    let others = hops.filter { $0.origin != .inferred }.map(\.reason)
    let origins = (inferred == 0 ? [] : [inferred == hops.count ? "all inferred" : "\(inferred) inferred"]) + others
    return "\(title) in one hop instead of \(hops.count) (\(origins.joined(separator: ", ")))"
  }

  fileprivate var json: JSONValue {
    .object([
      ("from", .string(sourceModel.title)), ("to", .string(destinationModel.title)), ("hops", .count(hops.count)),
      ("isSquashed", .bool(mapping != nil)),
      ("cut", cut.map { .object([("hop", .string($0.hop)), ("reason", .string($0.reason))]) } ?? .null),
    ])
  }
}
