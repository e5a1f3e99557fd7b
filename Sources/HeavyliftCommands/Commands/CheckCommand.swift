import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// `heavylift check FILE…`: everything that is wrong with models, every version of them, and with mappings.
public struct CheckCommand: Command {
  public static let description = CommandDescription(
    name: "check", abstract: "Check object models and mappings for mistakes",
    discussion: """
      All mistakes are told at once, each with its place, a stable code and what to do. Of a model bundle every version \
      is checked. An error is something that Xcode's compiler or Core Data refuses, or that loses data without anybody \
      having said so; a warning is accepted but surprises, a note is for whoever wants to know.

      A mapping is checked with the two models that it names. They are looked for in its folder and the one above, or \
      where --model says. Files for the same two models are passes into one store if each says so with pass="…": a later \
      one may name the entity mappings of those before it. Policies and functions are known in a tool that has registered some (see 'heavylift migrate \
      --help'); elsewhere nothing is said of them.

      Exits with 0 if there is no error and with 2 if there is one; that a file is damaged, or neither a model nor a \
      mapping, is one. Exits with 1 if a file or folder is not there or may not be read, as that one was not checked.
      """,
    arguments: [
      .init(
        "FILE",
        help:
          "A model (.xcdatamodeld, .xcdatamodel, contents, .momd, .mom) or a mapping (.xml, .xcmappingmodel, .cdm).",
        isRepeatable: true)
    ],
    options: MappingOptions.options + [.init(flag: "strict", help: "Say no to warnings, too.")],
    examples: [
      .init("check Library.xcdatamodeld", "Checks every version of the model."),
      .init("check MappingModels/Music/*.xml", "Checks mapping files with the models beside them."),
      .init("check --json *.xcdatamodeld", "The same for scripts, and for several models."),
    ])

  /// The paths of the models and mappings.
  public var files: [String]
  /// Where the models of mappings are, and which versions are meant.
  public var mappingOptions: MappingOptions
  /// Whether a warning is as bad as an error.
  public var isStrict: Bool
  public var writesJSON: Bool

  /// Creates the command.
  public init(
    files: [String], mappingOptions: MappingOptions = MappingOptions(), isStrict: Bool = false, writesJSON: Bool = false
  ) {
    self.files = files
    self.mappingOptions = mappingOptions
    self.isStrict = isStrict
    self.writesJSON = writesJSON
  }

  public init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      files: arguments.values(ofArgument: "FILE"), mappingOptions: MappingOptions(arguments),
      isStrict: arguments.has("strict"), writesJSON: arguments.has("json"))
  }

  public func run(_ io: CommandIO) throws -> ExitCode {
    var findings = FindingList()
    var mappings: [CheckedPasses.File] = []
    // What was found in each file, with the place of those that are checked once all of them are known.
    var found: [[(name: String, diagnostic: Diagnostic)]?] = []
    for file in files {
      // A file that cannot be read at all is a finding like any other: the next ones are checked all the same.
      do {
        guard let mapping = try mapping(file, io) else {
          found.append(try check(model: file, io))
          continue
        }
        do {
          mappings.append(
            CheckedPasses.File(name: file, source: mapping, models: try mappingOptions.models(of: mapping, io)))
          found.append(nil)
        } catch {
          found.append((mapping.diagnostics + ErrorReport(error).diagnostics).map { (file, $0) })
        }
      } catch {
        found.append(ErrorReport(error).diagnostics.map { (file, $0) })
      }
    }
    var passes = CheckedPasses(mappings) { file in
      let folder = file.source.path.deletingLastPathComponent
      return (try? MappingFolder(contentsOf: io.url(folder), file: folder))?.candidates ?? []
    }
    var checked = passes.files.makeIterator()
    for known in found {
      if let known {
        findings.add(known.map { ($0.name, $0.diagnostic) })
      } else if let file = checked.next() {
        findings.add(check(file, &passes, io) + passes.mistakes[file.name, default: []], about: file.name)
      }
    }
    try findings.write(to: io, asJSON: writesJSON)
    // What is not there was not checked.
    if findings.hasUnreadable { return .failure }
    return findings.has(.error) || (isStrict && findings.has(.warning)) ? .negative : .success
  }

  private func mapping(_ path: String, _ io: CommandIO) throws -> MappingSource? {
    try MappingSource.kind(path, io.url(path)) == nil ? nil : MappingSource(path: path, url: io.url(path))
  }

  /// Names that stand in a file are wrong whatever else is; what a file with mistakes lacks may only be misspelt in it.
  private static let codesOfWrittenNames: Set<String> = [
    "mapping.unknown-entity", "mapping.unknown-property", "expression.unknown-key", "mapping.swapped-models",
  ]

  /// What is wrong with a mapping; what only follows from a file's own mistakes is not reported.
  private func check(_ file: CheckedPasses.File, _ passes: inout CheckedPasses, _ io: CommandIO) -> [Diagnostic] {
    let mapping = file.source
    // A compiled file has no lines.
    let environment = io.code.checkEnvironment(
      for: mapping.mappingModel, file: mapping.kind == .compiled ? nil : mapping.path, isComplete: !io.code.isEmpty)
    let found = passes.complete(file).check(environment)
    // What Xcode left empty is reported once, with what to do about it.
    let idle = Set(found.filter { $0.code == "mapping.missing-side" }.map(\.location))
    let read = mapping.diagnostics.filter { $0.code != "mapping-file.empty-mapping" || !idle.contains($0.location) }
    return read.hasErrors
      ? read + found.filter { Self.codesOfWrittenNames.contains($0.code) }
      : read + file.models.notes + found + unknownPolicies(in: mapping, io)
  }

  /// A tool without any policies cannot know which of them a program has.
  private func unknownPolicies(in mapping: MappingSource, _ io: CommandIO) -> [Diagnostic] {
    let names = Set(mapping.mappingModel.entityMappings.compactMap(\.policyClassName)).sorted()
    guard io.code.isEmpty, !names.isEmpty else { return [] }
    return [
      Diagnostic(
        .note, code: "mapping.unchecked-policy",
        problem: "this tool has no policies, so it cannot know whether \(names.quotedList) "
          + "\(names.count == 1 ? "exists" : "exist")",
        remedy: "to have them checked, too, run 'check' in a tool of your own that registers them")
    ]
  }

  private func check(model path: String, _ io: CommandIO) throws -> [(name: String, diagnostic: Diagnostic)] {
    let source = try ModelSource(path: path, url: io.url(path))
    return source.diagnostics.map { (path, $0) }
      + source.versions.flatMap { version in
        let name = source.versions.count > 1 ? "\(path), version '\(version.name)'" : path
        return version.model.check().map { (name, $0) }
      }
  }
}
