// Written by 'heavylift schema from-model' from version 'Everything' of 'Everything.xcdatamodel'.
//
// The model also has these parts, which classes cannot declare:
// - configuration 'Local'
// - fetch request template 'all'
// - entity 'Set': class 'CDSet'
// - entity 'Set', attribute 'blob': customClassName: "Blob" → none
// - entity 'Set', attribute 'count64': indexed: YES → NO
// - entity 'Track': user info
// - entity 'Medium': fetch index 'mixed'
// - entity 'Medium': fetch index 'partial'

import Foundation
import HeavyliftSchema

enum Everything: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 1, 0)
  static var models: [Entity.Type] { [Data.self, Medium.self, Set.self, Track.self] }

  final class Data: Entity {
    @Attribute var `in`: String?
    @Relationship(inverse: \Track.$tags) var tracks: Swift.Set<Track>
  }

  class Medium: Entity {
    @Attribute(minimumLength: 1, maximumLength: 200, pattern: "[^/]+") var title: String? = "a \"b\" \\ é"
    @Relationship(inverseName: "related") var related: Swift.Set<Medium>
    override class var abstractEntity: Entity.Type? { Medium.self }
    override class var originalName: String? { "Thing" }
    override class var indexes: [Index] {
      [
        Index(\Medium.$title, name: "byTitle"),
        Index(\Medium.$title, name: "newest", isDescending: true),
      ]
    }
  }

  final class Set: Medium {
    @Attribute(.externalStorage) var artwork: Foundation.Data?
    @Attribute(.transformable(by: "BlobTransformer")) var blob: Foundation.Data?
    @Attribute(originalName: "kind") var `case`: String = "none"
    @Attribute(minimum: -3, maximum: 12) var code: Int16 = -3
    @Attribute(hashModifier: "wide") var count32: Int32? = 7
    @Attribute var count64: Int?
    @Attribute var date: Date = Date(timeIntervalSinceReferenceDate: 86400.0)
    @Attribute var flag: Bool = true
    @Attribute var gain: Float? = 0.1
    @Attribute var identifier: UUID = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255))
    @Attribute var number: Int16?
    @Attribute var page: URL? = URL(string: "https://example.org/a") ?? URL(filePath: "/")
    @Attribute(maximum: Decimal(string: "99.5") ?? 0) var price: Decimal? = Decimal(string: "12.5") ?? 0
    @Attribute var ratio: Double = 0.25
    @Attribute(.preserveValueOnDeletion, .spotlight) var raw: Foundation.Data?
    @Attribute("record") var recordValue: String?
    @Attribute(.ephemeral) var state: String?
    @Attribute(derivation: "tracks.@count") var trackCount: Int?
    @Relationship(deleteRule: .cascade, hasInverse: false, isOptional: false) var cover: Track?
    @Relationship(
      deleteRule: .cascade,
      minimumModelCount: 1,
      maximumModelCount: 30,
      originalName: "songs",
      inverse: \Track.$album,
      userInfo: ["note": "sides"]
    )
    var tracks: [Track]
    @FetchedProperty("album == $FETCH_SOURCE AND length < 60", fetchLimit: 5) var shortTracks: [Track]
    override class var hashModifier: String? { "second" }
    override class var uniquenessConstraints: [Unique] { [Unique(\Set.$code, \Set.$number), Unique(\Set.$case)] }
    override class var indexes: [Index] { [Index(\Set.$code, \Set.$title, name: "byCode")] }
  }

  final class Track: Entity {
    @Attribute(userInfo: ["unit": "s"]) var length: Double?
    @Attribute(.unique) var number: Int
    @Relationship(deleteRule: .deny, isOptional: false) var album: Set?
    @Relationship(isOptional: false) var tags: Swift.Set<Data>
  }
}
