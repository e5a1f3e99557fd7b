import HeavyliftModel
import HeavyliftStore

extension DiffCommand {
  func compareStores(_ first: String, _ second: String, _ io: CommandIO) throws -> ExitCode {
    let candidates = try ModelCandidates(models, io)
    let before = try StoreSource(path: first, candidates: candidates, io)
    let after = try StoreSource(path: second, candidates: candidates, io)
    var options = StoreDifference.Options()
    options.includesValues = showsValues
    options.exampleLimit = exampleLimit
    let difference = try StoreDifference(from: before.store, to: after.store, options: options)
    if writesJSON {
      try io.write(Self.json(difference, first, second).indented)
    } else {
      try io.write(lines: StoreDifferenceText(difference, first, second, TextStyle(io)).lines)
    }
    return difference.isEmpty ? .success : .negative
  }

  private static func json(_ difference: StoreDifference, _ first: String, _ second: String) -> JSONValue {
    .object([
      ("from", .string(first)), ("to", .string(second)), ("same", .bool(difference.isEmpty)),
      ("entities", .array(difference.entities.map(json))),
      ("entitiesOnlyInFirst", .array(difference.onlyInFirst.map(json))),
      ("entitiesOnlyInSecond", .array(difference.onlyInSecond.map(json))),
      ("metadataKeys", .strings(difference.metadataKeys)),
      (
        "danglingLinks",
        .object([
          ("first", .count(difference.danglingLinks.first)), ("second", .count(difference.danglingLinks.second)),
          ("same", .bool(difference.danglingLinks.isSame)),
        ])
      ),
    ])
  }

  private static func json(_ entity: StoreDifference.LoneEntity) -> JSONValue {
    .object([("name", .string(entity.name)), ("objects", .count(entity.count))])
  }

  private static func json(_ entity: StoreDifference.Entity) -> JSONValue {
    .object([
      ("name", .string(entity.name)), ("same", .count(entity.same)), ("added", .count(entity.added)),
      ("removed", .count(entity.removed)), ("changed", .count(entity.changed)),
      (
        "changedProperties",
        .object(entity.changedProperties.sorted { $0.key < $1.key }.map { ($0.key, .count($0.value)) })
      ),
      ("propertiesOnlyInFirst", .strings(entity.onlyInFirst)),
      ("propertiesOnlyInSecond", .strings(entity.onlyInSecond)),
      ("addedExamples", .array(entity.addedExamples.map(JSONValue.integer))),
      ("removedExamples", .array(entity.removedExamples.map(JSONValue.integer))),
      ("changedExamples", .array(entity.changedExamples.map(json))),
    ])
  }

  private static func json(_ object: StoreDifference.ChangedObject) -> JSONValue {
    .object([
      ("key", .integer(object.key)),
      (
        "properties",
        .array(
          object.properties.map { property in
            guard let old = property.old, let new = property.new else {
              return .object([("name", .string(property.name))])
            }
            // As text, because a shortened value is no longer valid JSON.
            return .object([("name", .string(property.name)), ("old", .string(old)), ("new", .string(new))])
          })
      ),
    ])
  }
}
