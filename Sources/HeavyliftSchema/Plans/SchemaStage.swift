import Heavylift

/// A stage between versions of a schema, as a plan declares it.
struct SchemaStage {
  /// The code of a custom stage.
  struct Handlers {
    var willMigrate: ((ModelContext) throws -> Void)?
    var objects: [ObjectMigration] = []
    var didMigrate: ((ModelContext) throws -> Void)?
    var revision = ""

    /// True if code runs after the structure has changed.
    var handlesResult: Bool { !objects.isEmpty || didMigrate != nil }
  }

  let versions: (source: any VersionedSchema.Type, destination: any VersionedSchema.Type)
  /// Nil for a lightweight stage.
  let handlers: Handlers?
  /// The removals that are no mistake.
  let removed: [String]

  init(
    _ source: any VersionedSchema.Type, _ destination: any VersionedSchema.Type, handlers: Handlers?,
    removed: [String] = []
  ) {
    versions = (source, destination)
    self.handlers = handlers
    self.removed = removed
  }
}

extension SchemaStage.Handlers {
  /// Returns the engine's stage that runs the code with typed contexts.
  func stage(from source: Schema, to destination: Schema, label: String) -> CustomMigrationStage {
    let stage = CustomMigrationStage(migratingFrom: source.reference, to: destination.reference, label: label)
    stage.revision = revision
    if let willMigrate {
      stage.willMigrateHandler = { manager, _ in try Self.run(willMigrate, in: manager.container, source) }
    }
    for migration in objects {
      guard let name = destination.entityName(of: migration.new) else { continue }
      let contexts = (old: StageContext(source), new: StageContext(destination))
      stage.migrate(name) { old, new in
        try migration.body(contexts.old.entity(for: old), contexts.new.entity(for: new))
      }
    }
    if let didMigrate {
      stage.didMigrateHandler = { manager, _ in try Self.run(didMigrate, in: manager.container, destination) }
    }
    return stage
  }

  private static func run(
    _ body: (ModelContext) throws -> Void, in container: StageContainer?, _ schema: Schema
  ) throws {
    guard let container else { preconditionFailure("a handler runs without the container of its stage") }
    let context = try ModelContext(inStageOf: schema, container.newBackgroundContext())
    try body(context)
    try context.save()
  }
}

extension Schema {
  fileprivate var reference: ManagedObjectModelReference {
    ManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
  }
}

/// The typed context over the context that the engine passes objects of. It changes only from one store to the next.
private final class StageContext {
  private let schema: Schema
  private var current: ModelContext?

  init(_ schema: Schema) { self.schema = schema }

  func entity(for object: ManagedObject) throws -> Entity {
    if let current, current.managedObjectContext === object.context { return try current.entity(for: object) }
    guard let context = object.context else { preconditionFailure("object \(object) has no context") }
    let typed = try ModelContext(inStageOf: schema, context)
    current = typed
    return try typed.entity(for: object)
  }
}
