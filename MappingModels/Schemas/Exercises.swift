import Foundation
public import HeavyliftSchema

/// A training log in five versions: an optional attribute is added, then a required one, and then the sets that each
/// exercise holds as one value become objects of their own.
public enum ExercisesPlan: SchemaMigrationPlan {
  /// The day of the first release. No exercise is older.
  static let firstRelease = Date(timeIntervalSince1970: 1_700_000_000)

  public static var schemas: [any VersionedSchema.Type] {
    [ExercisesV1.self, ExercisesV2.self, ExercisesV3.self, ExercisesV4.self, ExercisesV5.self]
  }

  public static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: ExercisesV1.self, toVersion: ExercisesV2.self),
      .custom(fromVersion: ExercisesV2.self, toVersion: ExercisesV3.self) { context in
        for exercise in try context.fetch(ExercisesV3.Exercise.self) { exercise.createdAt = firstRelease }
      },
      .custom(fromVersion: ExercisesV3.self, toVersion: ExercisesV4.self, didMigrate: splitSets),
      .lightweight(fromVersion: ExercisesV4.self, toVersion: ExercisesV5.self),
    ]
  }

  /// Creates an object for each set, in the version that has both forms.
  private static func splitSets(in context: ModelContext) throws {
    for exercise in try context.fetch(ExercisesV4.Exercise.self) {
      for (position, summary) in exercise.legacySets.enumerated() {
        let set = try context.insert(ExercisesV4.PerformedSet.self)
        (set.position, set.repetitions, set.weight) = (position, summary.repetitions, summary.weight)
        set.exercise = exercise
      }
    }
  }
}

/// A set as the first versions store it, within an exercise.
struct SetSummary: Codable, Equatable {
  var repetitions: Int
  var weight: Double
}

public enum ExercisesV1: VersionedSchema {
  public static let versionIdentifier = Schema.Version(1, 0, 0)
  public static var models: [Entity.Type] { [Exercise.self] }

  final class Exercise: Entity {
    @Attribute(.unique) var name: String
    @Attribute var sets: [SetSummary] = []
  }
}

/// Adds an optional attribute.
public enum ExercisesV2: VersionedSchema {
  public static let versionIdentifier = Schema.Version(2, 0, 0)
  public static var models: [Entity.Type] { [Exercise.self] }

  final class Exercise: Entity {
    @Attribute(.unique) var name: String
    @Attribute var sets: [SetSummary] = []
    @Attribute var notes: String?
  }
}

/// Adds a required attribute without an initial value: the stage sets it.
public enum ExercisesV3: VersionedSchema {
  public static let versionIdentifier = Schema.Version(3, 0, 0)
  public static var models: [Entity.Type] { [Exercise.self] }

  final class Exercise: Entity {
    @Attribute(.unique) var name: String
    @Attribute var sets: [SetSummary] = []
    @Attribute var notes: String?
    @Attribute var createdAt: Date
  }
}

/// The bridge: has the sets in both forms.
public enum ExercisesV4: VersionedSchema {
  public static let versionIdentifier = Schema.Version(4, 0, 0)
  public static var models: [Entity.Type] { [Exercise.self, PerformedSet.self] }

  final class Exercise: Entity {
    @Attribute(.unique) var name: String
    @Attribute(originalName: "sets") var legacySets: [SetSummary] = []
    @Attribute var notes: String?
    @Attribute var createdAt: Date
    @Relationship(deleteRule: .cascade) var performedSets: Set<PerformedSet>
  }

  final class PerformedSet: Entity {
    @Attribute var position: Int
    @Attribute var repetitions: Int
    @Attribute var weight: Double
    @Relationship var exercise: Exercise?
  }
}

/// Has the sets as objects only.
public enum ExercisesV5: VersionedSchema {
  public static let versionIdentifier = Schema.Version(5, 0, 0)
  public static var models: [Entity.Type] { [Exercise.self, PerformedSet.self] }

  final class Exercise: Entity {
    @Attribute(.unique) var name: String
    @Attribute var notes: String?
    @Attribute var createdAt: Date
    @Relationship(deleteRule: .cascade) var performedSets: Set<PerformedSet>
  }

  final class PerformedSet: Entity {
    @Attribute var position: Int
    @Attribute var repetitions: Int
    @Attribute var weight: Double
    @Relationship var exercise: Exercise?
  }
}
