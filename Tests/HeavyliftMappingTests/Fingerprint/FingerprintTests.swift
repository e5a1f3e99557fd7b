import Foundation
import HeavyliftModel
import Testing

@testable import HeavyliftMapping

/// The fingerprints of the models that a mapping was written for, and the messages for other models.
@Suite struct FingerprintTests {
  private static func music(_ change: (inout EntityDescription) -> Void = { _ in }) -> ManagedObjectModel {
    var track = EntityDescription(
      name: "Track",
      attributes: [
        AttributeDescription(name: "seconds", type: .integer32), AttributeDescription(name: "title", type: .string),
      ],
      relationships: [
        RelationshipDescription(
          name: "album", destinationEntityName: "Album", inverseName: "tracks", inverseEntityName: "Album", maxCount: 1)
      ])
    change(&track)
    let album = EntityDescription(
      name: "Album",
      relationships: [
        RelationshipDescription(
          name: "tracks", destinationEntityName: "Track", inverseName: "album", inverseEntityName: "Track")
      ])
    return ManagedObjectModel(name: "Music 1", entities: [track, album])
  }

  static let table: [(name: String, change: @Sendable (inout EntityDescription) -> Void, expected: [String])] = [
    ("nothing", { _ in }, []),
    ("a type", { $0.attributes[0].type = .integer64 }, ["property 'seconds' of entity 'Track' has changed"]),
    ("optionality", { $0.attributes[1].isOptional = false }, ["property 'title' of entity 'Track' has changed"]),
    ("a default", { $0.attributes[0].defaultValue = 1 }, ["property 'seconds' of entity 'Track' has changed"]),
    (
      "a derivation", { $0.attributes[1].derivationExpression = "now()" },
      ["property 'title' of entity 'Track' has changed"]
    ),
    ("storage", { $0.attributes[1].isTransient = true }, ["property 'title' of entity 'Track' has changed"]),
    ("an order", { $0.relationships[0].isOrdered = true }, ["property 'album' of entity 'Track' has changed"]),
    ("a count", { $0.relationships[0].maxCount = 0 }, ["property 'album' of entity 'Track' has changed"]),
    ("a class", { $0.managedObjectClassName = "Track" }, []),
    ("user info", { $0.attributes[0].userInfo["key"] = "value" }, []),
    (
      "a parent", { $0.superentityName = "Album" },
      ["entity 'Track' itself has changed: its parent, constraints or flags"]
    ),
    (
      "a constraint", { $0.uniquenessConstraints = [.init(["title"])] },
      ["entity 'Track' itself has changed: its parent, constraints or flags"]
    ),
    (
      "one more", { $0.attributes.append(AttributeDescription(name: "added", type: .date)) },
      ["property 'added' of entity 'Track' was added"]
    ),
    ("one less", { $0.attributes.remove(at: 1) }, ["property 'title' of entity 'Track' was removed"]),
    (
      "a name", { $0.attributes[0].name = "length" },
      [
        "property 'length' of entity 'Track' was added",
        "property 'seconds' of entity 'Track' was removed, perhaps renamed to 'length'",
      ]
    ),
    (
      "a name and a type", { $0.attributes[1] = AttributeDescription(name: "titel", type: .uri) },
      [
        "property 'titel' of entity 'Track' was added",
        "property 'title' of entity 'Track' was removed, perhaps renamed to 'titel'",
      ]
    ),
  ]

  @Test(arguments: table.indices) func `changes are named`(row: Int) {
    let (name, change, expected) = Self.table[row]
    let reference = ModelReference(fingerprints: Self.music().fingerprints)
    #expect(reference.changes(in: Self.music(change)).map(\.description) == expected, "\(name)")
  }

  @Test func `an entity is known by its properties under another name`() {
    let reference = ModelReference(pinning: Self.music())
    var model = Self.music()
    model.name = "Music 1b"
    model.entities[1].name = "Song"
    #expect(
      reference.changes(in: model).map(\.description) == [
        "the model is named 'Music 1b', not 'Music 1'",
        "this model's checksum is '\(model.versionChecksum)', not '\(Self.music().versionChecksum)'",
        "entity 'Song' was added", "entity 'Track' was removed, perhaps renamed to 'Song'",
      ])
  }

  @Test func `a digest has eight stable digits`() {
    // Fingerprints are saved in files: with a different digest, every pinned mapping would be refused.
    let fingerprint = EntityFingerprint(of: Self.music().entities[1], in: Self.music())
    #expect(
      fingerprint.properties == [
        "SELF": "12d86dc2", "album": "713015d7", "seconds": "328eb0b4", "title": "d65a9a96",
      ])
    #expect(Self.music().fingerprints["Track"] == fingerprint)
  }

  @Test func `an element of a composite type is a part of the attribute`() {
    func model(_ element: AttributeType) -> ManagedObjectModel {
      ManagedObjectModel(
        entities: [
          EntityDescription(
            name: "Shape", attributes: [AttributeDescription(name: "place", type: .composite, compositeName: "Point")])
        ], composites: [CompositeDescription(name: "Point", elements: [AttributeDescription(name: "x", type: element)])]
      )
    }
    let reference = ModelReference(fingerprints: model(.double).fingerprints)
    #expect(reference.changes(in: model(.double)).isEmpty)
    #expect(reference.changes(in: model(.float)) == [.propertyChanged("place", entity: "Shape")])
  }

  @Test func `a composite type that contains itself terminates`() {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "A", attributes: [AttributeDescription(name: "a", type: .composite, compositeName: "Z")])
      ],
      composites: [
        CompositeDescription(
          name: "Z", elements: [AttributeDescription(name: "z", type: .composite, compositeName: "Z")])
      ])
    #expect(ModelReference(pinning: model).changes(in: model).isEmpty)
  }

  @Test func `nothing is guessed if everything is new`() {
    // Comparing thousands of names with thousands of others would take minutes.
    var fingerprints: [String: EntityFingerprint] = [:]
    for number in 0..<4000 { fingerprints["Old\(number)"] = EntityFingerprint(properties: ["p": "00000000"]) }
    let model = ManagedObjectModel(entities: (0..<4000).map { EntityDescription(name: "New\($0)") })
    let changes = ModelReference(fingerprints: fingerprints).changes(in: model)
    #expect(changes.count == 8000)
    #expect(changes.contains(.entityRemoved("Old0", likelyName: nil)))
  }

  // MARK: Messages

  private func message(_ reference: ModelReference, _ model: ManagedObjectModel) -> String? {
    reference.mismatch(with: model, as: .source, knowing: [Self.music()])?.description
  }

  @Test func `a mapping for another model says which property has changed`() {
    let edited = Self.music { $0.attributes[0].type = .string }
    #expect(
      message(ModelReference(pinning: Self.music()), edited) == """
        error[mapping.other-model]: source model 'Music 1' is not the one that the mapping was written for: property \
        'seconds' of entity 'Track' has changed
          update the mapping for this model with 'heavylift rebase', or use model 'Music 1', which has the pinned \
        checksum
        """)
    #expect(message(ModelReference(pinning: Self.music()), Self.music()) == nil)
  }

  @Test func `a change without effect on the checksum is a warning`() {
    let edited = Self.music { $0.attributes[0].defaultValue = 1 }
    #expect(
      message(ModelReference(pinning: Self.music()), edited) == """
        warning[mapping.edited-model]: source model 'Music 1' has changed since the mapping was written, in ways that \
        the checksum does not cover: property 'seconds' of entity 'Track' has changed
          check that the mapping still does what it should, then pin the model again with 'heavylift rebase'
        """)
  }

  @Test func `a name alone is compared with a name`() {
    #expect(
      message(ModelReference(name: "Music 3"), Self.music()) == """
        error[mapping.other-model]: the mapping was written for source model 'Music 3', not for 'Music 1'
          use model 'Music 3', or a mapping for 'Music 1'
        """)
    var nameless = Self.music()
    nameless.name = nil
    #expect(message(ModelReference(name: "Music 3"), nameless) == nil)
    #expect(message(ModelReference(), Self.music()) == nil)
    // A checksum takes precedence over a name.
    #expect(message(ModelReference(name: "Old", checksum: nameless.versionChecksum), Self.music()) == nil)
  }

  @Test func `a checksum alone reports a difference and the missing names`() throws {
    let mapping = MappingModel(
      source: ModelReference(checksum: "AAAA"),
      entityMappings: [
        EntityMappingDescription(
          source: "Track", destination: "Track",
          properties: [.attribute("title", try .init(parsing: "$source.album.nmae"))]),
        EntityMappingDescription(source: "Cover", destination: "Cover"),
      ])
    #expect(
      mapping.mismatches(source: Self.music(), destination: Self.music()).map(\.description) == [
        """
        error[mapping.other-model]: source model 'Music 1' is not the one that the mapping was written for: this model's \
        checksum is '\(Self.music().versionChecksum)', not 'AAAA'; the mapping has no fingerprints to show what changed; the \
        mapping refers to parts that this model lacks: property 'nmae' of entity 'Album'; entity 'Cover' of the source \
        model
          update the mapping for this model with 'heavylift rebase', or use the model that it was written for
        """
      ])
  }

  @Test func `names are checked everywhere in a mapping`() throws {
    let mapping = MappingModel(
      entityMappings: [
        EntityMappingDescription(
          source: "Track", destination: "Track", filter: try .init(parsing: "album.year > 3 AND titel != nil"),
          sourceExpression: try .init(
            parsing: """
              FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Track", "rank > 1"), \
              $manager.sourceContext, NO)
              """),
          properties: [
            .attribute("gone", try .init(parsing: "7")),
            .attribute("title", try .init(parsing: "SUBQUERY($source.album.tracks, $x, $x.length > 3).@count")),
            .attribute(
              "seconds", try .init(parsing: #"FUNCTION($source, "valueForKeyPath:", "album.tracks.@max.size")"#)),
            .relationship("album", from: try .init(parsing: "$source.record.objectID")),
          ])
      ])
    #expect(
      mapping.missingNames(from: Self.music(), to: Self.music()).map(\.description) == [
        "property 'year' of entity 'Album'", "property 'titel' of entity 'Track' (perhaps 'title')",
        "property 'rank' of entity 'Track'", "property 'gone' of entity 'Track'", "property 'length' of entity 'Track'",
        "property 'size' of entity 'Track'", "property 'record' of entity 'Track'",
      ])
  }
}
