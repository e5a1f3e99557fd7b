import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

/// The classes of the article about freezing.
private enum PlayerV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [Entity.Type] { [Track.self] }

  final class Track: Entity {
    @Attribute var title: String?
  }
}

private enum PlayerV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [Entity.Type] { [Track.self] }

  final class Track: Entity {
    @Attribute var title: String?
    @Attribute var length: Double?
  }
}

/// The Swift code of the article about freezing, word for word.
struct FreezingExamples {
  @Test func `a tool registers its versions`() throws {
    let fixture = try ToolFixture()

    var tool = CommandLineTool.heavylift
    tool.name = "player-tool"
    tool.code.versions = [try ModelBundle.Version(PlayerV1.self), try ModelBundle.Version(PlayerV2.self)]

    let run = fixture.run(["schema", "freeze", "Frozen/Player.xcdatamodeld"], code: tool.code)
    #expect(
      run
        == .init(
          code: .success,
          output: """
            Frozen/Player.xcdatamodeld/PlayerV1.xcdatamodel: frozen
            Frozen/Player.xcdatamodeld/PlayerV2.xcdatamodel: frozen

            """,
          errors: ""))
    let frozenURL = fixture.folder.appending("Frozen/Player.xcdatamodeld")

    let frozen = try ModelBundle(contentsOf: frozenURL)
    let current = try Schema(versionedSchema: PlayerV2.self).model
    let models = frozen.versions.map(\.model).filter { $0.versionChecksum != current.versionChecksum } + [current]
    let chain = IncrementalMigrationManager(models: models, infersMissingMappings: true)

    let storeURL = fixture.folder.appending("Player.sqlite")
    try PersistentStore.create(at: storeURL, model: frozen.versions[0].model).close()
    try chain.migrate(storeURL)
    #expect(try ModelContext(ModelContainer(for: PlayerV2.self, at: storeURL)).fetch(PlayerV2.Track.self) == [])
  }
}
