import Heavylift

/// The versions and stages of a plan, checked.
///
/// ```swift
/// let history = try SchemaHistory(MusicPlan.self)
/// for warning in history.warnings { print(warning) }
/// try IncrementalMigrationManager(stages: history.stages).migrate(storeURL)
/// ```
///
/// All mistakes are found when the history is made, before a store is opened: versions that are missing or out of order,
/// pairs of versions without a stage, versions that a store cannot distinguish, and changes that need code.
public struct SchemaHistory {
  /// The schemas of all versions, oldest first.
  public let schemas: [Schema]
  /// The stages, for everything that takes stages: migrations, plans, a command-line tool of your own.
  public let stages: StagedMigrationManager
  /// Warnings about the classes, and about changes that may not be meant.
  public let warnings: [Diagnostic]
  private let versions: [PlannedVersion]

  /// Checks a plan.
  ///
  /// - Parameter plan: The plan.
  /// - Throws: `DiagnosticList` with all mistakes in the classes, or all mistakes in the plan.
  public init(_ plan: any SchemaMigrationPlan.Type) throws {
    try self.init(schemas: plan.schemas, stages: plan.stages, name: TypeName.scoped(plan))
  }

  /// Checks versions and stages that are not listed in a plan.
  ///
  /// - Parameters:
  ///   - types: All versions, oldest first.
  ///   - declared: One stage for each version and the next one, oldest first.
  ///   - name: The name of the plan in messages.
  /// - Throws: `DiagnosticList` with all mistakes in the classes, or all mistakes in the plan.
  public init(schemas types: [any VersionedSchema.Type], stages declared: [MigrationStage], name: String = "plan")
    throws
  {
    var versions: [PlannedVersion] = []
    var mistakes: [Diagnostic] = []
    var seen: Set<ObjectIdentifier> = []
    for type in types {
      guard seen.insert(ObjectIdentifier(type)).inserted else {
        mistakes.append(PlanMistake.listedTwice(TypeName.scoped(type), plan: name).diagnostic)
        continue
      }
      do {
        versions.append(
          PlannedVersion(reference: .init(type), schema: try Schema(versionedSchema: type)))
      } catch let list as DiagnosticList {
        mistakes += list.diagnostics
      }
    }
    // Without all schemas, the other mistakes would be consequences.
    guard mistakes.isEmpty else { throw DiagnosticList(mistakes) }
    try self.init(name, versions, declared)
  }

  init(_ name: String, _ versions: [PlannedVersion], _ declared: [MigrationStage]) throws {
    var check = PlanCheck(plan: name, versions: versions, stages: declared)
    check.run()
    guard check.mistakes.isEmpty else { throw DiagnosticList(check.mistakes.map(\.diagnostic)) }
    let stages = try StagedMigrationManager(check.lowered, versions: versions.map(\.schema.model))
    let refusals = stages.mistakesOfInference { stage in
      let declared = declared[stage.number - 1] as? DeclaredMigrationStage<SchemaStage>
      return declared.map { "do it in code: \($0.declaration.declaration(withCode: .migrate))" }
    }
    guard refusals.isEmpty else { throw DiagnosticList(refusals) }
    schemas = versions.map(\.schema)
    self.stages = stages
    self.versions = versions
    warnings = schemas.flatMap(\.warnings) + check.warnings
  }

  /// Returns the schema of a version; nil if the plan does not have it.
  ///
  /// - Parameter version: The version.
  public func schema(of version: any VersionedSchema.Type) -> Schema? {
    versions.first { $0.reference == .init(version) }?.schema
  }
}
