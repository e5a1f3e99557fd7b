/// A stage without Swift code: each version is migrated to the next one with an inferred mapping.
///
/// ```swift
/// let stage = LightweightMigrationStage([music1.versionChecksum, music2.versionChecksum], label: "Add ratings")
/// ```
///
/// A stage with several versions migrates from each of them to the next one, so that a default value of a version in
/// between is applied. If one of two adjacent stages is lightweight, the step from the end of the first to the start of
/// the second is lightweight, too.
public final class LightweightMigrationStage: MigrationStage {
  /// The checksums of neighboring versions, oldest first.
  public let versionChecksums: [String]

  /// Creates a stage.
  ///
  /// - Parameters:
  ///   - versionChecksums: The checksums of neighboring versions, oldest first. Xcode's build log prints them, and so
  ///     does `heavylift inspect`.
  ///   - label: The stage's name in plans and messages.
  public init(_ versionChecksums: [String], label: String? = nil) {
    self.versionChecksums = versionChecksums
    super.init(label: label)
  }
}
