import HeavyliftModel
import HeavyliftStore

/// The values of a store that would stop a hop, found by evaluating its expressions without writing anything.
package struct DataCheck: Hashable, Sendable {
  /// Values for which one expression fails, or whose results break one rule of the new model.
  package struct Finding: Hashable, Sendable {
    package var expression: FallibleExpression
    /// The code of the expression's mistake, or Core Data's number for the rule.
    package var code: String
    package var problem: String
    package var remedy: String?
    /// The number of objects.
    package var count: Int
    /// The first of the objects.
    package var examples: [Example]
  }

  /// An object with such a value.
  package struct Example: Hashable, Sendable {
    /// The object, by entity and key.
    package var object: String
    /// The values that the expression reads, or its result.
    package var values: [NamedValue]
  }

  package struct NamedValue: Hashable, Sendable {
    package var name: String
    package var value: Value
  }

  /// An expression that was not evaluated.
  package struct Unchecked: Hashable, Sendable {
    package var expression: FallibleExpression
    package var reason: String
  }

  /// The largest number of examples of each finding.
  static let mostExamples = 5

  /// The number of source objects whose expressions were evaluated.
  package internal(set) var objectCount = 0
  package internal(set) var findings: [Finding] = []
  package internal(set) var unchecked: [Unchecked] = []
}

/// The values that a check of the data covers.
package enum DataCheckScope: Sendable {
  case allValues
  /// Without those that are copied and whose rules are the old ones, which a migration in place does not check.
  case changedValues
}

extension MigrationManager {
  /// Evaluates the expressions that can fail, and those whose results have to follow rules, for all objects of the
  /// source.
  ///
  /// Relationships, counts and uniqueness are not checked: they need the new store.
  package func checkData(_ prepared: PreparedMigration, _ scope: DataCheckScope) throws -> DataCheck {
    let (stores, survey) = (prepared.stores, prepared.survey)
    var check = DataCheck()
    var checks: [String: [EntityMappingCheck]] = [:]
    var inOrder: [EntityMappingCheck] = []
    for mappingIndex in stores.mappings.indices {
      guard let entity = stores.mappings[mappingIndex].sourceEntityName, survey.counts[entity] ?? 0 > 0 else {
        continue
      }
      let own = try EntityMappingCheck(
        mappingIndex, stores, keys: survey.knownKeys(mappingIndex), manager: self, skipsKept: scope == .changedValues)
      check.unchecked += own.unchecked
      guard own.hasExpressions else { continue }
      checks[entity, default: []].append(own)
      inOrder.append(own)
    }
    for (entity, checks) in checks.sorted(by: { $0.key < $1.key }) {
      var request = FetchRequest(entityName: entity)
      request.includesSubentities = false
      try ManagedObjectContext(store: stores.sourceStore).enumerate(request) { object in
        check.objectCount += 1
        for own in checks { try own.evaluate(object) }
      }
    }
    check.findings = inOrder.flatMap(\.findings)
    return check
  }
}
