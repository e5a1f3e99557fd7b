import Foundation
public import Heavylift

/// Creates one artist for each name in the tracks' `json`, and connects the artists with the tracks.
public final class ArtistsFromJSON: EntityMigrationPolicy {
  private struct Contents: Decodable {
    var artists: [String]
    var added: Double?
  }

  private var artists: [String: ManagedObject] = [:]

  public override func populate(_ track: ManagedObject, from old: ManagedObject, in manager: MigrationManager) throws {
    guard let json = old["json"].string,
      let contents = try? JSONDecoder().decode(Contents.self, from: Data(json.utf8))
    else { return }
    track["addedAt"] = contents.added.map { .date(Date(timeIntervalSince1970: $0)) } ?? .null
    for name in contents.artists {
      let artist = try artists[name] ?? manager.destinationContext.insert("Artist")
      artist["name"] = .string(name)
      artists[name] = artist
      try track.add(artist, to: "artists")
    }
  }
}
