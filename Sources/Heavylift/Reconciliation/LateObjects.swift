import HeavyliftModel
import HeavyliftStore

extension MigrationRun {
  /// Returns a warning for each entity mapping that created objects after its relationships were set, by the mapping's
  /// index.
  func lateObjects() throws -> [Int: Diagnostic] {
    try steps.reduce(into: [:]) { late, step in
      guard let entity = step.complete.destinationEntityName, let number = step.destinationNumber else { return }
      var count = 0
      try step.lateKeys.forEach { key in
        if try destinationContext.existingFault(numbered: number, key: key) != nil { count += 1 }
      }
      guard count > 0 else { return }
      late[step.mappingIndex] = Diagnostic(
        .warning, code: "migration.late-objects",
        problem: "\(count.grouped) × \(entity) were created after entity mapping '\(step.name)' had set its "
          + "relationships, so it did not set theirs",
        remedy: "create them in the first pass, or call 'super.createRelationships(forDestination:in:manager:)' for "
          + "them")
    }
  }
}
