import Foundation
import Heavylift

/// The store, models and mappings of a migration, found and read.
struct MigrationProject {
  let input: MigrationInput
  let store: URL
  let destination: URL?
  let target: ManagedObjectModel
  let execution: MappingHopExecution
  let manager: IncrementalMigrationManager
  let options: IncrementalMigrationOptions
  private let models: Models
  private let mappings: ProjectMappings
  private let code: MigrationCode
  private let io: CommandIO

  /// The models, read or not.
  private enum Models {
    case candidates(ModelCandidates)
    /// The only bundle, of which the manager reads the versions that the store needs.
    case bundle(ModelVersions, path: String, found: ModelPaths)
  }

  /// - Parameter readsAllVersions: True to read all models and identify the store's version in advance. Otherwise,
  ///   `plan()` reads the versions that the store needs.
  init(_ input: MigrationInput, readsAllVersions: Bool = true, _ io: CommandIO) throws {
    self.input = input
    self.io = io
    code = io.code
    store = io.url(input.store)
    destination = input.destination.map(io.url)
    guard try GivenFile(input.store, store).kind == .database else {
      throw Diagnostic(
        .error, code: "store.not-a-database", problem: "'\(input.store)' is not an SQLite database",
        remedy: "specify the store's file, and its models with --model")
    }
    var execution = io.code.execution
    if input.leavesBehind { execution.options.unknownTables = .leaveBehind }
    if input.startsFresh { execution.options.startsFresh = true }
    if let configuration = input.configuration { execution.options.configuration = configuration }
    self.execution = execution
    options = IncrementalMigrationOptions(
      backup: input.backup.map(io.url), provenance: input.provenance.map(io.url), revision: io.revision,
      acceptsDamage: input.acceptsDamage, mode: input.isInPlace ? .inPlace : .copy,
      defersCleanup: input.defersCleanup)
    let paths = try Self.paths(input, io)
    // Stages need the models of all versions.
    if !readsAllVersions, code.stages.isEmpty, code.stagesByModel.isEmpty, let bundle = paths.onlyBundle(io),
      let versions = try? ModelVersions(path: bundle.path, url: bundle.url),
      let target = try? Self.target(input, versions)
    {
      models = .bundle(versions, path: bundle.path, found: paths)
      mappings = try Self.mappings(input, paths.folder, [bundle.path], io)
      self.target = target
      manager = IncrementalMigrationManager(
        versions: versions, mappings: mappings.search, infersMissingMappings: input.infersMissing,
        allowsJumps: input.allowsJumps, execution: execution)
      return
    }
    let found = try ModelCandidates(paths, io)
    let files = try Self.mappings(input, paths.folder, found.sources.map(\.path), io)
    let candidates = try found.ofStore(input.store, mappings: files.search.candidates, io)
    models = .candidates(candidates)
    mappings = try files.of(candidates)
    target = try Self.target(input, candidates)
    let stages = code.stages(forModelsAt: candidates.sources.map(\.path), versions: candidates.models)
    manager =
      stages.isEmpty
      ? IncrementalMigrationManager(
        models: candidates.models, mappings: mappings.search, infersMissingMappings: input.infersMissing,
        allowsJumps: input.allowsJumps, execution: execution)
      : IncrementalMigrationManager(
        stages: try StagedMigrationManager(stages, versions: candidates.models), mappings: mappings.search,
        infersMissingMappings: input.infersMissing, allowsJumps: input.allowsJumps, execution: execution)
  }

  /// The path of the model, if it was found in a folder or among others.
  var foundModel: String? {
    switch models {
    case .candidates(let candidates):
      candidates.folder == nil && candidates.others.isEmpty && candidates.copies.isEmpty
        ? nil : candidates.sources.last?.path
    case .bundle(_, let path, let found): found.folder == nil ? nil : path
    }
  }

  /// Returns the plan, or the reason why there is none.
  ///
  /// - Throws: An error if the models have mistakes, or if it is not certain that they are the store's.
  func plan() throws -> Result<IncrementalMigrationPlan, any Error> {
    let plan = Result { try manager.plan(for: store, into: destination, to: target, options: options) }
    if case .bundle(_, _, let found) = models, (try? plan.get())?.evidence != .versionHashes {
      _ = try ModelCandidates(found, io).ofStore(input.store, mappings: mappings.search.candidates, io)
    }
    return plan
  }

  // MARK: Finding

  private static func paths(_ input: MigrationInput, _ io: CommandIO) throws -> ModelPaths {
    if !input.models.isEmpty { return try ModelPaths(input.models, io) }
    let places = [input.mappings.map { ($0 as NSString).appendingPathComponent("x") }, input.store].compactMap(\.self)
    let found = places.lazy.map { MappingCandidates.paths(beside: $0, io) }.first { !$0.isEmpty } ?? []
    guard !found.isEmpty else {
      throw Diagnostic(
        .error, code: "migration.no-models",
        problem: "no models were given for store '\(input.store)', and there are none next to it",
        remedy: "specify them with --model, oldest version first, or the folder that contains them")
    }
    return ModelPaths(besideStore: found)
  }

  private static func mappings(
    _ input: MigrationInput, _ project: ProjectFolder?, _ models: [String], _ io: CommandIO
  ) throws -> ProjectMappings {
    try ProjectMappings(
      folder: input.mappings, project: project, beside: models, chosen: input.mappingFiles, io)
  }

  /// Returns the version to migrate to: the one that the user named, or else the current version of the last bundle,
  /// which programs use even if there is a newer one, or else the last version.
  private static func target(_ input: MigrationInput, _ candidates: ModelCandidates) throws -> ManagedObjectModel {
    let versions = candidates.sources.flatMap(\.versions)
    guard let name = input.version else {
      if let last = candidates.sources.last,
        let current = last.versions.first(where: { $0.name == last.currentVersionName })
      {
        return current.model
      }
      guard let last = versions.last else {
        throw Diagnostic(
          .error, code: "migration.no-models", problem: "the given models contain no version",
          remedy: "give others with --model")
      }
      return last.model
    }
    let named = versions.filter { $0.name == name }
    guard let first = named.first else {
      throw Diagnostic(
        .error, code: "model-file.unknown-version", problem: "no model has a version '\(name)'",
        remedy: versions.map(\.name).suggestion(forVersion: name))
    }
    guard named.allSatisfy({ $0.model.versionHashes == first.model.versionHashes }) else {
      throw Diagnostic(
        .error, code: "model-file.several-versions", problem: "several models have a version '\(name)'",
        remedy: "use --model to specify which one you mean")
    }
    return first.model
  }

  /// Returns the version of a bundle to migrate to; `nil` if there is none with the name that the user gave.
  private static func target(_ input: MigrationInput, _ versions: ModelVersions) throws -> ManagedObjectModel? {
    let version = input.version.map { name in versions.versions.first { $0.name == name } } ?? versions.target
    return try version?.model()
  }

  // MARK: Checking

  /// Returns mistakes in the mapping files that a plan needs, and warnings.
  ///
  /// - Parameter warnsOfDamage: True to warn about missing objects and external files, which a migration reports
  ///   itself. With `--strict`, errors about them are included in any case.
  func findings(_ plan: IncrementalMigrationPlan, warnsOfDamage: Bool = false) throws -> FindingList {
    var findings = FindingList()
    // An unreadable file might be another pass of a hop: the data it would migrate would be lost silently.
    for candidate in plan.isCurrent ? [] : mappings.search.candidates where candidate.mappingModel == nil {
      findings.add(candidate.diagnostics, about: mappings.path(of: candidate.file))
    }
    findings.add(mappings.unused(by: plan), about: "this migration")
    lazy var searchByNames = self.searchByNames
    for hop in plan.hops.flatMap(\.steps) {
      let passes = hop.mappings.indices.map { self.findings(hop, pass: $0) }
      for (path, found) in passes { findings.add(found.filter { $0.severity != .note }, about: path) }
      if case .inferred = hop.origin {
        let files = searchByNames.possiblyMisnamed(from: hop.sourceModel, to: hop.destinationModel)
        findings.add(files, about: "the inferred mapping")
      }
      if let jump = hop.jump { findings.add([Self.warning(of: jump, hop)], about: "the inferred mapping") }
    }
    if input.version == nil { findings.add(try doubtfulTarget(of: plan), about: "the models") }
    if input.isStrict || warnsOfDamage { findings.add(try damage(plan), about: input.store) }
    findings.add(plan.warnings, about: "the models")
    if code.isEmpty, findings.diagnostics.contains(where: { MigrationCode.diagnosticCodes.contains($0.code) }) {
      findings.add([Self.noCode], about: "this tool")
    }
    return findings
  }

  /// The search for mapping files, with the names of all versions.
  private var searchByNames: MappingSearch {
    switch models {
    case .candidates(let candidates): mappings.search.knowing(candidates.models)
    case .bundle(let versions, _, _): mappings.search.knowing([], unread: versions.versions.map(\.name))
    }
  }

  /// Returns diagnostics about a version to migrate to that may not be the one that is meant.
  private func doubtfulTarget(of plan: IncrementalMigrationPlan) throws -> [Diagnostic] {
    if case .candidates(let candidates) = models, candidates.areNewestFirst,
      plan.isCurrent || plan.hops.contains(where: { $0.origin == .inferred })
    {
      let last = (target.name ?? "unnamed").quotedName
      return [
        Diagnostic(
          .error, code: "migration.newest-first",
          problem: "judging by their names, the models were given newest first, so \(last) would be the version to "
            + "migrate to: \(candidates.sources.map(\.path).quotedPaths)",
          remedy: "give them oldest first; if \(last) is the version you want, use --version \(last)")
      ]
    }
    guard plan.isCurrent else { return [] }
    let newer =
      switch models {
      case .candidates(let candidates): candidates.newerThanCurrent
      case .bundle(let versions, _, _): try versions.newerThanCurrent()
      }
    guard let newest = newer.last else { return [] }
    return [
      Diagnostic(
        .note, code: "migration.not-current",
        problem: "\((target.name ?? "unnamed").quotedName) is the current version of its bundle, which also has "
          + newer.quotedList,
        remedy: "make the version that you want the current one, or use --version \(newest.quotedName)")
    ]
  }

  /// Returns diagnostics about missing objects and external files that the store refers to.
  private func damage(_ plan: IncrementalMigrationPlan) throws -> [Diagnostic] {
    guard !plan.isCurrent else { return [] }
    let opened = try PersistentStore(url: store, models: [plan.version], mode: .readOnly)
    defer { try? opened.close() }
    let severity: Diagnostic.Severity = input.isStrict ? .error : .warning
    let missing = try opened.missingExternalFiles()
    let needed = input.acceptsDamage ? [] : plan.hops.first?.attributesMovedIntoRows ?? []
    let log = try opened.objectCounts().allSatisfy { $0.value == 0 } ? MissingLog(opened.url) : nil
    return [
      log?.note,
      missing.filter { needed.contains([$0.entity, $0.attribute]) }
        .diagnostic(.error, in: opened.externalData, isNeeded: true),
      missing.filter { !needed.contains([$0.entity, $0.attribute]) }.diagnostic(severity, in: opened.externalData),
      try opened.danglingLinks().diagnostic(severity), try opened.misnumberedRows().diagnostic,
    ].compactMap(\.self)
  }

  private func findings(_ hop: MigrationHop, pass: Int) -> (path: String, found: [Diagnostic]) {
    let mapping = hop.mappings[pass]
    var path = "the inferred mapping"
    var file: String?
    var found: [Diagnostic] = []
    if case .files(let names) = hop.origin, pass < names.count {
      path = mappings.path(of: names[pass])
      let candidate = mappings.search.candidates.first { $0.file == names[pass] }
      file = candidate?.kind == .compiled ? nil : path
      found = candidate?.diagnostics ?? []
    }
    if let findings = hop.knownFindings { return (path, findings) }
    let complete = hop.completedMappings[pass]
    found += complete.check(code.checkEnvironment(for: mapping, file: file, isComplete: true))
    // The intermediate model relaxes what the handlers have to set, and this step checks it.
    if case .stage(_, .contraction) = hop.origin {
      found.removeAll { ["mapping.nil-into-mandatory", "expression.may-be-nil"].contains($0.code) }
    }
    return (path, found)
  }

  private static func warning(of jump: MigrationJump, _ hop: MigrationHop) -> Diagnostic {
    Diagnostic(
      .warning, code: "migration.jump",
      problem: "\(hop.title) is a jump over \(jump.skippedVersions.quotedList), with these consequences:"
        + jump.summary,
      remedy: "if this matters, write a mapping file for each hop that cannot be inferred")
  }

  private static let noCode = Diagnostic(
    .note, code: "migration.no-code", problem: "no policies or functions are registered in this tool",
    remedy: "build a tool of your own that has them, in about ten lines: see 'A tool of your own' in the README")
}

extension MigrationHop {
  /// The source attributes, as pairs of an entity and a name, whose values the hop certainly copies to attributes that are
  /// not stored in files, for every object of the entity.
  fileprivate var attributesMovedIntoRows: Set<[String]> {
    var moved: Set<[String]> = []
    for mapping in completedMappings.flatMap(\.entityMappings)
    where mapping.filter == nil && mapping.description.sourceExpression == nil && mapping.policyClassName == nil {
      guard let source = mapping.sourceEntityName,
        let entity = destinationModel.entity(named: mapping.destinationEntityName)
      else { continue }
      let inRows = Set(
        destinationModel.allAttributes(of: entity).filter { !$0.allowsExternalBinaryDataStorage }.map(\.name))
      for attribute in mapping.attributeMappings where inRows.contains(attribute.name) {
        if let name = attribute.valueExpression?.sourceKey { moved.insert([source, name]) }
      }
    }
    return moved
  }
}
