import HeavyliftMapping
import HeavyliftStore

extension MigrationManager {
  /// Tells that one object came of another, so that relationships find it.
  ///
  /// One source may have many destinations, and many sources one. What goes wrong ends the migration after the policy's
  /// method.
  public func associate(
    sourceInstance: ManagedObject, withDestinationInstance destinationInstance: ManagedObject,
    for entityMapping: EntityMapping
  ) {
    let run = running
    run.destinationContext.keeping(()) {
      try run.associate(sourceInstance, destinationInstance, in: run.step(for: entityMapping))
    }
  }

  /// What came of source objects through an entity mapping, in their order, each object once; everything that came about
  /// through the mapping for nil.
  public func destinationInstances(
    forEntityMappingName name: String, sourceInstances: [ManagedObject]?
  ) -> [ManagedObject] {
    let run = running
    return run.destinationContext.keeping([]) {
      try run.destinationInstances(of: run.step(named: name), sources: sourceInstances)
    }
  }

  /// The source objects of which objects came through an entity mapping, each once; all of the mapping for nil.
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
  /// What `EntityMigrationPolicy.createDestinationInstances` does by itself.
  func createDeclaredInstance(for source: ManagedObject, in mapping: EntityMapping) throws {
    let run = running
    try DeclaredInstances(run).create(for: source, in: run.step(for: mapping))
  }

  /// What `EntityMigrationPolicy.createRelationships` does by itself.
  func createDeclaredRelationships(of destination: ManagedObject, in mapping: EntityMapping) throws {
    let run = running
    try DeclaredRelationships(run).create(of: destination, in: run.step(for: mapping))
  }
}
