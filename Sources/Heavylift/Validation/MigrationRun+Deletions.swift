import HeavyliftModel
import HeavyliftStore

extension MigrationRun {
  /// Returns the deletions that the delete rule "Deny" forbids.
  func deletionsAgainstRules() throws -> [MigrationViolation] {
    try destinationContext.deletionsAgainstRules().map { deletions in
      MigrationViolation(
        code: .relationshipDeniedDelete, entityName: deletions.entityName,
        propertyNames: [deletions.relationshipName],
        problem: "prevents the deletion of an object while it refers to others",
        remedy: "first delete the objects that it refers to, or remove them from the relationship",
        count: deletions.keys.count, exampleKeys: Array(deletions.keys.prefix(MigrationViolation.examples)))
    }
  }
}
