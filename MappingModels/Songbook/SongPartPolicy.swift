public import Heavylift

/// Connects each part of a song to its song, which it finds by file name.
public final class SongPartPolicy: EntityMigrationPolicy {
  public override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
    let request = try FetchRequest(
      entityName: "Song", where: "songFilename == %@", destination["songFilename"].string ?? "")
    destination[toOne: "song"] = try manager.destinationContext.fetch(request).first
  }
}
