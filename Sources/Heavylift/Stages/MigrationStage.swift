/// A step in the history of a model, from one version to a later one.
///
/// A stage is a ``LightweightMigrationStage`` or a ``CustomMigrationStage``. Stages of other kinds are refused, because
/// the engine would have to skip them.
public class MigrationStage {
  /// The stage's name in plans and messages; `nil` to refer to the stage by its position.
  public var label: String?

  init(label: String?) { self.label = label }
}
