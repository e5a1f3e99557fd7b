import Foundation
import HeavyliftSchema

/// A small schema for tests.
enum Music {
  class Work: Entity {
    @Attribute var title: String
    @Attribute var addedAt: Date?
    @Attribute var id = UUID()
    override class var abstractEntity: Entity.Type? { Work.self }
    override class var indexes: [Index] { [Index(\Work.$title)] }
  }

  final class Track: Work {
    @Attribute var number: Int = 1
    @Attribute var kind: Kind = .studio
    @Attribute var position: Position?
    @Relationship(deleteRule: .nullify, inverse: \Album.$tracks) var album: Album?
    @Relationship var artists: Set<Artist>
    @Transient var isPlaying = false
    var loudTitle: String { title.uppercased() }
    override class var uniquenessConstraints: [Unique] { [Unique(\Track.$album, \Track.$number)] }

    convenience init(_ title: String, _ number: Int = 1, in context: ModelContext) throws {
      try self.init(in: context)
      (self.title, self.number) = (title, number)
    }
  }

  final class Album: Work {
    @Relationship(deleteRule: .cascade) var tracks: [Track]
  }

  final class Artist: Entity {
    @Attribute(.unique) var name: String
    @Relationship var tracks: Set<Track>
    @FetchedProperty("ANY artists == $FETCH_SOURCE AND number >= 2", sortBy: ["-number"]) var late: [Track]
  }

  enum Kind: String, Codable, CaseIterable { case studio, live }

  struct Position: Codable, Equatable {
    var disc: Int
    var seconds: Double?
  }

  static let types: [Entity.Type] = [Work.self, Track.self, Album.self, Artist.self]

  /// A new store in the folder.
  static func container(at url: URL, _ profile: StorageProfile = .coreData) throws -> ModelContainer {
    try ModelContainer(for: Schema(types, profile: profile), at: url)
  }
}
