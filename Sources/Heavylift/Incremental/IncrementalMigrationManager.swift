public import Foundation
import HeavyliftConcurrency
public import HeavyliftMapping
public import HeavyliftModel
import HeavyliftStore
public import HeavyliftXML
import HeavyliftEngine

/// Migrates a store from any version to another, hop by hop.
///
/// ```swift
/// let manager = IncrementalMigrationManager(
///   models: modelsURL, mappings: mappingsURL, code: MigrationCode(policies: PolicyRegistry(BookToBookPolicy.self)))
/// print(try await manager.plan(for: storeURL))
/// let report = try await manager.migrate(storeURL)
/// ```
///
/// A manager is a value, and does not belong to one migration: several can run at once.
///
/// A store that is already at the requested version is not touched. Any other store is not changed until a new one
/// is complete, checked and on disk, and then replaced atomically. If a migration is interrupted, even by killing its
/// process, it continues with the first unfinished hop when you start it again.
public struct IncrementalMigrationManager: Sendable {
  /// The stages between the versions; `nil` if there are none.
  public let stages: StagedMigrationManager?
  /// The models in the order in which they were passed, or those of all versions of the bundle, which are read for this.
  public var models: [ManagedObjectModel] {
    get throws {
      switch versions {
      case .listed(let models): models
      case .bundle(let bundle): try bundle.models()
      case .project(let input): try ProjectFiles.models(input)
      }
    }
  }
  private let versions: Versions

  /// The versions, or where they are.
  private enum Versions: Sendable {
    case listed([ManagedObjectModel])
    case bundle(ModelVersions)
    /// Found and read for each store.
    case project(ProjectInput)
  }
  /// The files that the versions and mappings of one store were found in.
  private var project: ProjectFiles?
  /// True if the manager infers a mapping for a hop between neighboring versions that has no mapping file.
  public let infersMissingMappings: Bool
  /// True if the manager may infer a mapping across several versions when one of the hops between them cannot be
  /// inferred.
  ///
  /// ``MigrationHop/jump`` lists everything that such a jump skips.
  public let allowsJumps: Bool
  /// The program's policies and functions.
  public var code: MigrationCode
  /// The options of every hop.
  public var hopOptions = MigrationOptions()
  /// Carries out the hops in place of migration managers, for tests.
  private var otherExecution: (any HopExecution)?
  /// Called after each hop, while both of its stores exist, so that you can verify them. An error ends the migration,
  /// and the old store stays in place. Mapping files are not composed if this is set.
  public var hopHandler: (@Sendable (FinishedHop) throws -> Void)?
  /// Called with everything that a log should contain, on the migration's thread.
  ///
  /// ```swift
  /// manager.eventHandler = { logger.log(level: .init($0.level), "\($0)") }
  /// ```
  public var eventHandler: (@Sendable (MigrationEvent) -> Void)?
  /// The versions to search among: a migration is planned again when no other process can interfere.
  private let searched = Locked<[SearchKey: SearchedVersions]>([:])
  private let lastComposition = Locked<
    (hops: [MigrationHop], reach: HopComposition.Reach, parts: [HopComposition.Part])?
  >(nil)
  /// The history that the graph was made for.
  private let history: MigrationHistory?
  var files = FileOperations()
  var isRehearsing = false

  /// Returns a copy of the manager that calls `body` before each file operation. An error that `body` throws becomes
  /// the operation's error. For tests of failed migrations.
  package func observingFileSteps(_ body: @escaping @Sendable () throws -> Void) -> Self {
    var manager = self
    manager.files = FileOperations { _ in try body() }
    return manager
  }

  /// Creates a manager for the models and mappings of a program, which it finds and reads when a store needs them.
  ///
  /// ```swift
  /// let migrations = IncrementalMigrationManager(models: URL(filePath: "Model/Library.xcdatamodeld"))
  /// ```
  ///
  /// Files are found as the command-line tool finds them. A mistake in a file is an error of the plan or the migration
  /// that needs it; `heavylift check` reads all files.
  ///
  /// - Parameters:
  ///   - models: The model: a bundle (`.xcdatamodeld` or `.momd`), a single version, or a folder that has the store's
  ///     model and its mappings somewhere below it, such as an Xcode project or the resources of a program.
  ///   - mappings: The folder of mapping files, or one file; `nil` to look next to the models, or in the folder that has
  ///     them.
  ///   - code: The policies and functions, and the stages, if there are any.
  ///   - infersMissingMappings: True to infer missing mappings, by the rules of lightweight migration.
  ///   - allowsJumps: True to infer a mapping across intermediate versions if a hop between them cannot be inferred.
  public init(
    models: URL, mappings: URL? = nil, code: MigrationCode = .none, infersMissingMappings: Bool = false,
    allowsJumps: Bool = false
  ) {
    let input = ProjectInput(models: models, mappings: mappings, code: code)
    self.init(.project(input), MappingSearch([]), infersMissingMappings, allowsJumps, code, nil)
  }

  /// Creates a manager for models that were read.
  ///
  /// - Parameters:
  ///   - models: The versions, oldest first.
  ///   - mappings: The search for mapping files, such as `MappingSearch(contentsOf:)`.
  ///   - infersMissingMappings: True to infer missing mappings, by the rules of lightweight migration.
  ///   - allowsJumps: True to infer a mapping across intermediate versions if a hop between them cannot be inferred. If
  ///     false, such a hop causes an error that lists everything the jump would skip.
  ///   - code: The policies and functions.
  public init(
    models: [ManagedObjectModel], mappings: MappingSearch = MappingSearch([]), infersMissingMappings: Bool = false,
    allowsJumps: Bool = false, code: MigrationCode = .none
  ) {
    self.init(.listed(models), mappings, infersMissingMappings, allowsJumps, code, nil)
  }

  /// Creates a manager that reads only the versions that a store needs, from the store's version to the requested one.
  ///
  /// For a store that is current, only the current version is read. A mistake in the file of a version that is not needed
  /// is not noticed; `heavylift check` reads all files.
  ///
  /// - Parameters:
  ///   - versions: The versions of a bundle. Its current version is the default for the requested one.
  ///   - mappings: The search for mapping files, such as `MappingSearch(contentsOf:)`.
  ///   - infersMissingMappings: True to infer missing mappings, by the rules of lightweight migration.
  ///   - allowsJumps: True to infer a mapping across intermediate versions if a hop between them cannot be inferred.
  ///   - code: The policies and functions.
  public init(
    versions: ModelVersions, mappings: MappingSearch = MappingSearch([]), infersMissingMappings: Bool = false,
    allowsJumps: Bool = false, code: MigrationCode = .none
  ) {
    self.init(.bundle(versions), mappings, infersMissingMappings, allowsJumps, code, nil)
  }

  /// Creates a manager for versions with stages between them.
  ///
  /// For a pair of versions, a mapping file takes precedence over a stage, and a stage over inference.
  ///
  /// - Parameters:
  ///   - stages: The stages, with the models of all versions.
  ///   - mappings: The search for mapping files, such as `MappingSearch(contentsOf:)`.
  ///   - infersMissingMappings: True to infer mappings between versions without a mapping file or stage.
  ///   - allowsJumps: True to infer a mapping across intermediate versions if a hop between them cannot be inferred.
  ///   - code: The policies and functions.
  public init(
    stages: StagedMigrationManager, mappings: MappingSearch = MappingSearch([]), infersMissingMappings: Bool = false,
    allowsJumps: Bool = false, code: MigrationCode = .none
  ) {
    self.init(.listed(stages.history.versions), mappings, infersMissingMappings, allowsJumps, code, stages)
  }

  private init(
    _ versions: Versions, _ mappings: MappingSearch, _ infersMissing: Bool, _ allowsJumps: Bool, _ code: MigrationCode,
    _ stages: StagedMigrationManager?
  ) {
    self.versions = versions
    self.allowsJumps = allowsJumps
    infersMissingMappings = infersMissing
    self.code = code
    self.stages = stages
    (history, self.mappings) = (stages?.history, mappings)
  }

  /// The object that carries out the hops.
  package var execution: any HopExecution {
    get { otherExecution ?? MappingHopExecution(code, options: hopOptions) }
    set {
      guard let hops = newValue as? MappingHopExecution else { return otherExecution = newValue }
      (code, hopOptions, otherExecution) = (hops.code, hops.options, nil)
    }
  }

  /// The object that carries out the hops with migration managers; `nil` in tests that replace it.
  var engineHops: MappingHopExecution? { execution as? MappingHopExecution }

  /// Returns the other versions whose stores cannot be distinguished from those of the given version, because they
  /// differ from it only in parts that no version hash covers.
  public func sameVersions(as model: ManagedObjectModel) throws -> [ManagedObjectModel] {
    try models.filter { $0.name != model.name && $0.isSameVersion(as: model) }
  }

  private let mappings: MappingSearch
  private var bundle: ModelVersions? { if case .bundle(let bundle) = versions { bundle } else { nil } }

  /// Returns the manager for the models and mappings of a store, which are found and read if they were not passed.
  func resolved(for store: URL) throws -> Self {
    guard case .project(var input) = versions else { return self }
    input.code = code
    return try Diagnostic.inWordsOfCode {
      let files = try ProjectFiles(input, of: input.directory.path(store), readsAllVersions: false)
      var manager = try files.manager(infersMissingMappings: infersMissingMappings, allowsJumps: allowsJumps)
      manager.project = files
      (manager.hopOptions, manager.otherExecution, manager.hopHandler) = (hopOptions, otherExecution, hopHandler)
      (manager.files, manager.isRehearsing, manager.eventHandler) = (self.files, isRehearsing, eventHandler)
      return manager
    }
  }

  /// Returns the plan for migrating a store to a version, by default the newest, without changing anything.
  ///
  /// - Parameters:
  ///   - store: The store to migrate.
  ///   - destination: The path of the new store, on whose disk it is built; `nil` to migrate in place.
  ///   - model: The requested version; `nil` for the newest, or for the current one of a bundle.
  ///   - options: The options for the migration.
  /// - Throws: `MigrationError` for everything that would stop the migration and can be known now: the store's version
  ///   is unknown, no mappings lead to the requested version, a file that is needed has mistakes, a policy or a function
  ///   is missing.
  public func plan(
    for store: URL, into destination: URL? = nil, to model: ManagedObjectModel? = nil,
    options: IncrementalMigrationOptions = IncrementalMigrationOptions()
  ) throws(MigrationError) -> IncrementalMigrationPlan {
    try MigrationError.wrapping(store) {
      let manager = try resolved(for: store)
      var plan = try manager.chainPlan(for: store, into: destination, to: model, options: options)
      if plan.inPlace == nil {
        plan.hopPlans = try manager.hopPlans(from: plan.store, hops: plan.hops, configuration: plan.configuration)
      }
      return plan
    }
  }

  /// Returns the plan without those of its hops.
  package func chainPlan(
    for store: URL, into destination: URL? = nil, to model: ManagedObjectModel? = nil,
    options: IncrementalMigrationOptions = IncrementalMigrationOptions()
  ) throws -> IncrementalMigrationPlan {
    do {
      var plan = try path(for: store, into: destination, to: model, options: options)
      if options.mode == .inPlace, !plan.isCurrent { try planInPlace(&plan, options) }
      return plan
    } catch var error as MigrationError where stages != nil {
      // An error about the number would hide this one.
      error.stageNumber = (try? stageNumber(error.kind, store)) ?? nil
      throw error
    }
  }

  /// Core Data's number for an error that concerns stages; `nil` for other errors.
  private func stageNumber(_ kind: MigrationError.Kind, _ store: URL) throws -> Int? {
    switch kind {
    case .newerVersion: return 134_506
    case .unknownVersion:
      let file = try StoreFile(url: store, mode: .readOnly)
      defer { try? file.close() }
      return file.metadata.versionHashes.isEmpty ? 134_505 : 134_504
    default: return nil
    }
  }

  /// Returns the plan without the changes that a migration in place would make.
  func path(
    for store: URL, into destination: URL?, to model: ManagedObjectModel?, options: IncrementalMigrationOptions
  ) throws -> IncrementalMigrationPlan {
    let store = store.resolvingLinks
    guard let project else { return try pathAmongVersions(for: store, into: destination, to: model, options: options) }
    let plan = Result { try pathAmongVersions(for: store, into: destination, to: model, options: options) }
    try Diagnostic.inWordsOfCode { try project.verify(try? plan.get()) }
    return try plan.get()
  }

  private func pathAmongVersions(
    for store: URL, into destination: URL?, to model: ManagedObjectModel?, options: IncrementalMigrationOptions
  ) throws -> IncrementalMigrationPlan {
    // Errors list all versions and files, so any error comes from a search among all of them.
    if let bundle,
      let plan = try? path(for: store, into: destination, to: model, options, amongNeededOf: bundle)
    {
      return plan
    }
    let all = try allVersions()
    let version = try requested(model) ?? newest()
    if let configuration = requestedConfiguration { try version.requireConfiguration(configuration) }
    let fit = try identified(store, as: version) { _ in all }.fit
    return try path(for: store, fit, into: destination, to: version, options, among: all)
  }

  /// Returns the plan that depends only on some versions of a bundle; throws if it may depend on others.
  private func path(
    for store: URL, into destination: URL?, to model: ManagedObjectModel?, _ options: IncrementalMigrationOptions,
    amongNeededOf bundle: ModelVersions
  ) throws -> IncrementalMigrationPlan {
    guard let version = try requested(model) else { throw AllVersionsNeeded() }
    if let configuration = requestedConfiguration { try version.requireConfiguration(configuration) }
    let (fit, needed) = try identified(store, as: version) { try neededVersions(of: bundle, for: $0, to: version) }
    guard fit.evidence == .versionHashes, needed.areConsecutive || fit.model.isSameVersion(as: version) else {
      throw AllVersionsNeeded()
    }
    return try path(for: store, fit, into: destination, to: version, options, among: needed)
  }

  private var requestedConfiguration: String? { engineHops?.options.configuration }

  private func path(
    for store: URL, _ found: StoreVersion.Fit, into destination: URL?, to version: ManagedObjectModel,
    _ options: IncrementalMigrationOptions, among searched: SearchedVersions
  ) throws -> IncrementalMigrationPlan {
    var fit = found
    // The store's own model has the name of the store's file, which is not that of a version.
    if fit.evidence == .modelCache, !searched.models.contains(where: { $0.isSameVersion(as: fit.model) }) {
      fit.model.longName = "own model of \(store.lastPathComponent)"
    }
    let size = try (files.size(of: store) ?? 0) + (files.size(of: store.appendingToName("-wal")) ?? 0)
    var plan = IncrementalMigrationPlan(
      store: store, version: fit.model, sameVersions: fit.twins, evidence: fit.evidence,
      configuration: fit.configuration,
      destinationModel: version, hops: [], storeBytes: size, neededBytes: 0, availableBytes: nil)
    let confused = ConfusedVersions(models: searched.models, mappings: mappings)
    guard !fit.model.isSameVersion(as: version) else {
      if let requestedConfiguration { try Self.require(requestedConfiguration, fit, store) }
      plan.warnings = confused.warnings(plan)
      return plan
    }
    plan.hops = try hops(from: fit, to: version, store, among: searched)
    plan.warnings = confused.warnings(plan)
    // An execution of the program runs the hops that it knows.
    if options.composesHops, fit.configuration == nil,
      let execution = execution as? any EngineHopExecution
    {
      let isAboutEachFile = options.provenance != nil || execution.provenance != nil || hopHandler != nil
      let parts = parts(of: plan.hops, reach: isAboutEachFile ? .inferred : .files)
      plan.hops = parts.map(\.hop)
      plan.reasonsNotComposed = parts.map { $0.cut?.hop.stage == nil ? $0.cut?.reason : nil }
    }
    let space = NeededSpace(plan, at: destination?.resolvingFolder ?? store, options, files)
    (plan.neededBytes, plan.availableBytes) = (space.bytes, space.available)
    return plan
  }

  // MARK: Versions

  /// The facts that decide which versions are searched.
  private struct SearchKey: Hashable {
    var storedHashes: [String: VersionHash] = [:]
    /// The index of the requested version; `nil` for all versions.
    var target: Int?
  }

  private func searched(_ key: SearchKey, _ make: () throws -> SearchedVersions) rethrows -> SearchedVersions {
    if let known = searched.withLock({ $0[key] }) { return known }
    let made = try make()
    searched.withLock { $0[key] = made }
    return made
  }

  private func allVersions() throws -> SearchedVersions {
    try searched(SearchKey()) { SearchedVersions(try models) }
  }

  /// Returns the versions of a bundle that the plan for a store depends on; throws if these may be all.
  private func neededVersions(
    of bundle: ModelVersions, for file: StoreFile, to version: ManagedObjectModel
  ) throws -> SearchedVersions {
    let versions = bundle.versions
    let target = try versions.firstIndex { try $0.name == version.name && $0.model().isSameVersion(as: version) }
    guard let target else { throw AllVersionsNeeded() }
    return try searched(SearchKey(storedHashes: file.metadata.versionHashes, target: target)) {
      guard let needed = try NeededVersions(for: file, to: target, among: versions) else { throw AllVersionsNeeded() }
      let models = try needed.places.map { try versions[$0].model() }
      let unread = Set(versions.indices).subtracting(needed.places).sorted().map { versions[$0].name }
      guard needed.areOfCurrentStore || mappings.staysWithin(models, unread: unread) else { throw AllVersionsNeeded() }
      return SearchedVersions(models, unread: unread, areConsecutive: !needed.areOfCurrentStore)
    }
  }

  private struct AllVersionsNeeded: Error {}

  /// Returns the version to migrate to; `nil` if there are none.
  private func requested(_ model: ManagedObjectModel?) throws -> ManagedObjectModel? {
    guard let bundle else {
      let models = try models
      return model.map { listed($0, among: models) } ?? project?.target ?? models.last
    }
    guard let model else { return try project?.target ?? bundle.target?.model() }
    return listed(model, among: try bundle.versions.filter { $0.name == model.name }.map { try $0.model() })
  }

  /// The version that a store is migrated to by default.
  func newest() throws -> ManagedObjectModel {
    if case .project(let input) = versions { return try ProjectFiles.newestModel(input) }
    if let model = try requested(nil) { return model }
    throw MigrationError(
      .unknownVersion, problem: "there are no models", remedy: "specify the versions of the model, oldest first")
  }

  /// Composes hops, once for each path: a migration is planned again when no other process can interfere.
  private func parts(of hops: [MigrationHop], reach: HopComposition.Reach) -> [HopComposition.Part] {
    if let known = lastComposition.withLock({ $0 }), known.reach == reach, known.hops == hops { return known.parts }
    var composition = HopComposition(hops, reach: reach)
    let parts = composition.parts()
    lastComposition.withLock { $0 = (hops, reach, parts) }
    return parts
  }

  /// Throws if a store of the requested version does not contain the requested configuration.
  private static func require(_ configuration: String, _ fit: StoreVersion.Fit, _ store: URL) throws {
    let contained = fit.model.restricted(to: fit.configuration).entities.map(\.name)
    let requested = fit.model.restricted(to: configuration).entities.map(\.name)
    guard Set(contained) != Set(requested) else { return }
    throw MigrationError(
      .noPath,
      problem: "store '\(store.path)' has version \(fit.title) already, with "
        + (fit.configuration.map { "configuration \($0.quotedName)" } ?? "all entities")
        + ", and not configuration \(configuration.quotedName)",
      remedy: "request the configuration when you migrate an older version of the store")
  }

  /// Returns the version from the list that a caller means, who may have read the model from its file, where it has no
  /// version ID.
  private func listed(_ model: ManagedObjectModel, among models: [ManagedObjectModel]) -> ManagedObjectModel {
    guard model.versionID == nil, !models.contains(where: { $0.isSameVersion(as: model) && $0.name == model.name })
    else { return model }
    return models.first { $0.name == model.name && $0.versionHashes == model.versionHashes } ?? model
  }

  /// Returns the hops that a store of one of the versions takes to another.
  package func hops(from source: ManagedObjectModel, to destination: ManagedObjectModel) throws -> [MigrationHop] {
    let graph = graph(try models)
    guard let start = graph.models.firstIndex(where: { $0.isSameVersion(as: source) }),
      let end = graph.models.firstIndex(where: { $0.isSameVersion(as: destination) })
    else { return [] }
    return try graph.path(from: start, to: end, allowsJumps: allowsJumps)
  }

  /// Returns the versions up to one of them, oldest first, between which only inferred mappings lead.
  package func inferredVersions(upTo destination: ManagedObjectModel) throws -> [ManagedObjectModel] {
    let graph = graph(try models)
    guard let end = graph.models.firstIndex(where: { $0.isSameVersion(as: destination) }) else { return [] }
    let start = (0..<end).reversed().prefix { graph.isOnlyInferred(from: $0) }.last ?? end
    return Array(graph.models[start...end])
  }

  private func graph(_ models: [ManagedObjectModel], unread names: [String] = []) -> MigrationGraph {
    MigrationGraph(
      models: models, unreadNames: names, mappings: mappings, infersMissing: infersMissingMappings,
      // A handler may have been added to a stage since the last graph was made.
      stages: stages?.history.hops ?? [])
  }

  private func hops(
    from fit: StoreVersion.Fit, to destination: ManagedObjectModel, _ store: URL, among searched: SearchedVersions
  ) throws -> [MigrationHop] {
    let models = searched.models
    func makeGraph() -> MigrationGraph { self.graph(models, unread: searched.unreadNames) }
    var graph = stages?.history == history ? searched.graph(makeGraph) : makeGraph()
    func place(_ model: ManagedObjectModel) -> Int? {
      graph.models.firstIndex { $0.isSameVersion(as: model) }
    }
    guard let end = place(destination) else {
      throw MigrationError(
        .noPath, problem: "model '\(destination.title)' is not among the given versions",
        remedy: "specify it along with the others: \(models.map(\.title).quotedList)")
    }
    if let start = place(fit.model) { return try graph.path(from: start, to: end, allowsJumps: allowsJumps) }
    // The store contains the model of a version that is not in the list. Inserts that model before the version most
    // similar to it. If the model came before an older version, the next hop would drop whatever it added.
    let start = models.indexOfNearest(to: fit.model) ?? 0
    graph = self.graph(models[..<start] + [fit.model] + models[start...])
    do {
      return try graph.path(from: start, to: end < start ? end : end + 1, allowsJumps: allowsJumps)
    } catch let error as MigrationError where error.kind != .severalPaths {
      throw try unknownVersion(store, among: models)
    }
  }

  /// Identifies a store's version among the versions that `searching` returns for its file.
  private func identified(
    _ store: URL, as wanted: ManagedObjectModel, searching: (StoreFile) throws -> SearchedVersions
  ) throws -> (fit: StoreVersion.Fit, searched: SearchedVersions) {
    let file = try StoreFile(url: store, mode: .readOnly)
    defer { try? file.close() }
    let searched = try searching(file)
    do {
      let fit = try file.model(among: searched.models, preferring: wanted)
      // Hashes say which tables a store should have. An older store is compared with them when it is migrated.
      if fit.model.isSameVersion(as: wanted) {
        _ = try file.layout(of: fit.model, configuration: fit.configuration)
      }
      return (fit, searched)
    } catch let diagnostic as Diagnostic where diagnostic.code == "store.unknown-version" {
      throw Self.unknownVersion(diagnostic)
    }
  }

  private func unknownVersion(_ store: URL, among models: [ManagedObjectModel]) throws -> MigrationError {
    let file = try StoreFile(url: store, mode: .readOnly)
    defer { try? file.close() }
    return Self.unknownVersion(file.refusal(of: try file.misfits(among: models)))
  }

  private static func unknownVersion(_ diagnostic: Diagnostic) -> MigrationError {
    MigrationError(
      .unknownVersion, problem: diagnostic.problem,
      remedy: "if the store was written by a newer version of the app, use that version; otherwise, "
        + "\(diagnostic.remedy ?? "specify its model"); nothing was changed",
      underlying: diagnostic)
  }
}

extension IncrementalMigrationManager {
  /// Migrates a store in place to a version, by default the newest.
  ///
  /// A store that does not have the newest version is replaced, so that another program finds the old store or the new one.
  /// If another process has the store open, this throws an error and changes nothing.
  ///
  /// - Parameters:
  ///   - store: The store to migrate.
  ///   - model: The requested version; `nil` for the newest, or for the current one of a bundle.
  ///   - options: The options for the migration.
  ///   - monitor: Observes the migration, and can cancel it.
  @discardableResult
  public func migrate(
    _ store: URL, to model: ManagedObjectModel? = nil,
    options: IncrementalMigrationOptions = IncrementalMigrationOptions(),
    monitor: MigrationMonitor = MigrationMonitor()
  ) throws(MigrationError) -> IncrementalMigrationReport {
    let store = store.resolvingLinks
    return try run(store, at: store, model, options, monitor)
  }

  /// Rolls back an unfinished write to a store, left behind by a program that was killed. SQLite does so the next time
  /// the store is opened for writing, and `migrate` does so for a store that it migrates in place.
  ///
  /// Returns true if there was such a write. Planning only reads, and refuses a store in that state.
  @discardableResult
  public func rollBackUnfinishedWrite(to store: URL) throws(MigrationError) -> Bool {
    try MigrationError.wrapping(store) { try StoreHold.takeBackUnfinished(store.resolvingLinks) }
  }

  /// Migrates a store into a new one, leaving the old one unchanged.
  ///
  /// A store that is already at the requested version is copied. The source may be in use; the new store has the
  /// contents that the source had when the first hop started.
  ///
  /// - Parameters:
  ///   - store: The store to migrate.
  ///   - destination: The path of the new store.
  ///   - model: The requested version; `nil` for the newest, or for the current one of a bundle.
  ///   - options: The options for the migration.
  ///   - monitor: Observes the migration, and can cancel it.
  @discardableResult
  public func migrate(
    _ store: URL, into destination: URL, to model: ManagedObjectModel? = nil,
    options: IncrementalMigrationOptions = IncrementalMigrationOptions(),
    monitor: MigrationMonitor = MigrationMonitor()
  ) throws(MigrationError) -> IncrementalMigrationReport {
    let (store, target) = (store.resolvingLinks, destination.resolvingFolder)
    // Otherwise the old store, which must stay, would be replaced.
    guard store != target else { throw .isStore(target) }
    return try run(store, at: target, model, options, monitor)
  }

  private func run(
    _ store: URL, at target: URL, _ model: ManagedObjectModel?, _ options: IncrementalMigrationOptions,
    _ monitor: MigrationMonitor
  ) throws(MigrationError) -> IncrementalMigrationReport {
    defer { if !isRehearsing { monitor.finish() } }
    do {
      let report = try perform(store, at: target, model, options, monitor)
      eventHandler?(.finished(report))
      return report
    } catch {
      eventHandler?(.failed(error))
      throw error
    }
  }

  private func perform(
    _ store: URL, at target: URL, _ model: ManagedObjectModel?, _ options: IncrementalMigrationOptions,
    _ monitor: MigrationMonitor
  ) throws(MigrationError) -> IncrementalMigrationReport {
    var options = options
    options.backup = options.backup?.resolvingFolder
    options.provenance = options.provenance?.resolvingFolder
    do {
      let session = MigrationSession(
        manager: try resolved(for: store), store: store, target: target, model: model, options: options,
        monitor: monitor)
      let report = try session.run()
      monitor.complete()
      return report
    } catch let error as POSIXError {
      throw MigrationError.files(target, "a file operation failed", error)
    } catch let error as FileRights.Lockout {
      throw MigrationError.lockout(target, error)
    } catch let error as ExtendedAttributes.Refusal {
      throw MigrationError.attribute(store, error)
    } catch let error as SpecialFile {
      throw MigrationError.special(target, error)
    } catch let error as CocoaError {
      throw MigrationError.files(target, "a file operation failed", error)
    } catch {
      throw MigrationError(of: error, store)
    }
  }
}
