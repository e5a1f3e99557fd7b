public import Heavylift

/// Creates a performed set for each set that a summary counts.
public final class PerformedSetsFromSummary: EntityMigrationPolicy {
  public override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let weight = source["weight"].double ?? 0
    for index in 0..<max(1, source["sets"].integer ?? 1) {
      let set = try manager.destinationContext.insert("PerformedSet")
      set["index"] = .integer(index)
      set["kilograms"] = .double(source["units"] == "lb" ? weight * 0.45359237 : weight)
      set["reps"] = .integer(source["reps"].integer ?? 0)
      try manager.associate(sourceInstance: source, withDestinationInstance: set, for: mapping)
    }
  }

  public override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let sources = try manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [destination])
    destination[toOne: "weightData"] =
      try manager.destinationInstances(forEntityMappingName: "WeightDataToWeightData", sourceInstances: sources).first
  }
}
