import Foundation
import Heavylift
import HeavyliftVerification
import Testing

/// The verifier recognizes objects that a policy inserted.
@Suite struct InsertedObjectTests {
  @Test(arguments: [false, true])
  func `a relationship to inserted objects counts as declared`(hasProvenance: Bool) throws {
    let test = try PatternModels.test(NoteForEachTrack.self)
    let mapping = MappingModel(entityMappings: [
      PatternModels.albums, PatternModels.tracks("NoteForEachTrack"), PatternModels.removeSettings,
    ])
    let provenance = test.folder.appending("origins.sqlite")
    var options = MigrationOptions()
    if hasProvenance { options.provenance = provenance }
    try test.migrate(mapping, options: options)
    let (old, new) = try test.bothStores()
    let report = try StoreVerifier(
      source: old, destination: new, mappings: [mapping], policies: PolicyRegistry(NoteForEachTrack.self),
      provenance: hasProvenance ? MigrationProvenance(contentsOf: provenance) : nil
    ).verify()
    #expect(report.differences == 0, "\(report.examples)")
    #expect(report.unexpected == ["Note": 5])
  }
}

/// Gives each album a note per track.
private final class NoteForEachTrack: EntityMigrationPolicy {
  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
    let note = try manager.destinationContext.insert("Note")
    note[toOne: "album"] = destination[toOne: "album"]
  }
}
