import HeavyliftModel
import HeavyliftSQLite

extension ManagedObjectContext {
  /// Saves all changes or none: violations of the model's rules are reported together before a row is written.
  ///
  /// - Throws: The first error that a subscript recorded since the last save; `ValidationErrors`; or a `Diagnostic`.
  public func save() throws {
    if isBulkLoading { return try flush() }
    if let failure { throw failure }
    guard hasChanges else { return }
    guard !store.isReadOnly else {
      throw (registersEverything ? ObjectMistake.migrationSource : .readOnly).diagnostic
    }
    var save = SaveOperation(self)
    let errors = try validate(changed: save.inserted + save.updated, deleted: save.deleted)
    guard errors.isEmpty else { throw ValidationErrors(errors: errors) }
    do {
      try store.reporting {
        do {
          try store.database.transaction(.immediate) { try save.write() }
        } catch let error as SQLiteError where error.isConstraint {
          let violations = try ConstraintCheck(self).violations()
          guard violations.isEmpty else { throw ValidationErrors(errors: violations) }
          // The final state is valid; rows conflicted with each other only while they were being written.
          save.discardFiles()
          save = SaveOperation(self)
          save.vacatesConstraints = true
          try store.database.transaction(.immediate) { try save.write() }
        }
      }
    } catch {
      save.discardFiles()
      throw error
    }
    save.finish()
  }

  /// Records the results of a save.
  func didSave(_ save: SaveOperation) {
    inserted.removeAll()
    (updated, deleted, undoingDeletions) = ([:], [:], [])
    for object in save.inserted {
      if object.key < 0 {
        forget(object)
        object.key = save.permanentKey(object.key)
        register(object)
      }
      object.isNew = false
      object.rowVersion = 1
    }
    for object in save.deleted {
      forget(object)
      object.isMarkedForDeletion = false
      object.isDeletedFromStore = true
      object.committed = nil
    }
    for object in save.updated { object.committed = nil }
    if store.runtime.hasDerivedAttributes { refreshDerivedAttributes() }
  }

  /// Triggers may have changed derived attributes of any object; objects without changes are read again on access.
  private func refreshDerivedAttributes() {
    for object in registered.all where !object.isFault && object.runtime.hasDerivedAttributes && !object.isPending {
      object.turnIntoFault()
    }
  }
}

extension EntityRuntime {
  fileprivate var hasDerivedAttributes: Bool { attributes.contains { $0.column?.isDerived == true } }
}
