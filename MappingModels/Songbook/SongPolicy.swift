public import Heavylift

/// Adds songs to a library that is created when the mapping first asks for the library's file name.
public final class SongPolicy: EntityMigrationPolicy {
  private var library: ManagedObject?

  public override var functions: [String: PolicyFunction] {
    [
      "filenameForLibraryWith:": PolicyFunction { [unowned self] (manager: MigrationManager) in
        if library == nil {
          library = try manager.destinationContext.insert("Library")
          library?["filename"] = "Songs.library"
          library?["name"] = "Songs"
        }
        return library?["filename"].string
      }
    ]
  }

  public override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
    destination[toOne: "library"] = library
  }
}
