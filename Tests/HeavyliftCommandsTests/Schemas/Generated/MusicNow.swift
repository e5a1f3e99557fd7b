// Written by 'heavylift schema from-model' from version 'Music 3' of 'Music.xcdatamodeld'.

import Foundation
import HeavyliftSchema

enum MusicNow: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [Entity.Type] { [Album.self, Artist.self, Track.self] }

  final class Album: Entity {
    @Attribute var title: String
    @Attribute var year: Int16? = 0
    @Relationship(deleteRule: .cascade, inverse: \Track.$album) var tracks: [Track]
  }

  final class Artist: Entity {
    @Attribute(.unique) var name: String
    @Attribute var sortName: String?
    @Relationship(inverse: \Track.$artists) var tracks: Set<Track>
  }

  final class Track: Entity {
    @Attribute var addedAt: Date?
    @Attribute var duration: Double? = 0.0
    @Attribute var title: String
    @Relationship var album: Album?
    @Relationship var artists: Set<Artist>
  }
}
