public import Foundation

/// Carries out one hop of a migration.
public protocol HopExecution {
  /// Migrates a store into a new one.
  ///
  /// The source is only read. When this returns, the destination is complete and checked, in its file and, for large
  /// values, in the folder that belongs to it, where it has taken over unchanged ones under their names.
  func migrate(from source: URL, to destination: URL, hop: MigrationHop) throws -> MigrationReport
}

/// Carries out hops with migration managers.
public struct MappingHopExecution: HopExecution {
  /// Where policies are found that mappings name.
  public var policies: PolicyRegistry
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
    try makeManager(for: hop).migrateStore(from: source, to: destination, with: hop.mappings, options: options)
  }

  func makeManager(for hop: MigrationHop) throws -> MigrationManager {
    let manager = MigrationManager(
      sourceModel: hop.sourceModel, destinationModel: hop.destinationModel, policies: policies)
    try prepare(manager, hop)
    return manager
  }
}
