import Foundation
import HeavyliftEngine
import HeavyliftMapping
import HeavyliftModel
public import HeavyliftXML

/// The Swift code of a program's migrations: policies, functions that expressions call, stages, and versions of its
/// schema.
///
/// ```swift
/// let code = MigrationCode(
///   policies: PolicyRegistry(ArtistsFromJSON.self),
///   functions: ["dateFromNumericRepresentation:": MigrationFunction { (seconds: Double) in
///     Date(timeIntervalSince1970: seconds)
///   }])
/// ```
///
/// The program and its own command-line tool can share one `static let`.
public struct MigrationCode: Sendable {
  /// The policies that mappings name.
  public var policies: PolicyRegistry
  /// The functions that `FUNCTION($manager, "selector:", …)` may call, by selector.
  public var functions: [String: MigrationFunction]
  /// The stages between the versions, in order, of each model that is not in ``stagesByModel``.
  public var stages: [MigrationStage]
  /// The stages of single models, by the name of the model's file: `Music` for `Music.xcdatamodeld`.
  ///
  /// They are also used for a file with another name if it has one of their versions.
  public var stagesByModel: [String: [MigrationStage]]
  /// The versions of the schema that are written as Swift classes, oldest first, for `schema freeze` and `schema check`.
  ///
  /// ```swift
  /// tool.code.versions = [try ModelBundle.Version(MusicV1.self), try ModelBundle.Version(MusicV2.self)]
  /// ```
  public var versions: [ModelBundle.Version] = []
  /// The versions of single schemas, if there are several, by the name of the bundle of their frozen models: `Music` for
  /// `Music.xcdatamodeld`.
  public var versionsByModel: [String: [ModelBundle.Version]] = [:]
  /// Called with the manager of each hop before it runs, to give its policies services that they need.
  ///
  /// ```swift
  /// code.prepare = { manager, _ in manager.userInfo["thumbnails"] = ThumbnailMaker(size: 64) }
  /// ```
  public var prepare: @Sendable (MigrationManager, MigrationHop) throws -> Void

  /// No code, for migrations whose mappings are declared.
  public static var none: MigrationCode { MigrationCode() }

  /// Creates the code of a program from its policies, functions and stages; all are empty by default.
  ///
  /// - Parameters:
  ///   - policies: The policies that mappings name.
  ///   - functions: The functions that `FUNCTION($manager, "selector:", …)` may call, by selector.
  ///   - stages: The stages between the versions, in order.
  ///   - stagesByModel: The stages of single models, if there are several.
  ///   - prepare: Gives the manager of each hop what its policies need.
  public init(
    policies: PolicyRegistry = PolicyRegistry(), functions: [String: MigrationFunction] = [:],
    stages: [MigrationStage] = [], stagesByModel: [String: [MigrationStage]] = [:],
    prepare: @escaping @Sendable (MigrationManager, MigrationHop) throws -> Void = { _, _ in }
  ) {
    self.policies = policies
    self.prepare = prepare
    self.functions = functions
    self.stages = stages
    self.stagesByModel = stagesByModel
  }

  /// Returns the stages for the versions of models at paths.
  ///
  /// A handler that does not run loses data, so a model that was renamed or copied keeps its stages.
  package func stages(forModelsAt paths: [String], versions: [ManagedObjectModel]) -> [MigrationStage] {
    let checksums = Set(versions.map(\.versionChecksum))
    return paths.lazy.compactMap { stagesByModel[Self.modelName(path: $0)] }.first
      ?? stagesByModel.sorted { $0.key < $1.key }
      .first { !checksums.isDisjoint(with: $0.value.flatMap(\.checksums)) }?.value
      ?? stages
  }

  /// Returns the versions of the schema whose frozen models are at a path; those of all schemas without a path.
  ///
  /// - Throws: `Diagnostic` if there are versions of other schemas only.
  package func versions(frozenAt path: String?) throws(Diagnostic) -> [ModelBundle.Version] {
    guard let path else { return versions + versionsByModel.sorted { $0.key < $1.key }.flatMap(\.value) }
    let name = Self.modelName(path: path)
    if let found = versionsByModel[name] { return found }
    guard versions.isEmpty, !versionsByModel.isEmpty else { return versions }
    throw Diagnostic(
      .error, code: "schema.no-versions",
      problem: "the tool has versions of several schemas, but none for \(path.quotedName)",
      remedy: versionsByModel.keys.sorted().map { "\($0).xcdatamodeld" }.suggestion(
        for: "\(name).xcdatamodeld", kind: "bundle"))
  }

  /// The name of a model's file, without its folder and extension.
  package static func modelName(path: String) -> String {
    ((path as NSString).lastPathComponent as NSString).deletingPathExtension
  }

  /// True if no policies or functions are registered. In that case, the names that a mapping may use are unknown.
  public var isEmpty: Bool { policies.names.isEmpty && functions.isEmpty }

  /// The codes of diagnostics about unregistered names.
  package static let diagnosticCodes: Set<String> = ["mapping.unknown-policy", "expression.unknown-function"]

  /// Reports functions for a mapping whose selectors do not have one colon for each argument.
  package func functionMistakes(for mapping: MappingModel) -> [Diagnostic] {
    let names = Set(mapping.entityMappings.compactMap(\.policyClassName)).sorted()
    return functions.mistakes(of: "the migration manager") + policies.functionMistakes(ofPoliciesNamed: names)
  }

  /// Returns the environment for checking a mapping.
  ///
  /// - Parameter isComplete: True if all code is registered here, so that any other name is a mistake.
  package func checkEnvironment(
    for mapping: MappingModel, file: String?, isComplete: Bool
  ) -> MappingCheckEnvironment {
    guard isComplete else { return MappingCheckEnvironment(file: file) }
    var signatures = policies.signatures
    // A mapping file may name the class with the prefix of another module.
    for name in mapping.entityMappings.compactMap(\.policyClassName) {
      signatures[name] = policies.signatures(ofPolicyNamed: name)
    }
    return MappingCheckEnvironment(
      policies: signatures, managerFunctions: functions.mapValues(\.signature), file: file)
  }
}
