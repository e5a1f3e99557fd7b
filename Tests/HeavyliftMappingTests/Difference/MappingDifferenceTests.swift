import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftMapping

/// The differences between two mappings, and their text.
@Suite struct MappingDifferenceTests {
  private func mapping() throws -> MappingModel {
    MappingModel(
      source: ModelReference(name: "Music 1"), destination: ModelReference(name: "Music 2"),
      entityMappings: [
        EntityMappingDescription(
          source: "Track", destination: "Song",
          properties: [
            .attribute("duration", try .init(parsing: "$source.seconds")),
            .relationship("album", through: "AlbumToAlbum"),
          ]),
        EntityMappingDescription(source: "Album", destination: "Album"),
        EntityMappingDescription(type: .remove, source: "Cache"),
      ])
  }

  private func difference(_ change: (inout MappingModel) throws -> Void) throws -> String {
    var new = try mapping()
    try change(&new)
    return MappingDifference(from: try mapping(), to: new).description
  }

  @Test func `equal mappings do not differ`() throws {
    #expect(try difference { _ in } == "no differences")
  }

  @Test func `differences in values filters policies and user info are reported`() throws {
    #expect(
      try difference {
        $0.copying = .listed
        $0.destination.checksum = "AAAA"
        $0.entityMappings[0].filter = try .init(parsing: "title != nil")
        $0.entityMappings[0].policyClassName = "SongPolicy"
        $0.entityMappings[0].userInfo["version"] = "2"
        $0.entityMappings[0].propertyMappings[0].source = .expression(try .init(parsing: "$source.seconds * 1000"))
        $0.entityMappings[0].propertyMappings[1] = PropertyMappingDescription(
          .attribute, name: "rating", source: .unmapped)
      } == """
        mapping model
            itself  destination-checksum  none → 'AAAA'
            itself  copy                  everything → listed

        entity mapping 'TrackToSong': 6 changes
            itself                where              none → title != nil
            itself                policy             none → 'SongPolicy'
            itself                user-info.version  none → '2'
            attribute 'duration'  value              $source.seconds → $source.seconds * 1000
            attribute 'rating'    added              value = not mapped
            relationship 'album'  removed            value = the counterparts of the objects of the same name through \
        'AlbumToAlbum'
        """)
  }

  @Test func `added removed moved and renamed mappings are reported`() throws {
    #expect(
      try difference {
        $0.entityMappings.removeLast()
        $0.entityMappings.swapAt(0, 1)
        $0.entityMappings[1].givenName = "Songs"
        $0.entityMappings.append(EntityMappingDescription(type: .add, destination: "Cover"))
      } == """
        entity mapping 'AlbumToAlbum': 1 change
            itself  order  after 'TrackToSong' → first

        entity mapping 'Songs': renamed from 'TrackToSong', 1 change
            itself  name  none → 'Songs'

        entity mapping 'Cover': added
            itself  type         add
            itself  destination  'Cover'

        entity mapping 'RemoveCache': removed
        """)
  }

  @Test func `only what moved has moved`() throws {
    var old = MappingModel()
    for number in 1...5 { old.entityMappings.append(EntityMappingDescription(source: "E\(number)", destination: "E")) }
    var new = old
    new.entityMappings.append(new.entityMappings.removeFirst())
    let difference = MappingDifference(from: old, to: new)
    #expect(difference.entityMappings.map(\.name) == ["E1ToE"])
    #expect(difference.entityMappings.map(\.isMoved) == [true])
  }

  @Test func `complete mappings differ where the models make the same text mean something else`() throws {
    let track = EntityDescription(name: "Track", attributes: [AttributeDescription(name: "rank", type: .integer16)])
    var song = EntityDescription(name: "Track", attributes: [AttributeDescription(name: "rank", type: .integer32)])
    let mapping = MappingModel(entityMappings: [EntityMappingDescription(source: "Track", destination: "Track")])
    let old = ManagedObjectModel(entities: [track])
    let before = mapping.complete(from: old, to: ManagedObjectModel(entities: [song]))
    song.attributes[0].type = .date
    let after = mapping.complete(from: old, to: ManagedObjectModel(entities: [song]))
    #expect(MappingDifference(from: before, to: before).isEmpty)
    #expect(
      MappingDifference(from: before, to: after).description == """
        entity mapping 'TrackToTrack': 2 changes
            attribute 'rank'  value   $source.rank → none
            attribute 'rank'  origin  copied from 'rank' → the type of 'rank' does not fit
        """)
  }

  // MARK: Laws

  private static let seeds = 0..<200 as Range<UInt64>

  /// Returns a mapping, and the same mapping after zero or more changes.
  private static func pair(_ seed: UInt64) throws -> (MappingModel, MappingModel) {
    var generator = MappingGenerator(seed: seed)
    let model = generator.model()
    let old = try generator.mapping(from: model, to: model)
    if generator.chance(5) { return (old, try generator.mapping(from: model, to: model)) }
    var new = old
    for _ in 0..<Int.random(in: 0...2, using: &generator.random) {
      let place = Int.random(in: new.entityMappings.indices, using: &generator.random)
      switch Int.random(in: 0..<8, using: &generator.random) {
      case 0: new.entityMappings.shuffle(using: &generator.random)
      case 1: new.entityMappings.append(new.entityMappings[place])
      case 2: if new.entityMappings.count > 1 { new.entityMappings.remove(at: place) }
      case 3: new.entityMappings[place].givenName = generator.pick([nil, "E1ToE1", "Other"])
      case 4: new.entityMappings[place].propertyMappings.shuffle(using: &generator.random)
      case 5:
        if !new.entityMappings[place].propertyMappings.isEmpty {
          new.entityMappings[place].propertyMappings[0].source = generator.pick([.automatic, .unmapped])
        }
      case 6: new.entityMappings[place].filter = generator.pick([nil, try MappingPredicate(parsing: "p1 = 1")])
      default: new.copying = generator.pick(ConservativeCopy.allCases)
      }
    }
    return (old, new)
  }

  @Test(arguments: seeds) func `the difference is empty exactly for equal mappings`(seed: UInt64) throws {
    let (old, new) = try Self.pair(seed)
    let difference = MappingDifference(from: old, to: new)
    #expect(difference.isEmpty == (old == new), "seed \(seed)\n\(difference)")
    #expect(MappingDifference(from: new, to: old).isEmpty == difference.isEmpty, "seed \(seed)")
    #expect((difference.description == "no differences") == difference.isEmpty, "seed \(seed)")
  }

  @Test(arguments: seeds) func `the longest increase is as long as any`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let numbers = Array(0..<Int.random(in: 0...8, using: &random)).shuffled(using: &random)
    let found = LongestIncrease.places(in: numbers).sorted().map { numbers[$0] }
    #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
    let longest = (0..<(1 << numbers.count)).map { choice in
      let part = numbers.indices.filter { choice & (1 << $0) != 0 }.map { numbers[$0] }
      return zip(part, part.dropFirst()).allSatisfy { $0 < $1 } ? part.count : 0
    }.max()
    #expect(found.count == longest, "seed \(seed)")
  }
}
