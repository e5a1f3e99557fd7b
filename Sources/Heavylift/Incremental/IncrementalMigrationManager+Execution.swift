import Foundation
import HeavyliftEngine
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// Managers whose hops are carried out by an object.
extension IncrementalMigrationManager {
  package init(
    models: [ManagedObjectModel], mappings: MappingSearch = MappingSearch([]), infersMissingMappings: Bool = false,
    allowsJumps: Bool = false, execution: any HopExecution
  ) {
    self.init(
      models: models, mappings: mappings, infersMissingMappings: infersMissingMappings, allowsJumps: allowsJumps)
    self.execution = execution
  }

  package init(
    versions: ModelVersions, mappings: MappingSearch = MappingSearch([]), infersMissingMappings: Bool = false,
    allowsJumps: Bool = false, execution: any HopExecution
  ) {
    self.init(
      versions: versions, mappings: mappings, infersMissingMappings: infersMissingMappings, allowsJumps: allowsJumps)
    self.execution = execution
  }

  package init(
    stages: StagedMigrationManager, mappings: MappingSearch = MappingSearch([]), infersMissingMappings: Bool = false,
    allowsJumps: Bool = false, execution: any HopExecution
  ) {
    self.init(
      stages: stages, mappings: mappings, infersMissingMappings: infersMissingMappings, allowsJumps: allowsJumps)
    self.execution = execution
  }
}

extension IncrementalMigrationManager {
  /// Returns the plans for the hops of a chain. The losses of every hop are counted in the store.
  ///
  /// - Parameters:
  ///   - source: The store; the first hop reads it.
  ///   - hops: The hops, in order.
  ///   - configuration: The configuration of the store.
  ///   - dataCheck: The way to check the store's values for the first hop; `nil` to check none.
  package func hopPlans(
    from source: URL, hops: [MigrationHop], configuration: String?, checking dataCheck: DataCheckScope? = nil
  ) throws -> [MigrationPlan] {
    try engineHops?.plans(from: source, hops: hops, configuration: configuration, checking: dataCheck) ?? []
  }
}
