import Foundation
import Heavylift

/// The store, models and mappings of a migration, found and read.
struct MigrationProject {
  let input: MigrationInput
  let store: URL
  let destination: URL?
  let target: ManagedObjectModel
  let manager: IncrementalMigrationManager
  let options: IncrementalMigrationOptions
  private let files: ProjectFiles
  private let code: MigrationCode
  private var mappings: ProjectMappings { files.mappings }

  /// - Parameter readsAllVersions: True to read all models and identify the store's version in advance. Otherwise,
  ///   `plan()` reads the versions that the store needs.
  init(_ input: MigrationInput, readsAllVersions: Bool = true, _ io: CommandIO) throws {
    self.input = input
    code = io.code
    store = io.url(input.store)
    destination = input.destination.map(io.url)
    guard try GivenFile(input.store, store).kind == .database else {
      throw Diagnostic(
        .error, code: "store.not-a-database", problem: "'\(input.store)' is not an SQLite database",
        remedy: "specify the store's file, and its models with --model")
    }
    options = IncrementalMigrationOptions(
      backup: input.backup.map(io.url), provenance: input.provenance.map(io.url), revision: io.revision,
      acceptsDamage: input.acceptsDamage, mode: input.isInPlace ? .inPlace : .copy,
      defersCleanup: input.defersCleanup)
    files = try ProjectFiles(
      ProjectInput(
        models: input.models, mappings: input.mappings, mappingFiles: input.mappingFiles, version: input.version,
        code: io.code, directory: io.directory),
      of: input.store, readsAllVersions: readsAllVersions)
    target = files.target
    var manager = try files.manager(infersMissingMappings: input.infersMissing, allowsJumps: input.allowsJumps)
    if input.leavesBehind { manager.hopOptions.unknownTables = .leaveBehind }
    if input.startsFresh { manager.hopOptions.startsFresh = true }
    if let configuration = input.configuration { manager.hopOptions.configuration = configuration }
    self.manager = manager
  }

  /// The path of the model, if it was found in a folder or among others.
  var foundModel: String? { files.foundModel }

  /// Returns the plan, or the reason why there is none.
  ///
  /// - Throws: An error if the models have mistakes, or if it is not certain that they are the store's.
  func plan() throws -> Result<IncrementalMigrationPlan, any Error> {
    let plan = Result { try manager.chainPlan(for: store, into: destination, to: target, options: options) }
    try files.verify(try? plan.get())
    return plan
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
    switch files.models {
    case .candidates(let candidates): mappings.search.knowing(candidates.models)
    case .bundle(let versions, _, _): mappings.search.knowing([], unread: versions.versions.map(\.name))
    }
  }

  /// Returns diagnostics about a version to migrate to that may not be the one that is meant.
  private func doubtfulTarget(of plan: IncrementalMigrationPlan) throws -> [Diagnostic] {
    if case .candidates(let candidates) = files.models, candidates.areNewestFirst,
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
      switch files.models {
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
