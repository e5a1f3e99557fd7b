public import HeavyliftModel

/// The consequences of inferring a hop across intermediate versions.
///
/// A jump is only taken if `IncrementalMigrationManager` was created with `allowsJumps: true`, or the tool was run with
/// `--allow-jumps`.
public struct MigrationJump: Hashable, Sendable {
  /// The names of the versions that the migration skips.
  public var skippedVersions: [String]
  /// The reasons why the hops that the jump replaces cannot be inferred.
  public var reasons: [Diagnostic]
  /// Mapping files between the skipped versions, which do not run.
  public var skippedFiles: [String]
  /// Stages with code between the skipped versions, and their handlers, which do not run.
  public var skippedStages: [String] = []
  /// Each difference between the jump and the same migration done version by version, in words.
  public var differences: [String]

  /// The lines as list items, for printing below a sentence.
  package var summary: String {
    let most = 12
    let rest = lines.count > most ? "\n    - and \(lines.count - most) more" : ""
    let shown = lines.isEmpty ? ["nothing that a store records is lost"] : Array(lines.prefix(most))
    return shown.map { "\n    - \($0)" }.joined() + rest
  }

  /// Everything that the jump skips, one line each.
  public var lines: [String] {
    reasons.map { "a skipped hop cannot be inferred: \($0.problem)" }
      + skippedFiles.map { "mapping file \($0.quotedName) does not run" }
      + skippedStages.map { "\($0) does not run" } + differences
  }
}
