import Foundation
public import Heavylift

/// The history of the music models as stages: an alternative to the mapping files and the policy.
public enum MusicHistory {
  private struct Contents: Decodable {
    var artists: [String]
    var added: Double?
  }

  /// The checksums of versions 1 to 3.
  private static let checksums = [
    "eU4lnQkNUiTDEQVeCQLSB/MW6QhTteJbloOvCUMM8vw=", "CPRdt2QBOXuCoXzh1KdRhtJCPvn8AdshpgTWZ/ivuwM=",
    "hwtU9IzcrDV3ITLjwqhSBxfvzRP3IlKYmq/V3jvKJ4w=",
  ]

  /// The stages from version 1 to version 3.
  public static var stages: [MigrationStage] {
    let versions = checksums.map { ManagedObjectModelReference(versionChecksum: $0) }
    let artists = CustomMigrationStage(migratingFrom: versions[0], to: versions[1], label: "Artists from JSON")
    artists.didMigrateHandler = { manager, _ in
      if let container = manager.container { try createArtists(in: container) }
    }
    let sorting = CustomMigrationStage(migratingFrom: versions[1], to: versions[2], label: "Sort names")
    sorting.migrate("Artist") { _, artist in artist["sortName"] = .string(artist["name"].string?.lowercased() ?? "") }
    return [artists, sorting]
  }

  /// Creates one artist for each name in the tracks' `json`, and connects the artists with the tracks.
  private static func createArtists(in container: StageContainer) throws {
    var artists: [String: ManagedObject] = [:]
    try container.enumerate(FetchRequest(entityName: "Track")) { track in
      // Version 2 lacks 'seconds', but it is still there while the handler runs.
      track["duration"] = track["seconds"].integer.map { .double(Double($0)) } ?? .null
      guard let context = track.context, let json = track["json"].string,
        let contents = try? JSONDecoder().decode(Contents.self, from: Data(json.utf8))
      else { return }
      track["addedAt"] = contents.added.map { .date(Date(timeIntervalSince1970: $0)) } ?? .null
      for name in contents.artists {
        let artist = try artists[name] ?? context.insert("Artist")
        artist["name"] = .string(name)
        artists[name] = artist
        try track.add(artist, to: "artists")
      }
    }
  }
}
