import Heavylift

/// The versions of a schema, and the stages that lead from each version to the next.
///
/// ```swift
/// enum MusicPlan: SchemaMigrationPlan {
///   static var schemas: [any VersionedSchema.Type] { [MusicV1.self, MusicV2.self] }
///   static var stages: [MigrationStage] {
///     [
///       .custom(fromVersion: MusicV1.self, toVersion: MusicV2.self) { context in
///         for track in try context.fetch(MusicV2.Track.self) { track.addedAt = Date() }
///       }
///     ]
///   }
/// }
///
/// let container = try ModelContainer(for: MusicV2.self, migrationPlan: MusicPlan.self, at: url)
/// ```
///
/// Declare `stages` as a computed property: a stage contains closures, so it is not `Sendable` and cannot be a static
/// constant. A ``SchemaHistory`` checks the plan.
public protocol SchemaMigrationPlan {
  /// All versions whose stores can be migrated, oldest first.
  static var schemas: [any VersionedSchema.Type] { get }
  /// One stage for each version and the next one, oldest first.
  ///
  /// No stage is implied: a pair of versions without a stage is an error.
  static var stages: [MigrationStage] { get }
}
