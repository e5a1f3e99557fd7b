import Heavylift

/// A stage between versions of a schema, as a plan declares it.
struct SchemaStage: Sendable {
  /// The code of a custom stage.
  struct Handlers: Sendable {
    var willMigrate: (@Sendable (ModelContext) throws -> Void)?
    var objects: [ObjectMigration] = []
    var didMigrate: (@Sendable (ModelContext) throws -> Void)?
    var revision = ""

    /// True if code runs after the structure has changed.
    var handlesResult: Bool { !objects.isEmpty || didMigrate != nil }
  }

  let source: PlannedVersion.Reference
  let destination: PlannedVersion.Reference
  /// Nil for a lightweight stage.
  let handlers: Handlers?
  /// The removals that are no mistake.
  let removed: [String]

  init(
    _ source: any VersionedSchema.Type, _ destination: any VersionedSchema.Type, handlers: Handlers?,
    removed: [String] = []
  ) {
    self.init(from: .init(source), to: .init(destination), handlers: handlers, removed: removed)
  }

  init(
    from source: PlannedVersion.Reference, to destination: PlannedVersion.Reference, handlers: Handlers?,
    removed: [String]
  ) {
    (self.source, self.destination, self.handlers, self.removed) = (source, destination, handlers, removed)
  }

  /// Declares the stage with code, in the words of the plan.
  ///
  /// - Parameter body: The code of a closure with a context.
  func declaration(withCode closure: SchemaStage.Closure, _ body: String = "…") -> String {
    if case .position = source.key {
      return "'SchemaMigration(from: …, script: { context in \(body) })'"
    }
    let ends = "fromVersion: \(source.name).self, toVersion: \(destination.name).self"
    return switch closure {
    case .didMigrate: "'.custom(\(ends)) { context in \(body) }'"
    case .migrate: "'.custom(\(ends), migrate: { old, new in … })'"
    }
  }

  /// The kinds of code that a remedy can suggest.
  enum Closure {
    case didMigrate, migrate
  }
}

extension SchemaStage.Handlers {
  /// Returns the engine's stage that runs the code with typed objects.
  func stage(from source: Schema, to destination: Schema, label: String) -> CustomMigrationStage {
    let stage = CustomMigrationStage(migratingFrom: source.reference, to: destination.reference, label: label)
    stage.revision = revision
    if let willMigrate {
      stage.willMigrateHandler = { manager, _ in try Self.run(willMigrate, in: manager.container, source) }
    }
    for migration in objects {
      guard let name = destination.entityName(of: migration.new) else { continue }
      let typed = (old: TypedObjects(source), new: TypedObjects(destination))
      stage.migrate(name) { old, new in
        try migration.body(typed.old.entity(for: old), typed.new.entity(for: new))
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
    guard let container else {
      throw Diagnostic(
        .error, code: "stage.not-running", problem: "a stage's handler was called while its stage does not run",
        remedy: "let a migration call it")
    }
    let context = try ModelContext(inStageOf: schema, container.newBackgroundContext())
    try body(context)
    try context.save()
  }
}

extension Schema {
  var reference: ManagedObjectModelReference {
    ManagedObjectModelReference(
      model: model, versionChecksum: model.versionChecksum, versionID: model.versionID)
  }
}
