public import Foundation
import HeavyliftStore

/// Carries out one hop of a migration.
public protocol HopExecution {
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
  public func migrate(
    from source: URL, to destination: URL, hop: MigrationHop, monitor: HopMonitor
  ) throws -> MigrationReport {
    try migrate(from: source, to: destination, hop: hop)
  }
}

/// A hop execution that can write a provenance.
protocol ProvenanceHopExecution: HopExecution {
  /// The provenance path that was set on the execution itself.
  var provenance: URL? { get }

  /// Carries out a hop and writes its provenance as a database, unless the path is `nil`.
  func migrate(
    from source: URL, to destination: URL, hop: MigrationHop, monitor: HopMonitor, provenance: URL?
  ) throws -> MigrationReport
}

/// Carries out hops with migration managers.
public struct MappingHopExecution: ProvenanceHopExecution {
  /// The migration policies that mappings can name.
  public var policies: PolicyRegistry
  /// The options for every hop.
  public var options: MigrationOptions
  /// Configures each hop's manager: functions, services for policies, a progress handler.
  public var prepare: (MigrationManager, MigrationHop) throws -> Void

  /// Creates an execution.
  public init(
    policies: PolicyRegistry = PolicyRegistry(), options: MigrationOptions = MigrationOptions(),
    prepare: @escaping (MigrationManager, MigrationHop) throws -> Void = { _, _ in }
  ) {
    self.policies = policies
    self.options = options
    self.prepare = prepare
  }

  /// Migrates a store into a new one.
  public func migrate(from source: URL, to destination: URL, hop: MigrationHop) throws -> MigrationReport {
    try migrate(from: source, to: destination, hop: hop, monitor: HopMonitor())
  }

  /// Migrates a store into a new one.
  public func migrate(
    from source: URL, to destination: URL, hop: MigrationHop, monitor: HopMonitor
  ) throws -> MigrationReport {
    try migrate(from: source, to: destination, hop: hop, monitor: monitor, provenance: options.provenance)
  }

  var provenance: URL? { options.provenance }

  func migrate(
    from source: URL, to destination: URL, hop: MigrationHop, monitor: HopMonitor, provenance: URL?
  ) throws -> MigrationReport {
    var options = options
    options.provenance = provenance
    options.isSourceChecked = monitor.isSourceChecked
    options.isSyncedByCaller = monitor.isSyncedByCaller
    let manager = try manager(for: hop, cancellation: monitor.cancellation)
    manager.reporter.observer = monitor.report
    return try manager.migrateStore(from: source, to: destination, with: hop.mappings, options: options)
  }

  /// Returns the plan for a hop.
  ///
  /// - Parameters:
  ///   - source: A store of the hop's source version; `nil` if it does not exist yet, as for every hop but the first.
  ///     Then the hop is planned for an empty store, and the plan does not show anything that depends on data.
  ///   - hop: The hop to plan.
  public func plan(from source: URL?, hop: MigrationHop) throws -> MigrationPlan {
    let manager = try manager(for: hop)
    if let source { return try manager.plan(from: source, with: hop.mappings, options: options) }
    let folder = FileManager.default.temporaryDirectory.appending(path: "heavylift-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appending(path: "empty.sqlite")
    try PersistentStore.create(at: store, model: hop.sourceModel).close()
    return try manager.plan(from: store, with: hop.mappings, options: options)
  }

  /// Returns a manager with everything registered, for migrating, planning, or listing the names that mappings may use.
  public func manager(
    for hop: MigrationHop, cancellation: MigrationCancellation = MigrationCancellation()
  ) throws -> MigrationManager {
    let manager = MigrationManager(
      sourceModel: hop.sourceModel, destinationModel: hop.destinationModel, policies: policies,
      cancellation: cancellation)
    try prepare(manager, hop)
    return manager
  }
}
