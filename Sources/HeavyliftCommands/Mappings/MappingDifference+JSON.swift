import HeavyliftMapping
import HeavyliftModel

extension MappingDifference {
  /// The difference for scripts.
  var json: JSONValue {
    .object([
      ("changes", .array(changes.map(\.json))), ("entityMappings", .array(entityMappings.map(\.json))),
    ])
  }
}

extension EntityMappingDifference {
  fileprivate var json: JSONValue {
    .object([
      ("difference", .string(difference.rawValue)), ("oldName", .optional(oldName)), ("newName", .optional(newName)),
      ("moved", .bool(isMoved)), ("changes", .array(changes.map(\.json))),
      ("properties", .array(properties.map(\.json))),
    ])
  }
}

extension PropertyMappingDifference {
  fileprivate var json: JSONValue {
    .object([
      ("kind", .string(kind.rawValue)), ("name", .string(name)), ("difference", .string(difference.rawValue)),
      ("changes", .array(changes.map(\.json))),
    ])
  }
}

extension MappingChange {
  fileprivate var json: JSONValue {
    .object([("parameter", .string(parameter)), ("old", .optional(old)), ("new", .optional(new))])
  }
}
