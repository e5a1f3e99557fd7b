import Foundation
import Heavylift
import HeavyliftMapping
import HeavyliftModel

/// `heavylift prune BUNDLE`: moves old versions out of an app's bundle.
package struct PruneCommand: Command {
  package static let description = CommandDescription(
    name: "prune", abstract: "Move old versions out of an app's bundle",
    discussion: """
      Moves versions of BUNDLE, byte for byte, into a bundle of the same name in FOLDER, and the mapping files that lead \
      from or to them into FOLDER. As after 'schema freeze', the checksums of these versions are recorded, and tests can \
      go on using them. Nothing is overwritten, and if one file cannot be moved, all remain where they were.

      The current version stays. So does a version from which a mapping file leads over other versions to one that stays, \
      such as a file that 'squash' has written: its stores migrate as before.

      An app without the model of a version does not recognize its stores: it cannot migrate them, and must not delete \
      them. If a moved version was ever released, its users need an older version of the app first. 'prune' therefore \
      moves nothing without --accept-stranded. The tool can still migrate such a store, with both bundles.

      An Xcode project still lists the moved files; 'prune' names it, and does not change it.
      """,
    arguments: [.init("BUNDLE", help: "The app's .xcdatamodeld.")],
    options: [
      .init("keep", value: "NUMBER", help: "Keep this many of the newest versions."),
      .init("before", value: "VERSION", help: "Move all versions that are older than this one."),
      .init(
        "to", value: "FOLDER", help: "The folder, or the .xcdatamodeld, to move the versions to. Created if needed."),
      .init("mappings", value: "FOLDER", help: "The folder of the mapping files, if they are not next to the bundle."),
      .init(
        flag: "accept-stranded", help: "Move versions although the app will no longer recognize their stores."),
      .init(flag: "dry-run", help: "Move nothing, and show what would be moved."),
    ],
    examples: [
      .init(
        "prune Library.xcdatamodeld --keep 5 --to Frozen --dry-run",
        "Shows what moving all but five versions would cost."),
      .init(
        "prune Library.xcdatamodeld --before 'Library 30' --to Frozen --accept-stranded",
        "Moves the versions before Library 30."),
    ])

  /// The versions to keep.
  package enum Kept: Hashable, Sendable {
    case newest(Int)
    case from(version: String)
  }

  package var bundle: String
  package var kept: Kept
  /// The bundle to move the versions to.
  package var destination: String
  /// The folder of the mapping files; `nil` to look next to the bundle.
  package var mappings: String?
  package var acceptsStranded: Bool
  package var isDryRun: Bool
  package var writesJSON: Bool

  /// Creates the command.
  package init(
    _ bundle: String, keeping kept: Kept, to destination: String, mappings: String? = nil,
    acceptsStranded: Bool = false,
    isDryRun: Bool = false, writesJSON: Bool = false
  ) {
    self.bundle = bundle
    self.kept = kept
    self.destination = destination
    self.mappings = mappings
    self.acceptsStranded = acceptsStranded
    self.isDryRun = isDryRun
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    let (keep, before) = (arguments.value(ofOption: "keep"), arguments.value(ofOption: "before"))
    guard let destination = arguments.value(ofOption: "to"), (keep == nil) != (before == nil) else {
      throw UsageError(
        "missing-option", problem: "'prune' needs '--to', and either '--keep' or '--before'",
        remedy: "write 'prune BUNDLE --keep NUMBER --to FOLDER'", commandName: "prune")
    }
    let kept: Kept
    if let before {
      kept = .from(version: before)
    } else if let count = keep.flatMap(Int.init), count > 0 {
      kept = .newest(count)
    } else {
      throw UsageError(
        "bad-number", problem: "'--keep \((keep ?? "").shown)' is not a whole number of 1 or more",
        remedy: "write a number, such as '--keep 5'", commandName: "prune")
    }
    self.init(
      arguments[argument: "BUNDLE"], keeping: kept, to: destination, mappings: arguments.value(ofOption: "mappings"),
      acceptsStranded: arguments.has("accept-stranded"), isDryRun: arguments.has("dry-run"),
      writesJSON: arguments.has("json"))
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    let history = try BundleHistory(bundle, mappings: mappings, io)
    guard history.source.kind == .bundle else {
      throw Diagnostic(
        .error, code: "prune.not-a-bundle", problem: "\(bundle.quotedName) is not an .xcdatamodeld",
        remedy: "pass the bundle in the app's source; a compiled model is built from it")
    }
    let pruning = try VersionPruning(history, keeping: kept)
    let frozen = try FrozenVersions(path: frozenBundle, io)
    let moves = try VersionMoves(pruning, history, to: frozen, io)
    let obstacles = moves.obstacles(io)
    guard obstacles.isEmpty else { throw DiagnosticList(obstacles) }
    let refusal = acceptsStranded || isDryRun ? nil : pruning.refusal
    if !isDryRun, refusal == nil { try moves.carryOut(io) }
    let isDone = !isDryRun && refusal == nil && !pruning.pruned.isEmpty
    let projects = pruning.pruned.isEmpty ? [] : moves.projects(io)
    if writesJSON {
      try io.write(
        JSONValue.object([
          ("moved", .bool(isDone)), ("stays", .strings(pruning.kept.map(\.name))),
          ("versions", .strings(pruning.pruned.map(\.name))), ("stranded", .strings(pruning.stranded)),
          ("files", .array(moves.files.map { .object([("from", .string($0.from)), ("to", .string($0.to))]) })),
          ("projects", .strings(projects)), ("diagnostics", .array([refusal].compactMap { $0?.json })),
        ]).indented)
    } else {
      try io.write(lines: lines(pruning, moves, projects, isDone: isDone).map(\.shownLines))
      if let refusal { try io.writeError(lines: [refusal.description.shownLines]) }
    }
    return refusal == nil ? .success : .negative
  }

  /// The bundle to move the versions to: one of the same name if the destination is another folder.
  private var frozenBundle: String {
    let path = destination as NSString
    guard path.pathExtension != "xcdatamodeld" else { return destination }
    return path.appendingPathComponent((bundle as NSString).lastPathComponent)
  }

  private func lines(_ pruning: VersionPruning, _ moves: VersionMoves, _ projects: [String], isDone: Bool) -> [String] {
    guard !pruning.pruned.isEmpty else { return ["\(bundle): there is no version to move"] }
    let verb = isDone ? "moved" : "would move"
    var lines = ["\(verb) \(moves.files.count.counted("file or folder", "files and folders")):"]
    lines += moves.files.map { "  \($0.from) → \($0.to)" }
    lines.append("\(bundle) \(isDone ? "has" : "would have") \(pruning.kept.count.counted("version")):")
    lines += pruning.kept.map { version in
      "  '\(version.name)'" + (pruning.reasonToStay(version.name).map { ", because \($0)" } ?? "")
    }
    if !pruning.stranded.isEmpty {
      lines += [
        "the app \(isDone ? "no longer recognizes" : "would no longer recognize") stores of "
          + "\(pruning.stranded.quotedList); to migrate one with the tool:",
        "  heavylift migrate STORE -m . -m '\(frozenBundle)' -m '\(bundle)'",
      ]
    }
    lines += projects.map {
      "'\($0)' \(isDone ? "still lists" : "lists") moved files: remove them from the project in Xcode, or the build may fail"
    }
    return lines
  }
}
