import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Expressions read the manager's keys, such as `$manager.sourceContext`, and call its functions.
extension MigrationManager: ExpressionObject {
  /// Returns the value for a key.
  public func value(forKey key: String) throws -> ExpressionValue {
    switch key {
    case "sourceContext": return .object(try runningForExpressions().sourceReference)
    case "destinationContext": return .object(try runningForExpressions().destinationReference)
    case "currentEntityMapping": return currentEntityMapping.map { .object($0) } ?? .null
    case "migrationProgress": return .double(Double(migrationProgress))
    case "userInfo":
      return .dictionary(userInfo.compactMapValues { ($0 as? any ExpressionConvertible)?.expressionValue })
    default:
      throw EvaluationMistake.unknownKey(
        key, kind: "the migration manager",
        known: ["currentEntityMapping", "destinationContext", "migrationProgress", "sourceContext", "userInfo"])
    }
  }
}

extension MigrationManager: ExpressionReference {
  /// The manager's name in messages.
  public static var expressionKind: String { "the migration manager" }
}

extension MigrationManager {
  /// The current migration. Throws if there is none, which is not a programming error: an expression may be tried out
  /// while no migration is running.
  private func runningForExpressions() throws -> MigrationRun {
    guard let run else {
      throw Diagnostic(
        .error, code: "migration.not-running", problem: "the migration manager has no objects: no migration is running",
        remedy: "try out the expression in a migration: 'heavylift migrate … --dry-run --samples 3'")
    }
    return run
  }

  /// Calls a function of the program; a running migration records the properties that it reads or sets.
  func noting<Result>(_ body: () throws -> Result) rethrows -> Result { try run?.noting(body) ?? body() }

  /// Registers the functions that expressions may call on the manager. The built-in functions are registered last, so
  /// they replace others with the same selector.
  package func register(in registry: inout FunctionRegistry) throws {
    for selector in functions.keys.sorted() {
      registry.register(selector: selector, ofEach: MigrationManager.self, kind: "the migration manager") {
        manager, arguments in
        try manager.noting { try manager.functions[selector]?.call(selector, arguments) ?? .null }
      }
    }
    try registry.register(ManagerSelector.destinationInstancesForMapping, on: MigrationManager.self) {
      (manager, name: String, objects: ObjectList) in
      let run = try manager.runningForExpressions()
      return ObjectList(try run.destinationInstances(of: run.step(named: name), sources: objects.objects))
    }
    try registry.register(ManagerSelector.destinationInstancesForRelationship, on: MigrationManager.self) {
      (manager, name: String, objects: ObjectList) in
      let run = try manager.runningForExpressions()
      return ObjectList(try run.destinationInstances(ofRelationship: name, sources: objects.objects))
    }
    try registry.register(ManagerSelector.sourceInstancesForMapping, on: MigrationManager.self) {
      (manager, name: String, objects: ObjectList) in
      let run = try manager.runningForExpressions()
      return ObjectList(try run.sourceInstances(of: run.step(named: name), destinations: objects.objects))
    }
    try registry.register(ManagerSelector.fetchRequest, on: MigrationManager.self) {
      (manager, entity: String, predicate: String) in
      ExpressionValue.object(try FetchRequestReference(entity: entity, predicate: predicate))
    }
  }
}
