public import Foundation
public import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

extension MigrationManager {
  /// Returns the plan for migrating a store, without changing anything.
  ///
  /// - Throws: `DiagnosticList` for mistakes in the mappings, `HopError` for a store that cannot be read.
  public func plan(
    from source: URL, with mappings: [MappingModel], options: MigrationOptions = MigrationOptions()
  ) throws -> MigrationPlan {
    let completes = mappings.complete(from: sourceModel, to: destinationModel)
    try check(completes)
    return try plan(from: source, completes, options)
  }

  /// Returns the plan for mappings that have been checked.
  package func plan(
    from source: URL, _ completes: [CompleteMappingModel], _ options: MigrationOptions = MigrationOptions(),
    examining: (PreparedMigration) throws -> Void = { _ in }
  ) throws -> MigrationPlan {
    try reading(source) { file, store, detector in
      // Planning rejects the same contents as migrating.
      let unknown = try UnknownContents(of: store, file, options.unknownTables)
      let prepared = try prepare(store, detector, completes, options)
      _ = try unknown.prepared(for: prepared.stores)
      try examining(prepared)
      var plan = prepared.plan
      plan.fallibleExpressions = prepared.stores.fallibleExpressions
      return plan
    }
  }

  func prepare(
    _ source: PersistentStore, _ detector: ChangeDetector, _ mappings: [CompleteMappingModel],
    _ options: MigrationOptions
  ) throws -> PreparedMigration {
    let reader = ParallelReader(
      of: source, detector, leastRows: options.prefetching.leastSurveyedRows
    ) { [cancellation] in cancellation.isCancelled }
    defer { reader.close() }
    func refuseForeignRows() throws {
      do { try source.refuseForeignRows(with: reader) } catch {
        throw HopError.wrapping(error, .sourceStore, .init())
      }
    }
    do {
      let prepared = try prepare(source, reader, mappings, options)
      try refuseForeignRows()
      return prepared
    } catch {
      // They would explain any other failure.
      try refuseForeignRows()
      throw error
    }
  }

  private func prepare(
    _ source: PersistentStore, _ reader: ParallelReader, _ mappings: [CompleteMappingModel],
    _ options: MigrationOptions
  ) throws -> PreparedMigration {
    try check(mappings, over: source)
    return try MigrationPlanner(
      mappedStores(mappings, source, options), options, policies: policies, reader: reader
    ).prepare()
  }

  /// Returns a store and the destination's blueprint, with mappings that have been checked.
  package func mappedStores(
    _ mappings: [CompleteMappingModel], _ source: PersistentStore, _ options: MigrationOptions
  ) throws -> MappedStores {
    let configuration = try configuration(like: source, options)
    var mappings = mappings
    if source.configuration != nil || configuration != nil {
      let contained = ContainedEntities(source, to: configuration, of: destinationModel)
      try contained.refuseLosses(
        of: mappings, objectCounts: source.objectCounts(), configuration: configuration)
      mappings = contained.limit(mappings)
    }
    let keys = try KeyPlan(
      mappings: mappings.flatMap(\.entityMappings), source: sourceModel, destination: destinationModel,
      highestKeys: source.highestKeys())
    let destination = StoreBlueprint(
      model: destinationModel, configuration: configuration, joinTableChoices: joinTableChoices(of: source))
    return MappedStores(
      mappings, from: source, to: destination, keys: keys, sourceModel: sourceModel,
      destinationModel: destinationModel)
  }

  /// Returns the configuration of the destination: the requested one if its model has it, or else the source's.
  ///
  /// - Throws: `Diagnostic` if the destination model has other configurations only.
  package func configuration(like source: PersistentStore, _ options: MigrationOptions) throws -> String? {
    let available = destinationModel.configurations.map(\.name)
    if let requested = options.configuration, available.contains(requested) { return requested }
    guard let name = source.configuration, !available.isEmpty else { return nil }
    guard available.contains(name) else {
      throw Diagnostic(
        .error, code: "migration.lost-configuration",
        problem: "the store contains configuration \(name.quotedName), which version "
          + "\(destinationModel.title.quotedName) does not have",
        remedy: "choose the configuration of the new store with --configuration, or in code with "
          + "MigrationOptions.configuration; available: \(available.quotedList)")
    }
    return name
  }

  /// The names of the source's join tables, for cases that the model leaves ambiguous.
  func joinTableChoices(of source: PersistentStore) -> JoinTableChoices {
    JoinTableChoices(of: source.layout, for: destinationModel)
  }

  // MARK: Checking

  /// Returns the information about this manager and its policies that a check of mappings needs.
  ///
  /// - Parameter names: The policy names that mappings use. Their modules may differ from those of the registered
  ///   classes.
  package func checkEnvironment(forPoliciesNamed names: some Sequence<String> = []) -> MappingCheckEnvironment {
    var signatures = policies.signatures
    for name in names { signatures[name] = policies.signatures(ofPolicyNamed: name) }
    return MappingCheckEnvironment(policies: signatures, managerFunctions: functions.mapValues(\.signature))
  }

  /// Checks for mistakes that matter only if a store has certain objects. In Heavylift's own mapping files, they are
  /// always errors, and were reported earlier.
  private func check(_ mappings: [CompleteMappingModel], over store: PersistentStore) throws {
    let conditional = mappings.filter { $0.mappingModel.unmentionedEntities == .dropped }
    if conditional.isEmpty { return }
    let names = Set(conditional.flatMap(\.entityMappings).compactMap(\.policyClassName))
    var environment = checkEnvironment(forPoliciesNamed: names)
    environment.objectCounts = try store.objectCounts()
    var mistakes = conditional.flatMap { $0.checkAgainstStore(environment) }.filter { $0.severity == .error }
    if mistakes.contains(where: { $0.code == "mapping.many-into-one" }) {
      // Row counts do not show whether an object would lose a link. Link counts do, but take longer.
      environment.mostTargets = try store.mostTargets()
      mistakes = conditional.flatMap { $0.checkAgainstStore(environment) }.filter { $0.severity == .error }
    }
    guard mistakes.isEmpty else { throw DiagnosticList(mistakes) }
  }

  /// Throws if the mappings have mistakes, before anything is read.
  package func check(_ mappings: [CompleteMappingModel]) throws {
    let names = Set(mappings.flatMap(\.entityMappings).compactMap(\.policyClassName)).sorted()
    var mistakes = functions.mistakes(of: "the migration manager") + policies.functionMistakes(ofPoliciesNamed: names)
    for name in names {
      do {
        _ = try policies.policy(named: name)
      } catch let diagnostic as Diagnostic where diagnostic.code == "migration.ambiguous-policy" {
        mistakes.append(diagnostic)
      } catch {
        // The check below reports unknown policies with their locations.
      }
    }
    let environment = checkEnvironment(forPoliciesNamed: names)
    mistakes += mappings.flatMap { $0.check(environment) }.filter { $0.severity == .error }
    guard mistakes.isEmpty else { throw DiagnosticList(mistakes) }
  }
}
