import HeavyliftMapping
import HeavyliftStore

extension MigrationManager {
  /// Associates a source instance with a destination instance, so that relationships can find the source's counterpart.
  ///
  /// A source instance may have many destination instances, and vice versa. If this fails, the migration ends after the
  /// policy's method returns.
  public func associate(
    sourceInstance: ManagedObject, withDestinationInstance destinationInstance: ManagedObject,
    for entityMapping: EntityMapping
  ) {
    let run = running
    run.destinationContext.keeping(()) {
      try run.associate(sourceInstance, destinationInstance, in: run.step(for: entityMapping))
    }
  }

  /// Returns the destination instances that an entity mapping created from the given source instances, in the order of
  /// the sources and without duplicates. For `nil`, returns all destination instances of the mapping.
  public func destinationInstances(
    forEntityMappingName name: String, sourceInstances: [ManagedObject]?
  ) -> [ManagedObject] {
    let run = running
    return run.destinationContext.keeping([]) {
      try run.destinationInstances(of: run.step(named: name), sources: sourceInstances)
    }
  }

  /// Returns the source instances from which an entity mapping created the given destination instances, without
  /// duplicates. For `nil`, returns all source instances of the mapping.
  public func sourceInstances(
    forEntityMappingName name: String, destinationInstances: [ManagedObject]?
  ) -> [ManagedObject] {
    let run = running
    return run.destinationContext.keeping([]) {
      try run.sourceInstances(of: run.step(named: name), destinations: destinationInstances)
    }
  }
}

extension MigrationManager {
  /// The default implementation of `EntityMigrationPolicy.createDestinationInstances`.
  func createDeclaredInstance(for source: ManagedObject, in mapping: EntityMapping) throws {
    let run = running
    let step = try run.step(for: mapping)
    step.hasCreatedDeclaredInstances = true
    try run.notNoting { try DeclaredInstances(run).create(for: source, in: step) }
  }

  /// The default implementation of `EntityMigrationPolicy.createRelationships`.
  func createDeclaredRelationships(of destination: ManagedObject, in mapping: EntityMapping) throws {
    let run = running
    let step = try run.step(for: mapping)
    step.hasCreatedDeclaredRelationships = true
    try run.notNoting { try DeclaredRelationships(run).create(of: destination, in: step) }
  }
}
