import HeavyliftExpression
import HeavyliftMapping
import HeavyliftStore

/// Customizes an entity mapping in Swift where expressions are not enough.
///
/// ```swift
/// final class SplitFullName: EntityMigrationPolicy {
///   override func populate(_ person: ManagedObject, from old: ManagedObject, in manager: MigrationManager) throws {
///     guard let name = old["fullName"].string else { return }
///     // The last space, not the first: "Ana María López" has two given names.
///     person["givenName"] = .string(String(name[..<(name.lastIndex(of: " ") ?? name.endIndex)]))
///   }
/// }
/// ```
///
/// One instance is used for all passes of its mapping, so it can keep state; for what several policies share, see
/// ``MigrationState``. Its methods are called in the order in which they are declared here: the first ones, up to
/// ``endInstanceCreation(forMapping:manager:)``, for one entity mapping after another, then the two for relationships,
/// again mapping by mapping, then the last two. Call `super` to get the behavior that the mapping declares.
///
/// An error that a method throws ends the migration and becomes `HopError.underlying`.
open class EntityMigrationPolicy: ExpressionObject {
  /// Creates the policy for one entity mapping.
  public required init() {}

  /// The functions that `FUNCTION($entityPolicy, "selector:", …)` can call, by selector. This property is read only
  /// once.
  open var functions: [String: PolicyFunction] { [:] }

  /// True if the policy leaves out objects, links or values of the source on purpose. Otherwise, those that it neither
  /// migrates nor reads are an error.
  ///
  /// ```swift
  /// override class var intendsLosses: Bool { true }
  /// ```
  ///
  /// In a mapping file, write `losses="intended"` in the entity mapping instead, where a reviewer sees it.
  open class var intendsLosses: Bool { false }

  /// Called before the mapping's first source object is migrated.
  open func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {}

  /// Creates the destination instances for one source instance: none, one, or many, each associated with the source
  /// instance.
  ///
  /// The default implementation creates an object of the mapping's destination entity, associates the two, sets the
  /// object's attributes to the values of their expressions, and calls ``populate(_:from:in:)``.
  open func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try manager.createDeclaredInstance(for: source, in: mapping)
  }

  /// Changes an object that ``createDestinationInstances(forSource:in:manager:)`` has created as the mapping declares.
  ///
  /// This is all that most policies override. The mapping is `manager.currentEntityMapping`. The default implementation
  /// does nothing.
  ///
  /// - Parameters:
  ///   - new: The new object. Its attributes have the values of their expressions; its relationships are set later.
  ///   - old: The source object.
  ///   - manager: The manager, which has the contexts of both stores.
  open func populate(_ new: ManagedObject, from old: ManagedObject, in manager: MigrationManager) throws {}

  /// Called after all objects of the mapping have been created.
  open func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {}

  /// Sets the relationships of one object that the mapping created, after the objects of all mappings exist.
  ///
  /// The default implementation sets the relationships to the values of their expressions for the object's first source
  /// instance.
  open func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try manager.createDeclaredRelationships(of: destination, in: mapping)
  }

  /// Called after the relationships of all objects of the mapping are set.
  open func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {}

  /// Validates the result after all relationships are set; throw an error if it is wrong.
  open func performCustomValidation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {}

  /// Called at the very end, before the model's own validation rules are checked.
  open func end(_ mapping: EntityMapping, manager: MigrationManager) throws {}

  /// Returns the value of `$entityPolicy.key`: the result of the function `key` without arguments.
  open func value(forKey key: String) throws -> ExpressionValue {
    let functions = knownFunctions
    guard let function = functions[key] else {
      throw EvaluationMistake.unknownKey(
        key, kind: "policy '\(type(of: self))'", known: functions.keys.filter { !$0.contains(":") }.sorted())
    }
    return try function.call(key, [])
  }

  private(set) final lazy var knownFunctions = functions
  /// The migration that the policy is part of, while it runs. Not weak, which would make each reference to the run slower.
  final var run: MigrationRun?
}
