import HeavyliftExpression
import HeavyliftMapping
import HeavyliftStore

/// A managed object context as an expression value: `$manager.sourceContext`.
package final class ContextReference: ExpressionObject {
  let context: ManagedObjectContext

  package init(_ context: ManagedObjectContext) { self.context = context }

  package func value(forKey key: String) throws -> ExpressionValue {
    throw EvaluationMistake.unknownKey(key, kind: "a context", known: [])
  }
}

/// A fetch request as an expression value: the result of `fetchRequestForSourceEntityNamed:predicateString:`.
package final class FetchRequestReference: ExpressionObject {
  let request: FetchRequest

  /// Creates a request that fetches only objects of this entity: sub-entities have mappings of their own.
  package init(entity: String, predicate: String) throws {
    var request = FetchRequest(entityName: entity)
    request.includesSubentities = false
    if predicate != "TRUEPREDICATE" { request.predicate = try MappingPredicate(parsing: predicate) }
    self.request = request
  }

  package func value(forKey key: String) throws -> ExpressionValue {
    guard key == "entityName" else {
      throw EvaluationMistake.unknownKey(key, kind: "a fetch request", known: ["entityName"])
    }
    return .string(request.entityName)
  }
}

extension EntityMapping: ExpressionObject {
  /// The value of `$entityMapping.key`.
  public func value(forKey key: String) throws -> ExpressionValue {
    switch key {
    case "name": return .string(name)
    case "mappingType": return .integer(Int64(mappingType.rawValue))
    case "sourceEntityName": return sourceEntityName.map(ExpressionValue.string) ?? .null
    case "destinationEntityName": return destinationEntityName.map(ExpressionValue.string) ?? .null
    case "entityMigrationPolicyClassName":
      return entityMigrationPolicyClassName.map(ExpressionValue.string) ?? .null
    case "userInfo": return .dictionary(userInfo.mapValues(ExpressionValue.string))
    default:
      throw EvaluationMistake.unknownKey(
        key, kind: "an entity mapping",
        known: [
          "destinationEntityName", "entityMigrationPolicyClassName", "mappingType", "name", "sourceEntityName",
          "userInfo",
        ])
    }
  }
}

extension PropertyMapping: ExpressionObject {
  /// The value of `$propertyMapping.key`.
  public func value(forKey key: String) throws -> ExpressionValue {
    switch key {
    case "name": return .string(name)
    case "userInfo": return .dictionary(userInfo.mapValues(ExpressionValue.string))
    default:
      throw EvaluationMistake.unknownKey(key, kind: "a property mapping", known: ["name", "userInfo"])
    }
  }
}

/// The objects in an expression's result: none, one, or a collection in any form.
package struct ObjectList: ExpressionConvertible {
  package static let expressionKind = "an object, a collection of objects, or nil"

  package var objects: [ManagedObject]

  package init(_ objects: [ManagedObject]) { self.objects = objects }

  package init?(expressionValue: ExpressionValue) {
    guard let objects = expressionValue.managedObjects else { return nil }
    self.objects = objects
  }

  package var expressionValue: ExpressionValue { .array(objects.map { .object($0) }) }
}
