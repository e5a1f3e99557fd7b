import HeavyliftMapping
import HeavyliftModel

extension MappingExplanation {
  /// The explanation for scripts.
  var json: JSONValue {
    .object([
      ("source", .optional(source)), ("destination", .optional(destination)), ("pass", .optional(pass)),
      ("entityMappings", .array(entityMappings.map(\.json))), ("droppedEntities", .strings(droppedEntities)),
      ("unfilledEntities", .strings(unfilledEntities)),
    ])
  }
}

extension EntityMappingExplanation {
  fileprivate var json: JSONValue {
    .object([
      ("name", .string(name)), ("origin", .string(origin.rawValue)), ("type", .string(type.word)),
      ("source", .optional(sourceEntity)), ("destination", .optional(destinationEntity)), ("filter", .optional(filter)),
      ("sourceExpression", .optional(sourceExpression)), ("policy", .optional(policy)),
      ("properties", .array(properties.map(\.json))), ("droppedProperties", .strings(droppedProperties)),
      ("unreadProperties", .strings(unreadProperties)),
      ("location", location.json),
    ])
  }
}

extension PropertyMappingExplanation {
  fileprivate var json: JSONValue {
    .object([
      ("kind", .string(kind.rawValue)), ("name", .string(name)), ("treatment", .string(treatment.rawValue)),
      ("expression", .optional(expression)), ("from", .optional(relatedObjects?.objects)),
      ("through", relatedObjects.map { .strings($0.mappings) } ?? .null), ("inverse", .optional(inverse)),
      ("default", .optional(defaultValue)),
      ("reason", .string(reason)), ("location", location.json),
    ])
  }
}
