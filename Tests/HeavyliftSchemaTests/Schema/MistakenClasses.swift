import Foundation
import HeavyliftSchema

/// Classes with mistakes, one enumeration for each row of `SchemaMistakeTests`.
enum SameName {
  enum A { final class Track: Entity { @Attribute var title: String? } }
  enum B { final class Track: Entity { @Attribute var title: String? } }
}

enum MissingSuperclass {
  class Media: Entity { @Attribute var title: String? }
  final class Track: Media { @Attribute var seconds: Int? }
}

enum MissingModel {
  final class Track: Entity { @Relationship var artists: Set<Artist> }
  final class Artist: Entity { @Attribute var name: String? }
}

enum OtherVersion {
  enum V1 {
    final class Track: Entity { @Attribute var title: String? }
    final class Artist: Entity { @Relationship var tracks: Set<Track> }
  }
  enum V2 { final class Track: Entity { @Attribute var title: String? } }
}

enum Unmarked {
  final class Track: Entity {
    @Attribute var title: String?
    var rating = 0
    lazy var length = 5
    @Transient var isPlaying = false
  }
}

enum SameProperty {
  final class Track: Entity {
    @Attribute("name") var title: String?
    @Attribute var name: String?
  }
}

enum ForeignAbstraction {
  final class Track: Entity {
    @Attribute var title: String?
    override class var abstractEntity: Entity.Type? { Artist.self }
  }
  final class Artist: Entity { @Attribute var name: String? }
}

enum NotCodable {
  struct Color { var red = 0.0 }
  final class Track: Entity { @Attribute var color: Color = Color() }
}

enum OtherInteger { final class Track: Entity { @Attribute var position: UInt64 = 0 } }

enum NestedOptional { final class Track: Entity { @Attribute var rating: Int?? } }

enum EntityAttribute {
  final class Track: Entity { @Attribute var artist: Artist? }
  final class Artist: Entity { @Attribute var name: String? }
}

enum UnknownCases {
  enum Mood: Codable { case calm, wild }
  final class Track: Entity { @Attribute var mood: Mood? }
}

enum AssociatedValues {
  enum Source: Codable, CaseIterable {
    case disc(Int), stream
    static let allCases: [Source] = [.disc(1), .stream]
  }
  final class Track: Entity { @Attribute var source: Source? }
}

enum OpaqueStructure {
  struct Point: Codable {
    var x: Double
    var y: Double
    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      x = try container.decode(Double.self)
      y = try container.decode(Double.self)
    }
  }
  struct Half: Codable {
    var kept = 1
    var skipped = 2
    enum CodingKeys: String, CodingKey { case kept }
  }
  final class Track: Entity {
    @Attribute var point: Point?
    @Attribute var half: Half?
  }
}

enum ElementWithoutValue {
  enum Unit: String, Codable { case second, minute }
  struct Length: Codable {
    var amount: Int
    var unit: Unit
  }
  final class Track: Entity { @Attribute var length: Length? }
}

enum NoPlaceholder {
  enum Kind: String, Codable { case studio, live }
  final class Track: Entity {
    @Attribute var kind: Kind
    @Attribute var other: Kind = .live
    @Attribute var none: Kind?
  }
}

enum TransformedText { final class Track: Entity { @Attribute(.transformable(by: "T")) var color: String? } }

enum UnstorableDefault {
  struct Point: Codable { var x: Double }
  final class Track: Entity { @Attribute var point = Point(x: .infinity) }
}

enum SameComposite {
  enum A { struct Point: Codable { var x: Double } }
  enum B { struct Point: Codable { var y: Double } }
  final class Track: Entity {
    @Attribute var start: A.Point?
    @Attribute var end: B.Point?
  }
}

enum AttributeAsInverse {
  final class Track: Entity {
    @Relationship(inverse: \Artist.$name) var artists: Set<Artist>
    @Relationship(inverse: \Artist.tracks) var others: Set<Artist>
  }
  final class Artist: Entity {
    @Attribute var name: String?
    @Relationship var tracks: Set<Track>
  }
}

enum UnknownInverse {
  final class Track: Entity { @Relationship(inverseName: "trakcs") var artists: Set<Artist> }
  final class Artist: Entity { @Relationship var tracks: Set<Track> }
}

enum InverseOfOtherClass {
  final class Track: Entity { @Relationship(inverse: \Label.$tracks) var artists: Set<Artist> }
  final class Artist: Entity { @Attribute var name: String? }
  final class Label: Entity { @Relationship(hasInverse: false) var tracks: Set<Track> }
}

enum InverseLeadsElsewhere {
  final class Track: Entity { @Relationship(inverse: \Artist.$labels) var artists: Set<Artist> }
  final class Artist: Entity { @Relationship var labels: Set<Label> }
  final class Label: Entity { @Attribute var name: String? }
}

enum InverseClaimedTwice {
  final class Track: Entity {
    @Relationship(inverse: \Artist.$tracks) var artists: Set<Artist>
    @Relationship(inverse: \Artist.$tracks) var composers: Set<Artist>
  }
  final class Artist: Entity { @Relationship var tracks: Set<Track> }
}

enum InversesDisagree {
  final class Track: Entity {
    @Relationship(inverseName: "tracks") var artists: Set<Artist>
    @Relationship var composers: Set<Artist>
  }
  final class Artist: Entity { @Relationship(inverse: \Track.$composers) var tracks: Set<Track> }
}

enum InverseWithoutInverse {
  final class Track: Entity { @Relationship(inverse: \Artist.$tracks) var artists: Set<Artist> }
  final class Artist: Entity { @Relationship(hasInverse: false) var tracks: Set<Track> }
}

enum AmbiguousInverse {
  final class Track: Entity {
    @Relationship var artists: Set<Artist>
    @Relationship var composer: Artist?
  }
  final class Artist: Entity { @Relationship var tracks: Set<Track> }
}

enum Parents {
  final class Person: Entity {
    @Relationship var mother: Person?
    @Relationship var father: Person?
  }
}

enum InitialTargets {
  final class Track: Entity {
    @Relationship var artists: [Artist] = [Artist.sample()]
  }
  final class Artist: Entity {
    @Attribute var name: String?
    static func sample() -> Artist { EntityTypeAccess.prototype(of: Artist.self) }
  }
}

enum UnknownProperty {
  final class Track: Entity {
    @Attribute var title: String?
    @Attribute var year: Int?
    override class var uniquenessConstraints: [Unique] { [Unique("tilte", "year")] }
    override class var indexes: [Index] { [Index("years")] }
  }
}

enum PropertyOfOtherClass {
  final class Track: Entity {
    @Attribute var title: String?
    override class var indexes: [Index] { [Index(\Artist.$name)] }
  }
  final class Artist: Entity { @Attribute var name: String? }
}

enum NotAProperty {
  final class Track: Entity {
    @Attribute var title: String?
    override class var indexes: [Index] { [Index(\Track.title)] }
  }
}

enum WithoutColumn {
  struct Point: Codable { var x: Double }
  final class Track: Entity {
    @Attribute var point: Point?
    @Relationship var artists: Set<Artist>
    override class var uniquenessConstraints: [Unique] { [Unique(\Track.$artists)] }
    override class var indexes: [Index] { [Index(\Track.$point)] }
  }
  final class Artist: Entity { @Attribute var name: String? }
}

enum EmptyDeclarations {
  final class Track: Entity {
    @Attribute var title: String?
    override class var uniquenessConstraints: [Unique] { [Unique()] }
    override class var indexes: [Index] { [Index()] }
  }
}

enum UnsuitableUnique {
  struct Point: Codable { var x: Double }
  final class Track: Entity { @Attribute(.unique) var point: Point? }
}

enum InvalidPredicate {
  final class Artist: Entity { @FetchedProperty("artist ==") var tracks: [Track] }
  final class Track: Entity { @Attribute var title: String? }
}

enum FetchedMissingModel {
  final class Artist: Entity { @FetchedProperty("artist == $FETCH_SOURCE") var tracks: [Track] }
  final class Track: Entity { @Attribute var title: String? }
}

enum ReservedName { final class Track: Entity { @Attribute("objectID") var identifier: Int? } }

enum IllegalName { final class Track: Entity { @Attribute("first title") var title: String? } }

enum Counts {
  final class Track: Entity {
    @Relationship(minimumModelCount: 3, maximumModelCount: 2, hasInverse: false) var artists: Set<Artist>
  }
  final class Artist: Entity { @Attribute var name: String? }
}

enum OrderedToOne {
  final class Track: Entity { @Relationship(isOrdered: true) var artist: Artist? }
  final class Artist: Entity { @Relationship var tracks: Set<Track> }
}

enum Bounds {
  final class Track: Entity { @Attribute(minimum: 5, maximum: 1) var rating: Int? }
}

enum Pattern {
  final class Track: Entity { @Attribute(pattern: "[a-z") var code: String? }
}

enum DefaultOutsideBounds {
  final class Track: Entity { @Attribute(minimum: 1) var rating: Int = 0 }
}

enum SamePropertyInSubclass {
  class Media: Entity { @Attribute var title: String? }
  final class Track: Media { @Attribute("title") var name: String? }
}

enum DerivedTransient {
  final class Track: Entity {
    @Attribute(.ephemeral, derivation: "title.length") var length: Int?
    @Attribute var title: String?
  }
}

enum Versioned {
  final class Track_v1: Entity { @Attribute var title: String? }
  final class Track_v2: Entity { @Attribute var title: String? }
}
