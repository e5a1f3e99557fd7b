import Heavylift

/// A migration from a version of a schema to the next newer one, for schemas that are values and not types.
///
/// ```swift
/// final class Track_v1: Entity { @Attribute var seconds: String? }
/// final class Track_v2: Entity { @Attribute var seconds: Int }
///
/// let v1 = try Schema(objectTypes: [Track_v1.self])
/// let v2 = try Schema(objectTypes: [Track_v2.self])
/// let container = try ModelContainer.openWith(
///   schema: v2,
///   migrations: [
///     SchemaMigration(from: v1) { context in
///       for track in try context.fetch(Track_v2.self) {
///         let old = try track.managedObject.value(Schema.oldName(of: "seconds"), as: String?.self)
///         track.seconds = Int(old ?? "") ?? 0
///       }
///     }
///   ], at: url)
/// ```
public struct SchemaMigration: Sendable {
  /// The version that the migration starts from. It leads to the next newer one.
  public let source: Schema
  let script: (@Sendable (ModelContext) throws -> Void)?
  let removed: [String]
  let revision: String

  /// Creates a migration.
  ///
  /// - Parameters:
  ///   - schema: The version that the migration starts from.
  ///   - removed: The properties and entities of that version that were not renamed, although the next one has a new one
  ///     of the same type or with a similar name: `Track.json`, `Draft`.
  ///   - revision: An identifier for the code of the script. Change it whenever you change the script.
  ///   - isIdempotent: True if the script could run twice. It makes no difference, because a script runs exactly once.
  ///   - script: Changes objects while the store has all properties of both versions; nil if only the structure changes.
  ///     The context has the classes of the newer version. Unsaved changes are saved when the script returns.
  public init(
    from schema: Schema, removing removed: [String] = [], revision: String = "", idempotent isIdempotent: Bool = false,
    script: (@Sendable (ModelContext) throws -> Void)? = nil
  ) {
    (source, self.script, self.removed, self.revision) = (schema, script, removed, revision)
  }
}

extension Schema {
  /// Returns the name under which a script finds the old values of an attribute whose type has changed.
  ///
  /// - Parameter name: The attribute's name in the older version.
  public static func oldName(of name: String) -> String { IntermediateModel.renameOld(name) }
}

extension SchemaHistory {
  /// Checks migrations.
  ///
  /// - Parameters:
  ///   - schema: The newest version.
  ///   - migrations: The migrations that lead to it, newest first.
  /// - Throws: `DiagnosticList` with all mistakes.
  public init(schema: Schema, migrations: [SchemaMigration]) throws {
    let oldestFirst = Array(migrations.reversed())
    let versions = (oldestFirst.map(\.source) + [schema]).enumerated().map { position, schema in
      let reference = PlannedVersion.Reference(schema, at: position)
      return PlannedVersion(reference: reference, schema: schema.named(reference.name))
    }
    let identifiers = versions.compactMap(\.schema.version)
    guard identifiers == identifiers.sorted() else {
      let sorted = versions.dropLast().sorted {
        ($0.schema.version ?? .init(0, 0, 0)) > ($1.schema.version ?? .init(0, 0, 0))
      }
      throw DiagnosticList([PlanMistake.migrationOrder(sorted.map(\.name)).diagnostic])
    }
    if identifiers.count < versions.count,
      let mistake = Self.interruptedProperties(in: versions, removed: oldestFirst.map(\.removed))
    {
      throw DiagnosticList([mistake.diagnostic])
    }
    let stages = oldestFirst.enumerated().map { index, migration in
      let handlers = migration.script.map {
        SchemaStage.Handlers(didMigrate: $0, revision: migration.revision)
      }
      return DeclaredMigrationStage(
        SchemaStage(
          from: versions[index].reference, to: versions[index + 1].reference, handlers: handlers,
          removed: migration.removed),
        label: nil)
    }
    try self.init("migrations", versions, stages)
  }

  /// Returns the properties and entities that a version does not have although an older and a newer one have them. If the
  /// migrations were listed in reverse, these would lose their values on the way.
  ///
  /// - Parameter removed: The names that each migration drops on purpose, oldest first.
  private static func interruptedProperties(in versions: [PlannedVersion], removed: [[String]]) -> PlanMistake? {
    let names = versions.map(\.schema.model.namesOfParts)
    for place in versions.indices.dropFirst().dropLast() {
      let missing = names[place - 1].subtracting(names[place]).subtracting(removed[place - 1])
      for later in versions.indices where later > place {
        let interrupted = missing.intersection(names[later])
        if interrupted.isEmpty { continue }
        return .interruptedProperties(
          interrupted.sorted(), before: versions[place - 1].name, missing: versions[place].name,
          after: versions[later].name)
      }
    }
    return nil
  }
}

extension ManagedObjectModel {
  /// The names of all entities, such as `Track`, and of their stored properties, such as `Track.title`, now and before
  /// they were renamed.
  fileprivate var namesOfParts: Set<String> {
    var names: Set<String> = []
    for entity in entities {
      var properties = Set(entity.relationships.flatMap { [$0.name, $0.renamingIdentifier ?? $0.name] })
      for attribute in entity.attributes where !attribute.isTransient {
        properties.formUnion([attribute.name, attribute.renamingIdentifier ?? attribute.name])
      }
      for owner in Set([entity.name, entity.renamingIdentifier ?? entity.name]) {
        names.insert(owner)
        names.formUnion(properties.map { "\(owner).\($0)" })
      }
    }
    return names
  }
}
