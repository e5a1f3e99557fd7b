/// A stage that a layer above the engine describes in its own terms, such as the Swift classes of two versions.
///
/// That layer replaces it with a lightweight or custom stage. A ``StagedMigrationManager`` refuses it.
package final class DeclaredMigrationStage<Declaration>: MigrationStage {
  package let declaration: Declaration

  /// Creates a stage.
  ///
  /// - Parameters:
  ///   - declaration: The description.
  ///   - label: The stage's name in plans and messages.
  package init(_ declaration: Declaration, label: String?) {
    self.declaration = declaration
    super.init(label: label)
  }
}
