import Foundation
public import Heavylift

/// Creates one artist for each name in the tracks' `json`, and connects the artists with the tracks.
public final class ArtistsFromJSON: EntityMigrationPolicy {
  private struct Contents: Decodable {
    var artists: [String]
    var added: Double?
  }

  private var artists: [String: ManagedObject] = [:]

  public override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    guard let json = source["json"].string,
      let contents = try? JSONDecoder().decode(Contents.self, from: Data(json.utf8))
    else { return }
    let track = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])[0]
    track["addedAt"] = contents.added.map { .date(Date(timeIntervalSince1970: $0)) } ?? .null
    for name in contents.artists {
      let artist = try artists[name] ?? manager.destinationContext.insert("Artist")
      artist["name"] = .string(name)
      artists[name] = artist
      try track.add(artist, to: "artists")
    }
  }
}
