public import HeavyliftSchema

/// The versions of the sample schemas and their stages, for a tool.
///
/// The keys are the names of the bundles in `Frozen`.
public enum SampleVersions {
  /// The versions of each schema, oldest first.
  public static var all: [String: [ModelBundle.Version]] {
    get throws {
      [
        "Exercises": try ExercisesPlan.schemas.map { try ModelBundle.Version($0) },
        "Places": try PlacesPlan.schemas.map { try ModelBundle.Version($0) },
      ]
    }
  }

  /// The stages of each schema.
  public static var stages: [String: [MigrationStage]] {
    get throws {
      [
        "Exercises": try SchemaHistory(ExercisesPlan.self).stages.stages,
        "Places": try SchemaHistory(PlacesPlan.self).stages.stages,
      ]
    }
  }
}
