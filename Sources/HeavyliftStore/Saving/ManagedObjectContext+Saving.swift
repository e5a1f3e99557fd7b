import HeavyliftModel
import HeavyliftSQLite

extension ManagedObjectContext {
  /// Saves every change, or nothing: what the model forbids is told all together before a row is written.
  ///
  /// - Throws: the first failure of a subscript since the last save; `ValidationErrors`; or a `Diagnostic`.
  public func save() throws {
    if let failure { throw failure }
    guard hasChanges else { return }
    guard !store.isReadOnly else { throw ObjectMistake.readOnly.diagnostic }
    let errors = try validate()
    guard errors.isEmpty else { throw ValidationErrors(errors: errors) }
    let save = SaveOperation(self)
    do {
      try store.reporting {
        do {
          try store.database.transaction(.immediate) { try save.write() }
        } catch let error as SQLiteError where error.isConstraint {
          let violations = try ConstraintCheck(self).violations()
          guard !violations.isEmpty else { throw error }
          throw ValidationErrors(errors: violations)
        }
      }
    } catch {
      save.discardFiles()
      throw error
    }
    save.finish()
  }

  /// Takes note of what a save wrote.
  func didSave(keys: [ObjectKey: Int64]) {
    let (new, changed, gone) = (insertedObjects, updatedObjects, deletedObjects)
    (inserted, updated, deleted) = ([:], [:], [:])
    for object in new {
      guard let key = keys[object.objectKey] else { continue }
      forget(object.objectKey, object)
      object.key = key
      object.isNew = false
      object.rowVersion = 1
      register(object)
    }
    for object in gone {
      object.isMarkedForDeletion = false
      object.isDeletedFromStore = true
      object.committed = nil
      forget(object.objectKey, object)
    }
    for object in changed { object.committed = nil }
    refreshDerivedAttributes()
  }

  /// Triggers may have changed derived attributes of any object; those without changes are read anew when asked.
  private func refreshDerivedAttributes() {
    for object in registeredObjects where !object.isFault && object.runtime.hasDerivedAttributes && !object.hasChanges {
      object.turnIntoFault()
    }
  }
}

extension EntityRuntime {
  fileprivate var hasDerivedAttributes: Bool { attributes.contains { $0.column?.isDerived == true } }
}
