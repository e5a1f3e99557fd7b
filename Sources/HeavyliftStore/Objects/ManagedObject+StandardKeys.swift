import HeavyliftExpression
import HeavyliftModel

extension ManagedObject {
  /// Returns the value of a key that every object has besides its properties, as in
  /// `$source.objectID.URIRepresentation.path`.
  func standardValue(forKey key: String) -> ExpressionValue? {
    switch key {
    case "objectID": .object(ObjectIDValue(objectID, of: EntityValue(entity, in: context?.store.runtime)))
    case "entity": .object(EntityValue(entity, in: context?.store.runtime))
    default: nil
    }
  }
}

/// An object ID in expressions.
private final class ObjectIDValue: ExpressionObject, CustomStringConvertible {
  private let id: ManagedObjectID
  private let entity: EntityValue

  init(_ id: ManagedObjectID, of entity: EntityValue) {
    self.id = id
    self.entity = entity
  }

  var identity: String? { id.uriRepresentation }
  var description: String { id.uriRepresentation }

  func value(forKey key: String) throws -> ExpressionValue {
    switch key {
    case "URIRepresentation": return .uri(id.uriRepresentation)
    case "isTemporaryID": return .bool(id.isTemporary)
    case "entity": return .object(entity)
    default:
      let known = ["URIRepresentation", "entity", "isTemporaryID"]
      throw EvaluationMistake.unknownKey(key, kind: "an object ID", known: known)
    }
  }
}

/// An entity in expressions.
private final class EntityValue: ExpressionObject, CustomStringConvertible {
  private let entity: EntityDescription
  private let runtime: StoreRuntime?

  init(_ entity: EntityDescription, in runtime: StoreRuntime?) {
    self.entity = entity
    self.runtime = runtime
  }

  var identity: String? { "entity \(entity.name)" }
  var description: String { entity.name }

  func value(forKey key: String) throws -> ExpressionValue {
    switch key {
    case "name": return .string(entity.name)
    case "managedObjectClassName": return .string(entity.managedObjectClassName ?? "NSManagedObject")
    case "isAbstract": return .bool(entity.isAbstract)
    case "userInfo": return .dictionary(entity.userInfo.mapValues { .string($0) })
    case "superentity":
      let superentity = entity.superentityName.flatMap { runtime?.byName[$0]?.description }
      return superentity.map { .object(EntityValue($0, in: runtime)) } ?? .null
    default:
      let known = ["isAbstract", "managedObjectClassName", "name", "superentity", "userInfo"]
      throw EvaluationMistake.unknownKey(key, kind: "an entity description", known: known)
    }
  }
}
