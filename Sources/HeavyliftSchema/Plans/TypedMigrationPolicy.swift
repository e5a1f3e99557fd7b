import Heavylift

/// A policy whose code gets typed objects: an object of the older version, and the object that the mapping created for it.
///
/// ```swift
/// final class NotePolicy: TypedMigrationPolicy<NotesV1, NotesV1.Note, NotesV2, NotesV2.Note> {
///   override func migrate(_ old: NotesV1.Note, to new: NotesV2.Note, manager: MigrationManager) throws {
///     new.wordCount = old.text.split(separator: " ").count
///   }
/// }
/// ```
///
/// Register it, and name it in a mapping file, as any other policy. All hooks of `EntityMigrationPolicy` can be overridden,
/// too; call `super` in `createDestinationInstances`, `populate` and `createRelationships`.
open class TypedMigrationPolicy<
  OldVersion: VersionedSchema, Old: Entity, NewVersion: VersionedSchema, New: Entity
>: EntityMigrationPolicy {
  private var types: (old: TypedObjects, new: TypedObjects)?

  /// Creates the policy for one entity mapping.
  public required init() {}

  /// Changes an object whose attributes have the values that the mapping declares.
  ///
  /// - Parameters:
  ///   - old: The object of the older version. Do not change it.
  ///   - new: The object that the mapping created for it.
  ///   - manager: The manager of the migration.
  open func migrate(_ old: Old, to new: New, manager: MigrationManager) throws {}

  /// Changes the relationships of an object after the objects of all mappings exist.
  ///
  /// - Parameters:
  ///   - new: An object that the mapping created, whose relationships are those that the mapping declares.
  ///   - manager: The manager of the migration.
  open func connect(_ new: New, manager: MigrationManager) throws {}

  /// Calls ``migrate(_:to:manager:)`` with an object that the mapping created.
  open override func populate(_ new: ManagedObject, from old: ManagedObject, in manager: MigrationManager) throws {
    let objects = try typed()
    try migrate(
      cast(old, objects.old, OldVersion.self), to: cast(new, objects.new, NewVersion.self), manager: manager)
    if let failure = old.context?.failure ?? new.context?.failure { throw failure }
  }

  /// Creates the declared relationships, and calls ``connect(_:manager:)``.
  open override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
    try connect(cast(destination, typed().new, NewVersion.self), manager: manager)
    if let failure = destination.context?.failure { throw failure }
  }

  private func typed() throws -> (old: TypedObjects, new: TypedObjects) {
    if let types { return types }
    let made = (
      old: TypedObjects(try Schema(versionedSchema: OldVersion.self)),
      new: TypedObjects(try Schema(versionedSchema: NewVersion.self))
    )
    types = made
    return made
  }

  private func cast<Wanted: Entity>(
    _ untyped: ManagedObject, _ objects: TypedObjects, _ version: any VersionedSchema.Type
  ) throws -> Wanted {
    let object: Entity
    do {
      object = try objects.entity(for: untyped)
    } catch let error as Diagnostic where error.code == "schema.object-without-class" {
      throw Diagnostic(
        .error, code: "plan.class-of-policy",
        problem: "object \(untyped) has no class in version '\(TypeName.scoped(version))', which policy "
          + "'\(TypeName.scoped(type(of: self)))' names",
        remedy: "give the policy the versions that the mapping leads from and to: "
          + "'TypedMigrationPolicy<OldVersion, Old, NewVersion, New>'")
    }
    guard let wanted = object as? Wanted else {
      throw Diagnostic(
        .error, code: "plan.class-of-policy",
        problem: "object \(object) is a '\(TypeName.scoped(type(of: object)))', but policy "
          + "'\(TypeName.scoped(type(of: self)))' takes a '\(TypeName.scoped(Wanted.self))'",
        remedy: "use the policy in mappings of the class's entity only, or take a superclass")
    }
    return wanted
  }
}
