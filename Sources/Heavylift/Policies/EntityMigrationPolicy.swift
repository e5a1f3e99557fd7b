import HeavyliftExpression
import HeavyliftMapping
import HeavyliftStore

/// What an entity mapping does in Swift where expressions are not enough.
///
/// ```swift
/// final class SplitFullName: EntityMigrationPolicy {
///   override func createDestinationInstances(
///     forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
///   ) throws {
///     try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
///     let people = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
///     guard let person = people.first, let name = source["fullName"].string else { return }
///     // The last space, not the first: "Ana María López" has two given names.
///     person["givenName"] = .string(String(name[..<(name.lastIndex(of: " ") ?? name.endIndex)]))
///   }
/// }
/// ```
///
/// One object lives through all passes of its mapping, so that it can count and remember. Its methods are called in the
/// order in which they stand here: the first three for one entity mapping after the other, then the two for
/// relationships, again mapping by mapping, then the last two. Calling super does what the mapping declares.
///
/// What a method throws ends the migration and surfaces as `MigrationError.underlying`.
open class EntityMigrationPolicy: ExpressionObject {
  /// Creates the policy of one entity mapping.
  public required init() {}

  /// What `FUNCTION($entityPolicy, "selector:", …)` may call, by selector. Asked for once.
  open var functions: [String: MigrationFunction] { [:] }

  /// Called before the mapping's first object.
  open func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {}

  /// Makes what becomes of one source object: nothing, one object, or many, each associated with it.
  ///
  /// Super makes an object of the mapping's destination entity, sets its attributes to what their expressions give, and
  /// associates the two.
  open func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try manager.createDeclaredInstance(for: source, in: mapping)
  }

  /// Called when all objects of the mapping are made.
  open func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {}

  /// Connects one object that came about through the mapping, when the objects of all mappings are there.
  ///
  /// Super sets the relationships to what their expressions give for the object's first source.
  open func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try manager.createDeclaredRelationships(of: destination, in: mapping)
  }

  /// Called when all objects of the mapping are connected.
  open func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {}

  /// Called when everything is connected; an error says that the outcome is not right.
  open func performCustomValidation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {}

  /// Called at the very end, before the model's own rules are checked.
  open func end(_ mapping: EntityMapping, manager: MigrationManager) throws {}

  /// The value of `$entityPolicy.key`: that of a function without arguments.
  open func value(forKey key: String) throws -> ExpressionValue {
    let functions = knownFunctions
    guard let function = functions[key] else {
      throw EvaluationMistake.unknownKey(
        key, kind: "policy '\(type(of: self))'", known: functions.keys.filter { !$0.contains(":") }.sorted())
    }
    return try function.call(key, [])
  }

  package private(set) final lazy var knownFunctions = functions
}
