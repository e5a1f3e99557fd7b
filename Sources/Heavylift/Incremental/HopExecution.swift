public import Foundation
import HeavyliftStore

/// Carries out one hop of a migration.
public protocol HopExecution {
  /// Migrates a store into a new one.
  ///
  /// The source is only read. When this returns, the destination is complete and checked, in its file and, for large
  /// values, in the folder that belongs to it, where it has taken over unchanged ones under their names.
  func migrate(from source: URL, to destination: URL, hop: MigrationHop) throws -> MigrationReport

  /// The same, telling how far it is, and ending when it is cancelled. Without it a hop runs to its end.
  func migrate(from source: URL, to destination: URL, hop: MigrationHop, monitor: HopMonitor) throws -> MigrationReport
}

extension HopExecution {
  /// Migrates a store into a new one, and tells nothing meanwhile.
  public func migrate(
    from source: URL, to destination: URL, hop: MigrationHop, monitor: HopMonitor
  ) throws -> MigrationReport {
    try migrate(from: source, to: destination, hop: hop)
  }
}

/// An execution that can tell which objects came of which.
protocol ProvenanceHopExecution: HopExecution {
  /// Where it was told to leave that by itself.
  var provenance: URL? { get }

  /// Carries out a hop, and leaves a provenance of it as a database; none if no place is given.
  func migrate(
    from source: URL, to destination: URL, hop: MigrationHop, monitor: HopMonitor, provenance: URL?
  ) throws -> MigrationReport
}

/// Carries out hops with migration managers.
public struct MappingHopExecution: ProvenanceHopExecution {
  /// Where policies are found that mappings name.
  public var policies: PolicyRegistry
  /// What holds for every hop.
  public var options: MigrationOptions
  /// Prepares each hop's manager: functions, services for policies, a handler for progress.
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
    let manager = try manager(for: hop, cancellation: monitor.cancellation)
    manager.reporter.observer = monitor.tell
    return try manager.migrateStore(from: source, to: destination, with: hop.mappings, options: options)
  }

  /// What a hop's mappings will do.
  ///
  /// - Parameters:
  ///   - source: A store of the hop's first version; nil if there is none yet, as of a hop that is not the first. Then
  ///     nothing is known of what the store's data asks for, and it is planned as for a store without objects.
  ///   - hop: What is planned.
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

  /// A manager with all that is registered: to migrate, to plan, or to ask what its mappings may name.
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
