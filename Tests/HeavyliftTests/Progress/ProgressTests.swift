import Foundation
import Heavylift
import Testing

@Suite struct ProgressTests {
  private static let mapping = MappingModel(
    entityMappings: [PatternModels.albums, PatternModels.plainTracks, PatternModels.removeSettings])

  @Test func `events report each mapping in each pass, and end with the migration`() async throws {
    let test = try PatternModels.test()
    let events = test.manager.progressEvents()
    var fractions: [Float] = []
    test.manager.progressHandler = { fractions.append($0.migrationProgress) }
    try test.migrate(Self.mapping)
    var places: [String] = []
    var last: MigrationProgress?
    for await event in events {
      let place = "\(event.pass.rawValue) \(event.entityMapping)"
      if places.last != place { places.append(place) }
      last = event
    }
    #expect(
      places == [
        "instances AlbumToAlbum", "instances TrackToTrack", "instances RemoveSetting", "relationships AlbumToAlbum",
        "relationships TrackToTrack", "relationships RemoveSetting", "validation AlbumToAlbum",
        "validation TrackToTrack", "validation RemoveSetting", "validation AlbumToAlbum", "validation TrackToTrack",
        "validation RemoveSetting", "validation ",
      ])
    #expect(last?.fraction == 1)
    #expect(fractions == fractions.sorted())
    #expect(fractions.last == 1)
    #expect(test.manager.progress.fractionCompleted == 1)
  }

  private final class Counting: EntityMigrationPolicy {}

  @Test func `no more objects are done than expected if a policy handles the objects of a removed entity`() async throws
  {
    let test = try MigrationTest(
      from: PatternModels.old, to: PatternModels.new, policies: PolicyRegistry(Counting.self)
    ) { context in
      try PatternModels.fill(context)
      for _ in 0..<50 { _ = try context.insert("Setting") }
    }
    let events = test.manager.progressEvents()
    try test.migrate(
      MappingModel(entityMappings: [
        PatternModels.albums, PatternModels.plainTracks,
        EntityMappingDescription(type: .remove, source: "Setting", policy: "Counting"),
      ]))
    var last: MigrationProgress?
    for await event in events {
      #expect(event.objectsDone <= event.objectsExpected)
      last = event
    }
    #expect(last?.objectsDone == 50 + 2 * 7)
  }

  @Test func `cancelling the progress cancels the migration`() throws {
    let test = try PatternModels.test()
    let progress = test.manager.progress
    test.manager.progressHandler = { manager in if manager.currentPass == .relationships { progress.cancel() } }
    #expect(test.failure { _ = try test.migrate(Self.mapping) }?.code == .cancelled)
    #expect(try test.files() == ["old.sqlite"])
  }

  @Test func `cancelling the task cancels the migration`() async throws {
    let task = Task {
      let test = try PatternModels.test()
      withUnsafeCurrentTask { $0?.cancel() }
      return test.failure { _ = try test.migrate(Self.mapping) }?.code
    }
    #expect(try await task.value == .cancelled)
  }
}
