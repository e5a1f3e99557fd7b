import Foundation
import Heavylift
import Testing

/// Objects that a migration creates look like those of a context that saves once, at its end.
@Suite struct NewObjectTests {
  @Test func `new objects are inserted and not faults in every pass`() throws {
    let test = try PatternModels.test(LookingAtNewObjects.self)
    try test.migrate(PatternModels.albums, PatternModels.tracks("LookingAtNewObjects"), PatternModels.removeSettings)
    let new = "5 tracks, 5 inserted, 0 faults, 0 deleted"
    #expect(
      test.manager.userInfo["seen"] as? [String] == [new, new, "4 tracks, 4 inserted, 0 faults, 0 deleted", "deleted"])
    let saved = try test.opened().fetch(FetchRequest(entityName: "Track"))
    #expect(saved.allSatisfy { !$0.isInserted })
  }
}

private final class LookingAtNewObjects: EntityMigrationPolicy {
  private func look(_ manager: MigrationManager) throws {
    let tracks = try manager.destinationContext.registeredObjects.filter { $0.entity.name == "Track" }
    let line =
      "\(tracks.count) tracks, \(tracks.count { $0.isInserted }) inserted, \(tracks.count { $0.isFaulted }) faults, "
      + "\(tracks.count { $0.isDeleted }) deleted"
    manager.userInfo["seen"] = (manager.userInfo["seen"] as? [String] ?? []) + [line]
  }

  override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    // A fetch writes the rows.
    _ = try manager.destinationContext.fetch(FetchRequest(entityName: "Track", where: "rating > 2"))
    try look(manager)
  }

  override func performCustomValidation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    try look(manager)
    let track = try manager.destinationContext.fetch(FetchRequest(entityName: "Track"))[0]
    try manager.destinationContext.delete(track)
    try look(manager)
    if track.isDeleted, !track.isInserted {
      manager.userInfo["seen"] = (manager.userInfo["seen"] as? [String] ?? []) + ["deleted"]
    }
  }
}
