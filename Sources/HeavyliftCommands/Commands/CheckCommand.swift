import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// `heavylift check FILE…`: reports every mistake in mappings and in all versions of models.
package struct CheckCommand: Command {
  package static let description = CommandDescription(
    name: "check", abstract: "Check object models and mappings for mistakes",
    discussion: """
      Reports all mistakes in one run, each with its location, a stable code and how to fix it. Checks every version \
      in a model bundle. An error is something that Xcode's compiler or Core Data rejects, or that silently loses \
      data. A warning is about something that they accept but that may surprise you. A note is for information only.

      A mapping is checked against the two models that it names. 'check' looks for them in the mapping's folder and \
      its parent folder, or in the paths given with --model, or in the whole folder if you pass one. Several mapping \
      files for the same two models run as passes that fill one store if each has pass="…"; a later pass may refer to \
      the entity mappings of earlier ones. Policies and functions are checked only by a tool that registers some (see 'heavylift migrate --help').

      With --stages, the given models are the versions, oldest first, and the tool's stages (see 'Staged migrations' in \
      the documentation) must lead from each version to the next. 'check' lists the steps, and reports those that no \
      mapping can be inferred for.

      With --since or --baseline, 'check' also compares the models with those that users have: a released version must \
      not change or disappear, a changed model needs a new version, and stores must be able to reach it. Findings about \
      files that have not changed since then are counted, not listed. All versions of the revision count as released \
      unless --released says which tags are releases. Models of tests and of libraries (Pods, Carthage) have no \
      releases. Findings that you accept go into the file .heavylift-check next to the project, one in a line: \
      'CODE PATH  # REASON'.

      Exits with 0 if there are no errors and with 2 if there are any; a file that is damaged, or is neither a model \
      nor a mapping, counts as an error. Exits with 1 if a file or folder does not exist or cannot be read, and so was \
      not checked.
      """,
    arguments: [
      .init(
        "FILE",
        help:
          "A model (.xcdatamodeld, .xcdatamodel, contents, .momd, .mom), a mapping (.xml, .xcmappingmodel, .cdm), or a "
          + "folder that contains models and mappings, such as an Xcode project.",
        isRepeatable: true)
    ],
    options: MappingOptions.options + [
      .init(flag: "stages", help: "Check the stages of this tool against the models, and list them."),
      .init(flag: "strict", help: "Treat warnings as errors."),
      .init("since", value: "REVISION", help: "Compare with this git revision, such as the branch to merge into."),
      .init(
        "released", value: "PATTERN", help: "Only versions in tags that match the pattern, such as 'v*', are released."),
      .init("baseline", value: "PATH", help: "Compare with a copy of the released project, or with a model of it."),
      .init("format", value: "FORMAT", help: "text, github, sarif, markdown, json or junit."),
    ],
    examples: [
      .init("check Library.xcdatamodeld", "Checks every version of the model."),
      .init("check MappingModels/Music/*.xml", "Checks mapping files against the models next to them."),
      .init("check MyApp", "Checks every model and mapping in a project."),
      .init("check . --since origin/main", "Checks what a branch changes, before it is merged."),
      .init("check --json *.xcdatamodeld", "Checks several models, for scripts."),
    ])

  /// The paths of the models and mappings, or of folders that contain them.
  package var files: [String]
  /// The locations of the mappings' models, and the versions to use.
  package var mappingOptions: MappingOptions
  /// True to treat warnings as errors.
  package var isStrict: Bool
  /// True to check the tool's stages against the models.
  package var checksStages: Bool
  /// The revision of the repository to compare with.
  private var since: String?
  /// The pattern of the tags whose versions are released.
  private var released: String?
  /// The copy of a released project, or a model of it, to compare with.
  private var copy: String?
  private var format: CheckReport.Format

  /// Creates the command.
  package init(
    files: [String], mappingOptions: MappingOptions = MappingOptions(), isStrict: Bool = false,
    checksStages: Bool = false, writesJSON: Bool = false
  ) {
    self.checksStages = checksStages
    self.files = files
    self.mappingOptions = mappingOptions
    self.isStrict = isStrict
    format = writesJSON ? .json : .text
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      files: arguments.values(ofArgument: "FILE"), mappingOptions: MappingOptions(arguments),
      isStrict: arguments.has("strict"), checksStages: arguments.has("stages"), writesJSON: arguments.has("json"))
    (since, released) = (arguments.value(ofOption: "since"), arguments.value(ofOption: "released"))
    copy = arguments.value(ofOption: "baseline")
    guard copy == nil || (since == nil && released == nil) else {
      throw UsageError(
        "contradicting-options", problem: "'--baseline' compares with a copy, '--since' and '--released' with git",
        remedy: "pass one of them", commandName: "check")
    }
    guard let name = arguments.value(ofOption: "format") else { return }
    guard let format = CheckReport.Format(rawValue: name) else {
      let known = CheckReport.Format.allCases.map(\.rawValue)
      throw UsageError(
        "unknown-format", problem: "there is no format '\(name.shown)'",
        remedy: known.suggestion(for: name, kind: "format"), commandName: "check")
    }
    self.format = format
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    let files = comparedFiles
    let check = ProjectCheck(files, mappingOptions, io, showsProgress: io.drawsProgress && format == .text)
    var places = CheckedPlaces(files, io.directory)
    places.add(check.models, io.directory)
    var report = CheckReport(io)
    var accepted = try AcceptedFindings(in: project(io), io)
    if let baseline = try baseline(check, places, io) {
      // The copy may be in the project's folder.
      let copy = copy.map { CheckedPlaces([$0], io.directory) }
      func isOwn(_ path: String) -> Bool { copy?.shown(CheckedPlaces.absolute(path, io.directory)) == nil }
      let (models, mappings) = (check.models.filter { isOwn($0.path) }, check.mappings.filter { isOwn($0.path) })
      report.compare(with: baseline, HistoryCheck(baseline, models, mappings, in: project(io), places, io))
    }
    for part in check.parts { report.add(part, accepting: &accepted) }
    report.addHistory(accepting: &accepted)
    if checksStages { report.add(StageCheck(files, io), about: "the stages") }
    report.add(accepted.mistakes + accepted.unused, about: AcceptedFindings.fileName)
    try report.write(format)
    // A file that cannot be read was not checked, so the command failed.
    if report.hasUnreadable { return .failure }
    return report.has(.error) || (isStrict && report.has(.warning)) ? .negative : .success
  }

  /// The files, each of them once. A history is that of a whole bundle, even if only one of its files is given, as by tools that
  /// run before a commit.
  private var comparedFiles: [String] {
    var seen: Set<String> = []
    return files.map { file in
      let parts = file.split(separator: "/", omittingEmptySubsequences: false)
      guard since != nil || released != nil || copy != nil,
        let bundle = parts.lastIndex(where: { $0.hasSuffix(".xcdatamodeld") })
      else { return file }
      return parts[...bundle].joined(separator: "/")
    }.filter { seen.insert($0).inserted }
  }

  /// The folder that the check is about: the first of the given ones.
  private func project(_ io: CommandIO) -> String {
    let folders = files.lazy.compactMap { try? ProjectFolder($0, io.directory, needsModels: false)?.path }
    return folders.first ?? (files.first.map(\.deletingLastPathComponent).flatMap { $0.isEmpty ? nil : $0 } ?? ".")
  }

  private func baseline(_ check: ProjectCheck, _ places: CheckedPlaces, _ io: CommandIO) throws -> Baseline? {
    if let copy {
      return try CopiedBaseline.read(
        copy, for: project(io), check.models.map(\.path) + check.mappings.map(\.path), io)
    }
    guard since != nil || released != nil else { return nil }
    return try GitBaseline.read(
      since: since, released: released, in: files.first ?? ".", places, check.models, io)
  }
}
