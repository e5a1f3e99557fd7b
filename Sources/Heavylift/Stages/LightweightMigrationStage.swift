import HeavyliftModel

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
  /// The checksums with version IDs.
  let identities: [String]

  /// Creates a stage.
  ///
  /// - Parameters:
  ///   - versionChecksums: The checksums of neighboring versions, oldest first. Xcode's build log prints them, and so
  ///     does `heavylift inspect`.
  ///   - label: The stage's name in plans and messages.
  public init(_ versionChecksums: [String], label: String? = nil) {
    self.versionChecksums = versionChecksums
    identities = versionChecksums
    super.init(label: label)
  }

  /// Creates a stage between versions of which some have the same checksum.
  ///
  /// - Parameters:
  ///   - versions: References to neighboring versions, oldest first.
  ///   - label: The stage's name in plans and messages.
  public init(versions: [ManagedObjectModelReference], label: String? = nil) {
    versionChecksums = versions.map(\.versionChecksum)
    identities = versions.map { StageIdentity.text($0.versionChecksum, $0.versionID) }
    super.init(label: label)
  }
}

/// The text that identifies a version among those that stages lead through: its checksum, and its version ID.
enum StageIdentity {
  static func text(_ checksum: String, _ id: String?) -> String {
    checksum + (id.map { ", version ID \($0.quotedName)" } ?? "")
  }
}

extension ManagedObjectModel {
  /// The checksum, with the version ID if the version has one.
  package var stageIdentity: String { StageIdentity.text(versionChecksum, versionID) }
}
