import Foundation
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

@Suite struct SchemaModelTests {
  @Test func `classes describe a model in Core Data's form`() throws {
    let schema = try Schema(Music.types, version: Schema.Version(1, 2, 3))
    var expected = ManagedObjectModel(versionIdentifiers: ["1.2.3"])
    expected.entities = [
      EntityDescription(
        name: "Work", isAbstract: true,
        attributes: [
          AttributeDescription(name: "addedAt", type: .date),
          AttributeDescription(
            name: "id", type: .uuid, isOptional: false,
            defaultValue: schema.model.entity(named: "Work")?.attribute(named: "id")?.defaultValue ?? .null),
          AttributeDescription(name: "title", type: .string, isOptional: false),
        ],
        fetchIndexes: [FetchIndexDescription(name: "byTitle", elements: [.init(propertyName: "title")])]),
      EntityDescription(
        name: "Track", superentityName: "Work",
        attributes: [
          AttributeDescription(name: "number", type: .integer64, isOptional: false, defaultValue: 1),
          AttributeDescription(name: "kind", type: .string, isOptional: false, defaultValue: "studio"),
          AttributeDescription(
            name: "position", type: .transformable, valueTransformerName: "NSSecureUnarchiveFromData"),
        ],
        relationships: [
          RelationshipDescription(
            name: "album", destinationEntityName: "Album", inverseName: "tracks", inverseEntityName: "Album",
            maxCount: 1),
          RelationshipDescription(
            name: "artists", destinationEntityName: "Artist", inverseName: "tracks", inverseEntityName: "Artist"),
        ], uniquenessConstraints: [.init(["album", "number"])]),
      EntityDescription(
        name: "Album", superentityName: "Work",
        relationships: [
          RelationshipDescription(
            name: "tracks", destinationEntityName: "Track", inverseName: "album", inverseEntityName: "Track",
            isOrdered: true, deleteRule: .cascade)
        ]),
      EntityDescription(
        name: "Artist", attributes: [AttributeDescription(name: "name", type: .string, isOptional: false)],
        relationships: [
          RelationshipDescription(
            name: "tracks", destinationEntityName: "Track", inverseName: "artists", inverseEntityName: "Track")
        ],
        fetchedProperties: [
          FetchedPropertyDescription(
            name: "late",
            fetchRequest: FetchRequestDescription(
              name: "fetchRequest", entityName: "Track",
              predicateString: "ANY artists == $FETCH_SOURCE AND number >= 2",
              sortKeys: [.init(keyPath: "number", isAscending: false)]))
        ], uniquenessConstraints: [.init(["name"])]),
    ]
    for (made, wanted) in zip(schema.model.entities, expected.entities) { #expect(made == wanted) }
    #expect(schema.model == expected)
    #expect(schema.warnings == [])
    #expect(schema.types.map { "\($0)" } == ["Album", "Artist", "Track", "Work"])
    #expect(schema.entityName(of: Music.Track.self) == "Track")
  }

  @Test func `a store in SwiftData's form has composites, JSON, and SwiftData's names of indexes`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("a.sqlite")
    _ = try ModelContainer(for: Profiled.Track.self, Profiled.Artist.self, at: url, profile: .swiftData)
    let text = try StoreText.schema(url).joined(separator: "\n")
    #expect(
      text == """
        CREATE INDEX ZARTIST_ZALBUM_INDEX ON ZARTIST (ZALBUM)
        CREATE INDEX ZTRACK_Z1FAVORITES_INDEX ON ZTRACK (Z1FAVORITES)
        CREATE INDEX Z_Track_SwiftDataIndexOnBinarytagstitle ON ZTRACK (ZTAGS COLLATE BINARY ASC, ZTITLE COLLATE \
        BINARY ASC)
        CREATE INDEX Z_Track_SwiftDataIndexOnBinarytitle ON ZTRACK (ZTITLE COLLATE BINARY ASC)
        CREATE INDEX Z_Track_title ON ZTRACK (ZTITLE COLLATE BINARY ASC)
        CREATE TABLE ZARTIST (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZALBUM INTEGER, ZID BLOB)
        CREATE TABLE ZTRACK (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZKIND INTEGER, ZDISC INTEGER, \
        Z1FAVORITES INTEGER, ZSECONDS FLOAT, ZCALM VARCHAR, ZWILD VARCHAR, ZTITLE VARCHAR, ZMARKS BLOB, ZTAGS BLOB)
        CREATE UNIQUE INDEX Z_Track_UNIQUE_title ON ZTRACK (ZTITLE COLLATE BINARY ASC)
        CREATE UNIQUE INDEX Z_Track_UNIQUE_title_tags ON ZTRACK (ZTITLE COLLATE BINARY ASC, ZTAGS COLLATE BINARY ASC)
        """)
  }

  @Test func `every option and parameter has its counterpart in the model`() throws {
    let model = try Schema([Options.Track.self, Options.Artist.self]).model
    let track = try #require(model.entity(named: "Track"))
    #expect(
      track
        == EntityDescription(
          name: "Track",
          attributes: [
            AttributeDescription(
              name: "big", type: .binaryData, allowsExternalBinaryDataStorage: true,
              preservesValueInHistoryOnDeletion: true),
            AttributeDescription(name: "brief", type: .string, isTransient: true, isIndexedBySpotlight: true),
            AttributeDescription(
              name: "code", type: .string,
              validation: AttributeValidation(minimumLength: 2, maximumLength: 4, regularExpression: "[a-z]+")),
            AttributeDescription(name: "color", type: .transformable, valueTransformerName: "ColorTransformer"),
            AttributeDescription(name: "length", type: .integer64, derivationExpression: "code.length"),
            AttributeDescription(
              name: "rating", type: .integer16, isOptional: true, defaultValue: 1,
              validation: AttributeValidation(minimum: 0, maximum: 5), renamingIdentifier: "stars",
              versionHashModifier: "2", userInfo: ["key": "value"]),
          ],
          relationships: [
            RelationshipDescription(
              name: "main", destinationEntityName: "Artist", isOptional: false, maxCount: 1, deleteRule: .deny,
              renamingIdentifier: "artist", versionHashModifier: "3", userInfo: ["a": "b"]),
            RelationshipDescription(
              name: "others", destinationEntityName: "Artist", isOptional: false, isOrdered: true, minCount: 1,
              maxCount: 3),
          ],
          fetchIndexes: [
            FetchIndexDescription(
              name: "latest",
              elements: [
                .init(propertyName: "rating", isAscending: false), .init(propertyName: "main", isAscending: false),
              ])
          ], renamingIdentifier: "Song", versionHashModifier: "1"))
  }

  @Test func `a subclass does not repeat the declarations of its superclass`() throws {
    let model = try Schema([Inherited.Work.self, Inherited.Track.self, Inherited.Single.self]).model
    #expect(model.entities.map(\.isAbstract) == [false, true, true])
    #expect(model.entities.map(\.name) == ["Single", "Track", "Work"])
    #expect(model.entities.map(\.uniquenessConstraints) == [[], [], [.init(["title"])]])
    #expect(model.entities.map(\.versionHashModifier) == [nil, nil, "1"])
    #expect(model.entities.map(\.superentityName) == ["Track", "Work", nil])
  }

  @Test func `the inverse is the only relationship that leads back`() throws {
    let model = try Schema([Tree.Node.self, Tree.Leaf.self]).model
    let node = try #require(model.entity(named: "Node"))
    #expect(node.relationship(named: "parent")?.inverseName == "children")
    #expect(node.relationship(named: "children")?.inverseName == "parent")
    #expect(node.relationship(named: "leaves")?.inverseName == "node")
    #expect(node.relationship(named: "shortcut")?.inverseName == nil)
    #expect(node.relationship(named: "neighbors")?.inverseName == "neighbors")
  }

  @Test func `versions are compared number by number`() {
    #expect(Schema.Version(1, 10, 0) > Schema.Version(1, 9, 9))
    #expect("\(Schema.Version(1, 10, 0))" == "1.10.0")
  }
}

private enum Profiled {
  enum Kind: Int, Codable { case studio, live }
  enum Mood: Codable, CaseIterable { case calm, wild }
  struct Position: Codable {
    var disc: Int
    var seconds: Double
    var marks: [Int]
  }

  final class Track: Entity {
    @Attribute(.unique) var title: String
    @Attribute var kind: Kind?
    @Attribute var mood: Mood = .calm
    @Attribute var position: Position
    @Attribute var tags: [String]
    @Relationship var artists: [Artist]
    override class var indexes: [Index] { [Index(\Track.$title), Index("tags", "title")] }
    override class var uniquenessConstraints: [Unique] { [Unique(\Track.$title, \Track.$tags)] }
  }

  final class Artist: Entity {
    @Attribute var id: UUID
    @Relationship var album: Track?
    @Relationship(hasInverse: false) var favorites: [Track]?
  }
}

private enum Options {
  final class Track: Entity {
    @Attribute(.externalStorage, .preserveValueOnDeletion, .allowsCloudEncryption) var big: Data?
    @Attribute(.ephemeral, .spotlight) var brief: String?
    @Attribute(minimumLength: 2, maximumLength: 4, pattern: "[a-z]+") var code: String?
    @Attribute(.transformable(by: "ColorTransformer")) var color: Data?
    @Attribute(derivation: "code.length") var length: Int?
    @Attribute(
      "rating", originalName: "stars", hashModifier: "2", minimum: 0, maximum: 5, isOptional: true,
      userInfo: ["key": "value"]) var score: Int16 = 1
    @Relationship(
      "main", deleteRule: .deny, originalName: "artist", hasInverse: false, isOptional: false, hashModifier: "3",
      userInfo: ["a": "b"]) var artist: Artist? = nil
    @Relationship(minimumModelCount: 1, maximumModelCount: 3, hasInverse: false, isOptional: false, isOrdered: true)
    var others: Set<Artist>
    override class var originalName: String? { "Song" }
    override class var hashModifier: String? { "1" }
    override class var indexes: [Index] { [Index(\Track.$score, \Track.$artist, name: "latest", isDescending: true)] }
  }

  final class Artist: Entity { @Attribute var name: String? }
}

private enum Inherited {
  class Work: Entity {
    @Attribute var title: String?
    override class var abstractEntity: Entity.Type? { Work.self }
    override class var uniquenessConstraints: [Unique] { [Unique(\Work.$title)] }
    override class var hashModifier: String? { "1" }
  }
  class Track: Work {
    override class var abstractEntity: Entity.Type? { Track.self }
  }
  final class Single: Track { @Attribute var number: Int? }
}

private enum Tree {
  final class Node: Entity {
    @Relationship(inverse: \Node.$children) var parent: Node?
    @Relationship var children: [Node]
    @Relationship var leaves: Set<Leaf>
    @Relationship(hasInverse: false) var shortcut: Node?
    @Relationship(inverseName: "neighbors") var neighbors: Set<Node>
  }
  final class Leaf: Entity { @Relationship var node: Node? }
}
