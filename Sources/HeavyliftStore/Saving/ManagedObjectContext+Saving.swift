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

/// Finds the objects to be saved that violate uniqueness constraints, after SQLite has reported a violation.
struct ConstraintCheck {
  private let context: ManagedObjectContext

  init(_ context: ManagedObjectContext) { self.context = context }

  /// Returns a violation for every object with the same values as another object, in the store or among those to be
  /// saved.
  func violations() throws -> [ValidationError] {
    var errors: [ValidationError] = []
    var seen: [ConstraintValues: ManagedObject] = [:]
    for object in context.updatedObjects + context.newObjects {
      for (entity, constraint) in constraints(of: object.runtime) {
        guard let values = try values(of: constraint, object) else { continue }
        let key = ConstraintValues(entity: entity, properties: constraint.propertyNames, values: values)
        if let other = seen[key] {
          errors.append(violation(object, constraint, other.description))
        } else if let other = try storedObject(with: values, constraint, object) {
          errors.append(violation(object, constraint, other))
        }
        seen[key] = object
      }
    }
    return errors
  }

  private struct ConstraintValues: Hashable {
    var entity: String
    var properties: [String]
    var values: [SQLiteValue]
  }

  private func violation(
    _ object: ManagedObject, _ constraint: EntityDescription.UniquenessConstraint, _ other: String
  ) -> ValidationError {
    ValidationError(
      code: .constraintViolated, objectID: object.objectID, propertyNames: constraint.propertyNames,
      problem: constraint.propertyNames.count > 1
        ? "must be unique together, but \(other) has the same values"
        : "must be unique, but \(other) has the same value",
      remedy: "change one of the two objects, or merge them")
  }

  private func constraints(
    of entity: EntityRuntime
  ) -> [(entity: String, constraint: EntityDescription.UniquenessConstraint)] {
    context.store.model.lineage(of: entity.description).flatMap { declaring in
      declaring.uniquenessConstraints.map { (declaring.name, $0) }
    }
  }

  /// The stored values of a constraint's properties; nil if one is null, because nulls never violate a constraint.
  private func values(
    of constraint: EntityDescription.UniquenessConstraint, _ object: ManagedObject
  ) throws -> [SQLiteValue]? {
    var values: [SQLiteValue] = []
    for name in constraint.propertyNames {
      switch object.runtime.slots[name] {
      case .attribute(let slot)?:
        guard let column = object.runtime.attributes[slot].column, !object.attributes[slot].isNull else { return nil }
        values.append(try AttributeCodec.encode(object.attributes[slot], as: column))
      case .toOne(let slot)?:
        guard object.toOnes[slot] != 0 else { return nil }
        values.append(.integer(object.toOnes[slot]))
      default: return nil
      }
    }
    return values
  }

  private func storedObject(
    with values: [SQLiteValue], _ constraint: EntityDescription.UniquenessConstraint, _ object: ManagedObject
  ) throws -> String? {
    let columns = constraint.propertyNames.compactMap { column(of: $0, object.runtime) }
    guard columns.count == values.count else { return nil }
    let table = object.runtime.layout.tableName
    let comparisons = columns.map { "\(SQLName($0)) = ?" }.joined(separator: " AND ")
    let statement = try context.store.database.cached(
      "SELECT Z_PK, \(object.runtime.layout.numberSQL()) FROM \(SQLName(table)) WHERE \(comparisons) AND Z_PK <> ?")
    try statement.bind(values + [.integer(object.key)])
    var cursor = statement.query()
    while try cursor.next() {
      let (key, number) = (cursor.row.integer(at: 0), cursor.row.integer(at: 1))
      let other = context.registeredObject(ObjectKey(root: object.runtime.layout.rootNumber, key: key))
      // The stored values of an object that this save changes or deletes no longer count.
      if let other, other.isPending { continue }
      return "\(try context.entity(numbered: number, key: key, table: table).name)/p\(key)"
    }
    return nil
  }

  private func column(of property: String, _ entity: EntityRuntime) -> String? {
    switch entity.slots[property] {
    case .attribute(let slot)?: entity.attributes[slot].column?.column
    case .toOne(let slot)?: entity.toOnes[slot].column?.column
    default: nil
    }
  }
}
