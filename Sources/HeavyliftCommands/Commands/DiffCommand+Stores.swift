import Heavylift
import HeavyliftModel
import HeavyliftStore

extension DiffCommand {
  func compareStores(_ first: String, _ second: String, _ io: CommandIO) throws -> ExitCode {
    let candidates = try ModelCandidates(models, io.directory)
    let before = try StoreSource(path: first, candidates: candidates, io)
    let after = try StoreSource(path: second, candidates: candidates, io)
    var options = StoreDifference.Options()
    options.includesValues = showsValues
    options.exampleLimit = exampleLimit
    let renames = try plan(from: before, to: after, io).map(MigrationRenames.init)
    if let renames { (options.renamedEntities, options.renamedProperties) = (renames.entities, renames.properties) }
    let difference = try StoreDifference(
      from: before.store, to: after.store, options: options, moves: moves(from: before, to: after, io))
    if writesJSON {
      try io.write(Self.json(difference, first, second, renames).indented)
    } else {
      try io.write(lines: StoreDifferenceText(difference, first, second, renames, TextStyle(io)).lines)
    }
    return difference.isEmpty ? .success : .negative
  }

  /// Returns the plan of a migration from one store's version to the other's; `nil` if no mapping was given and none is
  /// next to the models or the store.
  private func plan(
    from before: StoreSource, to after: StoreSource, _ io: CommandIO
  ) throws -> IncrementalMigrationPlan? {
    let version = after.store.model
    guard !before.store.model.isSameVersion(as: version) else { return nil }
    let isGiven = mappings != nil || !mappingFiles.isEmpty
    do {
      let project = try MigrationProject(
        MigrationInput(
          store: first, models: models, mappings: mappings, mappingFiles: mappingFiles, infersMissing: true), io)
      let plan = try project.manager.plan(for: io.url(first), to: version)
      // Without a mapping file, the two may have nothing to do with each other.
      return isGiven || provenance != nil || plan.hops.contains { $0.origin != .inferred } ? plan : nil
    } catch {
      if isGiven { throw error }
      return nil
    }
  }

  /// Returns the objects that became others; `nil` without a provenance.
  private func moves(from before: StoreSource, to after: StoreSource, _ io: CommandIO) throws -> ObjectMoves? {
    guard let provenance else { return nil }
    let records = try MigrationProvenance(contentsOf: io.url(provenance))
    for (source, identifier) in [(before, records.sourceIdentifier), (after, records.destinationIdentifier)]
    where source.store.metadata.identifier != identifier {
      throw Diagnostic(
        .error, code: "diff.other-provenance",
        problem: "provenance '\(provenance)' is of other stores: it does not name '\(source.path)'",
        remedy: "give the file that the migration from '\(first)' to '\(second ?? "")' wrote")
    }
    return try records.moves()
  }

  static func json(
    _ difference: StoreDifference, _ first: String, _ second: String, _ renames: MigrationRenames?
  ) -> JSONValue {
    .object([
      ("from", .string(first)), ("to", .string(second)), ("same", .bool(difference.isEmpty)),
      ("entities", .array(difference.entities.map { json($0, renames) })),
      ("entitiesOnlyInFirst", .array(difference.onlyInFirst.map(json))),
      ("entitiesOnlyInSecond", .array(difference.onlyInSecond.map(json))),
      (
        "moves",
        .array(
          difference.moves.map { move in
            .object([
              ("entity", .string(move.entity)), ("objects", .count(move.count)),
              ("to", .object(move.destinations.map { ($0.entity, .count($0.count)) })),
            ])
          })
      ),
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
    .object([
      ("name", .string(entity.name)), ("objects", .count(entity.count)), ("moved", .count(entity.moved)),
    ])
  }

  private static func json(_ entity: StoreDifference.Entity, _ renames: MigrationRenames?) -> JSONValue {
    let properties = PropertyChanges(entity, renames)
    return .object([
      ("name", .string(entity.name)), ("formerName", .optional(entity.formerName)), ("same", .count(entity.same)),
      ("added", .count(entity.added)), ("removed", .count(entity.removed)), ("changed", .count(entity.changed)),
      ("movedHere", .count(entity.movedHere)), ("movedAway", .count(entity.movedAway)),
      (
        "changedProperties",
        .object(entity.changedProperties.sorted { $0.key < $1.key }.map { ($0.key, .count($0.value)) })
      ),
      ("movedProperties", .object(properties.moved.map { ($0.name, .strings($0.successors)) })),
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
