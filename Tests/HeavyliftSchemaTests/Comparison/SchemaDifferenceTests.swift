import Foundation
import HeavyliftConcurrency
import HeavyliftSchema
import Testing

enum DifferenceV1 {
  struct Point: Codable { var x = 0.0 }
  final class Track: Entity {
    @Attribute var json: String?
    @Attribute var position: Point?
    @Attribute var rating: Int?
    @Relationship var artists: Set<Artist>
  }
  final class Artist: Entity { @Attribute var name: String? }
  final class Label: Entity { @Attribute var city: String? }
}

enum DifferenceV2 {
  struct Point: Codable {
    var x = 0.0
    var y = 0.0
  }
  final class Track: Entity {
    @Attribute var legacyJSON: String?
    @Attribute var note: String?
    @Attribute var position: Point?
    @Attribute(originalName: "rating") var stars: Int?
    @Attribute var id = UUID()
    @Attribute var addedAt = Date()
    @Attribute var count = 1
    @Relationship var performers: Set<Artist>
  }
  final class Artist: Entity { @Attribute var name: String? }
  final class Company: Entity { @Attribute var city: String? }
}

enum DifferenceV3 {
  struct Point: Codable {
    var x = 0.0
    var y = 0.0
  }
  final class Track: Entity {
    @Attribute var position: Point?
  }
}

enum DifferenceV4 {
  struct Point: Codable {
    var x = 0.0
    var y = 0.0
    var z = 0.0
  }
  final class Track: Entity {
    @Attribute var position: Point?
  }
}

enum SlowClock {
  private static let reads = Locked(0)

  /// Returns the same date twice, like a clock that is read twice within its resolution.
  static func now() -> Date {
    let count = reads.withLock { reads in
      reads += 1
      return reads
    }
    return Date(timeIntervalSinceReferenceDate: Double((count - 1) / 2))
  }

  final class Track: Entity {
    @Attribute var addedAt = SlowClock.now()
  }
}

@Suite struct SchemaDifferenceTests {
  private let old: Schema
  private let new: Schema

  init() throws {
    old = try Schema([DifferenceV1.Track.self, DifferenceV1.Artist.self, DifferenceV1.Label.self])
    new = try Schema([DifferenceV2.Track.self, DifferenceV2.Artist.self, DifferenceV2.Company.self])
  }

  @Test func `the current date is not the same for all objects, even if the clock has not moved`() throws {
    let difference = try Schema([SlowClock.Track.self]).difference(from: Schema([DifferenceV4.Track.self]))
    #expect(difference.diagnostics.contains { $0.code == "schema.one-value-for-all" })
  }

  @Test func `a removal and an addition of the same type ask for a renaming`() {
    #expect(
      new.difference(from: old).diagnostics.map(\.description).joined(separator: "\n") == """
        warning[schema.renamed]: the schema no longer has entity 'Label', but a new entity with the same \
        properties, 'Company'
          if it was renamed, override 'originalName' in class 'DifferenceV2.Company' and return "Label"; otherwise, \
        a migration drops its objects
        warning[schema.renamed]: class 'DifferenceV2.Track' no longer has attribute 'json', but new ones of the \
        same type, 'legacyJSON', 'note'
          if it was renamed, declare the new one with 'originalName: "json"'; otherwise, a migration drops its values
        warning[schema.renamed]: class 'DifferenceV2.Track' no longer has relationship 'artists', but a new \
        relationship of the same type, 'performers'
          if it was renamed, declare the new one with 'originalName: "artists"'; otherwise, a migration drops its \
        links
        warning[schema.one-value-for-all]: attribute 'addedAt' of class 'DifferenceV2.Track' is new, and its \
        initial value differs each time: a migration without code gives all existing objects the same value
          set it for each object in the 'didMigrate' of a custom stage or in a mapping, or make the attribute optional \
        and remove the initial value
        warning[schema.one-value-for-all]: attribute 'id' of class 'DifferenceV2.Track' is new, and its initial \
        value differs each time: a migration without code gives all existing objects the same value
          set it for each object in the 'didMigrate' of a custom stage or in a mapping, or make the attribute optional \
        and remove the initial value
        """)
  }

  @Test func `a structure whose elements differ is a difference, although the version hash is the same`() throws {
    let (old, new) = (try Schema([DifferenceV3.Track.self]), try Schema([DifferenceV4.Track.self]))
    let difference = new.difference(from: old)
    #expect(old.model.versionHashes == new.model.versionHashes)
    #expect(difference.model.isEmpty)
    #expect(!difference.isEmpty)
    #expect(
      difference.description == """
        attribute 'position' of entity 'Track': Point?(x: Double, y: Double) → \
        Point?(x: Double, y: Double, z: Double)
        """)
    #expect(new.difference(from: new).isEmpty)
  }
}
