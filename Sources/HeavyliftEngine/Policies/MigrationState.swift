/// State that the policies of one migration share: a look-up table, a counter, a service.
///
/// ```swift
/// final class Authors: MigrationState {
///   var byName: [String: ManagedObject] = [:]
/// }
///
/// final class BookPolicy: EntityMigrationPolicy {
///   override func populate(_ book: ManagedObject, from old: ManagedObject, in manager: MigrationManager) throws {
///     let authors = manager.state(Authors.self)
///     …
///   }
/// }
/// ```
///
/// Each migration from one version to the next has its own state. A migration runs on one thread, so the state needs no
/// lock. If it needs something from outside, fill it in
/// `MigrationCode.prepare`.
public protocol MigrationState: AnyObject {
  /// Creates the state of one migration.
  init()
}

extension MigrationManager {
  /// Returns the state of a type, which is created when it is first needed.
  public func state<State: MigrationState>(_ type: State.Type = State.self) -> State {
    if let known = states[ObjectIdentifier(type)] as? State { return known }
    let state = State()
    states[ObjectIdentifier(type)] = state
    return state
  }
}
