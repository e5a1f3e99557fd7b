import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Large values in files that a policy no longer needs.
@Suite struct PolicyFileTests {
  /// Removes the picture of every new note, at once or when all notes have been written.
  private final class RemovingPolicy: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      guard mapping.userInfo["when"] == "at once" else { return }
      try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source]).first?[
        "picture"] =
        .null
    }

    override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
      for note in try manager.destinationContext.fetch(FetchRequest(entityName: "Note")) {
        switch mapping.userInfo["when"] {
        case "at the end": note["picture"] = .null
        case "with the note": try manager.destinationContext.delete(note)
        default: break
        }
      }
    }
  }

  @Test(arguments: ["at once", "at the end", "with the note"])
  func `a value that a policy removes leaves no file behind`(when: String) throws {
    let folder = try TemporaryFolder()
    let source = folder.appending("Notes.sqlite")
    try NoteStores.make(at: source, .withLog)
    var mapping = NoteStores.mapping(1, 2)
    mapping.entityMappings[0].policyClassName = "RemovingPolicy"
    mapping.entityMappings[0].userInfo = ["when": when]
    let target = folder.appending("New.sqlite")
    let manager = MigrationManager(
      sourceModel: NoteStores.models[0], destinationModel: NoteStores.models[1],
      policies: PolicyRegistry(RemovingPolicy.self))
    try manager.migrateStore(from: source, to: target, with: mapping)
    #expect(try ExternalDataFolder(store: target).fileNames() == [])
    #expect(try ExternalDataFolder(store: source).fileNames().count == 1)
  }
}
