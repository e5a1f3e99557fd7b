package import Foundation
import HeavyliftStore
import HeavyliftEngine

/// Carries out one hop of a migration.
package protocol HopExecution: Sendable {
  /// Migrates a store into a new one.
  ///
  /// The source is only read. When this returns, the destination is complete and checked. It consists of its file and,
  /// for large values, its support folder, in which unchanged values keep their file names.
  func migrate(from source: URL, to destination: URL, hop: MigrationHop) throws -> MigrationReport

  /// Migrates a store into a new one, reporting progress and checking for cancellation. An execution that does not
  /// implement this method cannot be cancelled during a hop.
  func migrate(from source: URL, to destination: URL, hop: MigrationHop, monitor: HopMonitor) throws -> MigrationReport
}

extension HopExecution {
  /// Migrates a store into a new one without reporting progress.
  package func migrate(
    from source: URL, to destination: URL, hop: MigrationHop, monitor: HopMonitor
  ) throws -> MigrationReport {
    try migrate(from: source, to: destination, hop: hop)
  }
}

/// A hop execution that can run composed hops, and writes the provenance that its monitor asks for.
protocol EngineHopExecution: HopExecution {
  /// The provenance path that was set on the execution itself.
  var provenance: URL? { get }
}

/// Carries out hops with migration managers.
package struct MappingHopExecution: EngineHopExecution {
  /// The program's policies, functions and services.
  package var code: MigrationCode
  /// The options for every hop.
  package var options: MigrationOptions

  package init(_ code: MigrationCode = .none, options: MigrationOptions = MigrationOptions()) {
    self.code = code
    self.options = options
  }

  package init(
    policies: PolicyRegistry, options: MigrationOptions = MigrationOptions(),
    prepare: @escaping @Sendable (MigrationManager, MigrationHop) throws -> Void = { _, _ in }
  ) {
    self.init(MigrationCode(policies: policies, prepare: prepare), options: options)
  }

  /// Migrates a store into a new one.
  package func migrate(from source: URL, to destination: URL, hop: MigrationHop) throws -> MigrationReport {
    try migrate(from: source, to: destination, hop: hop, monitor: HopMonitor())
  }

  /// Migrates a store into a new one.
  package func migrate(
    from source: URL, to destination: URL, hop: MigrationHop, monitor: HopMonitor
  ) throws -> MigrationReport {
    var options = options
    options.provenance = monitor.provenance ?? options.provenance
    let manager = try manager(for: hop, monitor)
    try manager.check(hop.completedMappings)
    return try manager.migrateStore(
      from: source, to: destination, hop.completedMappings, options: options, caller: monitor.caller)
  }

  var provenance: URL? { options.provenance }

  /// Returns the plan for a hop.
  ///
  /// - Parameters:
  ///   - source: A store of the hop's source version; `nil` if it does not exist yet, as for every hop but the first.
  ///     Then the hop is planned for an empty store, and the plan does not show anything that depends on data.
  ///   - hop: The hop to plan.
  ///   - configuration: The configuration of a store that does not exist yet.
  package func plan(from source: URL?, hop: MigrationHop, configuration: String? = nil) throws -> MigrationPlan {
    let manager = try manager(for: hop)
    let completes = hop.completedMappings
    try manager.check(completes)
    if let source { return try manager.plan(from: source, completes, options) }
    return try hop.withEmptySource([options.configuration, configuration]) {
      try manager.plan(from: $0, completes, options)
    }
  }

  /// Returns the plans for the hops of a chain. The losses of every hop are counted in the store.
  ///
  /// - Parameters:
  ///   - source: The store; the first hop reads it.
  ///   - hops: The hops, in order.
  ///   - configuration: The configuration of the store.
  ///   - dataCheck: The way to check the store's values for the first hop; `nil` to check none.
  package func plans(
    from source: URL, hops: [MigrationHop], configuration: String?, checking dataCheck: DataCheckScope? = nil
  ) throws -> [MigrationPlan] {
    var plans: [MigrationPlan] = []
    var laterLosses: [[MigrationLoss]] = []
    for (number, hop) in hops.enumerated() {
      guard number == 0 else {
        plans.append(try plan(from: nil, hop: hop, configuration: configuration))
        plans[number].losses = laterLosses[number - 1]
        continue
      }
      let manager = try manager(for: hop)
      let complete = hop.completedMappings
      try manager.check(complete)
      var found: DataCheck?
      var plan = try manager.plan(from: source, complete, options) { prepared in
        laterLosses = try prepared.survey.lossesOfLaterHops(hops)
        found = try dataCheck.map { try manager.checkData(prepared, $0) }
      }
      plan.dataCheck = found
      plans.append(plan)
    }
    return plans
  }

  /// Returns a manager with everything registered, for migrating, planning, or listing the names that mappings may use.
  package func manager(
    for hop: MigrationHop, cancellation: MigrationCancellation = MigrationCancellation()
  ) throws -> MigrationManager {
    let manager = MigrationManager(
      sourceModel: hop.sourceModel, destinationModel: hop.destinationModel, policies: code.policies,
      cancellation: cancellation)
    manager.functions = code.functions
    try code.prepare(manager, hop)
    return manager
  }

  func manager(for hop: MigrationHop, _ monitor: HopMonitor) throws -> MigrationManager {
    let manager = try manager(for: hop, cancellation: monitor.cancellation)
    manager.chainHandler = monitor.report
    manager.planHandler = monitor.planned
    return manager
  }
}
