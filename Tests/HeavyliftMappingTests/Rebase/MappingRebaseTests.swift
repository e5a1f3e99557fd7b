import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import Testing

/// Changes that a rebase makes, and conflicts that it leaves to the author.
@Suite struct MappingRebaseTests {
  private let source = ManagedObjectModel(
    name: "Music 1",
    entities: [
      EntityDescription(
        name: "Album", attributes: [AttributeDescription(name: "year", type: .integer16)],
        relationships: [
          RelationshipDescription(
            name: "tracks", destinationEntityName: "Track", inverseName: "album", inverseEntityName: "Track")
        ]),
      EntityDescription(
        name: "Track",
        attributes: [
          AttributeDescription(name: "seconds", type: .integer32), AttributeDescription(name: "title", type: .string),
        ],
        relationships: [
          RelationshipDescription(
            name: "album", destinationEntityName: "Album", inverseName: "tracks", inverseEntityName: "Album",
            maxCount: 1)
        ]),
    ])
  private var destination: ManagedObjectModel {
    var model = source
    model.name = "Music 2"
    model.entities[1].attributes.append(AttributeDescription(name: "duration", type: .double))
    return model
  }

  private func mapping() throws -> MappingModel {
    MappingModel(
      source: ModelReference(name: "Music 1"), destination: ModelReference(name: "Music 2"),
      entityMappings: [
        EntityMappingDescription(
          source: "Track", destination: "Track", filter: try .init(parsing: "album.year > 1900"), policy: "TrackPolicy",
          properties: [
            .attribute("duration", try .init(parsing: "$source.seconds * 1000")),
            .relationship("album", from: try .init(parsing: "$source.album"), through: "AlbumToAlbum"),
          ], userInfo: ["key": "value"], markup: MappingMarkup(comments: [" why "])),
        EntityMappingDescription(source: "Album", destination: "Album"),
      ])
  }

  private func edited(_ model: ManagedObjectModel, _ change: (inout ManagedObjectModel) -> Void) -> ManagedObjectModel {
    var model = model
    change(&model)
    return model
  }

  /// Returns the diagnostics, followed by the comments that mark conflicts.
  private func told(_ rebase: MappingRebase) -> [String] {
    rebase.conflicts.map(\.description) + rebase.notes.map(\.description)
  }

  private func marks(_ mapping: MappingModel) -> [String] {
    mapping.entityMappings.flatMap { mapping in
      (mapping.markup.comments + mapping.propertyMappings.flatMap(\.markup.comments)).filter { $0.contains("rebase:") }
    }
  }

  @Test func `a renamed property is renamed everywhere in the mapping`() throws {
    let new = edited(source) {
      $0.name = "Music 1b"
      $0.entities[0].name = "Record"
      $0.entities[0].renamingIdentifier = "Album"
      $0.entities[0].attributes[0].name = "published"
      $0.entities[0].attributes[0].renamingIdentifier = "year"
      for place in $0.entities.indices where $0.entities[place].name == "Track" {
        $0.entities[place].relationships[0].name = "record"
        $0.entities[place].relationships[0].renamingIdentifier = "album"
        $0.entities[place].relationships[0].destinationEntityName = "Record"
      }
    }
    let rebase = MappingRebase(
      try mapping(), source: ModelEdit(from: source, to: new), destination: .unchanged(destination))
    #expect(told(rebase).isEmpty)
    #expect(
      rebase.changes.description == """
        mapping model
            itself  source  'Music 1' → 'Music 1b'

        entity mapping 'TrackToTrack': 2 changes
            itself                where  album.year > 1900 → record.published > 1900
            relationship 'album'  value  the counterparts of $source.album through 'AlbumToAlbum' → the counterparts \
        of $source.record through 'RecordToAlbum'

        entity mapping 'RecordToAlbum': renamed from 'AlbumToAlbum', 1 change
            itself  source  'Album' → 'Record'
        """)
    let track = try #require(rebase.mappingModel.entityMapping(named: "TrackToTrack"))
    #expect(track.policyClassName == "TrackPolicy" && track.userInfo == ["key": "value"])
    #expect(track.markup.comments == [" why "])
  }

  @Test func `a removed key stays unchanged and is marked`() throws {
    let new = edited(source) { $0.entities[1].attributes[0].name = "length" }
    let rebase = MappingRebase(
      try mapping(), source: ModelEdit(from: source, to: new), destination: .unchanged(destination))
    #expect(
      told(rebase) == [
        """
        error[rebase.key-gone]: the value of attribute 'duration' of entity mapping 'TrackToTrack' uses 'seconds', which \
        entity 'Track' no longer has
          if it was renamed to 'length', use that name, or give 'length' the renaming identifier 'seconds' and rebase \
        again; \
        otherwise remove it
        """
      ])
    #expect(
      marks(rebase.mappingModel) == [
        """
         rebase: the value of attribute 'duration' of entity mapping 'TrackToTrack' uses 'seconds', which entity 'Track' \
        no longer has; if it was renamed to 'length', use that name, or give 'length' the renaming identifier \
        'seconds' and \
        rebase again; otherwise remove it\u{20}
        """
      ])
    let value = rebase.mappingModel.entityMappings[0].propertyMapping(named: "duration")?.source
    let written = try MappingExpression(parsing: "$source.seconds * 1000")
    #expect(value == .expression(written))
    #expect(
      rebase.mappingModel.openConflicts.map(\.description) == [
        """
        error[mapping.open-conflict]: attribute 'duration' of entity mapping 'TrackToTrack' has an unresolved conflict: \
        the value of attribute 'duration' of entity mapping 'TrackToTrack' uses 'seconds', which entity 'Track' no \
        longer has; if it was renamed to 'length', use that name, or give 'length' the renaming identifier 'seconds' \
        and \
        rebase again; otherwise remove it
          resolve the conflict, and delete the comment that starts with 'rebase:'
        """
      ])
    let check = rebase.mappingModel.complete(from: new, to: destination).check()
    #expect(check.contains { $0.code == "mapping.open-conflict" })
    // Rebasing again does not duplicate the marks.
    let again = MappingRebase(
      rebase.mappingModel, source: ModelEdit(from: source, to: new), destination: .unchanged(destination))
    #expect(marks(again.mappingModel) == marks(rebase.mappingModel))
  }

  private func conflicts(
    source newSource: ManagedObjectModel? = nil, destination newDestination: ManagedObjectModel? = nil
  ) throws -> [String] {
    let rebase = MappingRebase(
      try mapping(), source: ModelEdit(from: source, to: newSource ?? source),
      destination: ModelEdit(from: destination, to: newDestination ?? destination))
    #expect(marks(rebase.mappingModel).count == rebase.conflicts.count)
    return rebase.conflicts.map { "[\($0.code)] \($0.problem)" }
  }

  @Test func `each kind of conflict is reported`() throws {
    #expect(
      try conflicts(source: edited(source) { $0.entities[1].attributes[0].type = .string }) == [
        "[rebase.property-changed] 'seconds' in entity mapping 'TrackToTrack' was copied from 'seconds', which no longer "
          + "fits: it was of type Integer 32 and is now of type String",
        "[rebase.property-changed] the value of attribute 'duration' of entity mapping 'TrackToTrack' uses 'seconds' of "
          + "entity 'Track', which was of type Integer 32 and is now of type String",
      ])
    #expect(
      try conflicts(source: edited(source) { $0.entities[1].attributes[0].type = .integer64 }) == [],
      "what still fits needs no decision")
    #expect(
      try conflicts(source: edited(source) { $0.entities[1].attributes[0].type = .integer16 }).count == 1)
    #expect(
      try conflicts(
        destination: edited(destination) { $0.entities[1].attributes.removeAll { $0.name == "duration" } }) == [
          "[rebase.property-gone] entity mapping 'TrackToTrack' has a value for attribute 'duration', which entity 'Track' no "
            + "longer has"
        ])
    #expect(
      try conflicts(
        destination: edited(destination) {
          $0.entities[1].attributes.append(AttributeDescription(name: "added", type: .date, isOptional: false))
          $0.entities[0].attributes.append(AttributeDescription(name: "kind", type: .string, isOptional: false))
        }) == [
          "[rebase.missing-value] attribute 'kind' is new and mandatory, and entity mapping 'AlbumToAlbum' has no value for it"
        ], "a policy gives values of its own")
    #expect(
      try conflicts(destination: edited(destination) { $0.entities[1].relationships[0].maxCount = 0 }) == [
        "[rebase.property-changed] the value of 'album' in entity mapping 'TrackToTrack' was written when 'album' was "
          + "a to-one relationship; it is now a to-many relationship"
      ])
    #expect(
      try conflicts(source: edited(source) { $0.entities.remove(at: 0) }) == [
        "[rebase.entity-gone] entity mapping 'AlbumToAlbum' refers to source entity 'Album', which no longer "
          + "exists"
      ])
    #expect(
      try conflicts(destination: edited(destination) { $0.entities.remove(at: 0) }) == [
        "[rebase.entity-gone] entity mapping 'AlbumToAlbum' refers to destination entity 'Album', which no longer "
          + "exists"
      ])
  }

  @Test func `a removed property that is mentioned without a value reports no value`() throws {
    func told(_ mention: PropertyMappingDescription, _ change: (inout ManagedObjectModel) -> Void) throws -> [String] {
      var mapping = try mapping()
      mapping.entityMappings[1].propertyMappings = [mention]
      let rebase = MappingRebase(
        mapping, source: .unchanged(source),
        destination: ModelEdit(from: destination, to: edited(destination, change)))
      return rebase.conflicts.map { "\($0.code): \($0.problem) / \($0.remedy ?? "")" }
    }
    var unmapped = PropertyMappingDescription(.attribute, name: "year")
    unmapped.source = .unmapped
    #expect(
      try told(unmapped) { $0.entities[0].attributes = [] } == [
        "rebase.property-gone: entity mapping 'AlbumToAlbum' says that attribute 'year' is not copied, but entity 'Album' "
          + "no longer has it / remove it"
      ])
    #expect(
      try told(unmapped) { $0.entities[0].attributes[0].name = "published" } == [
        "rebase.property-gone: entity mapping 'AlbumToAlbum' says that attribute 'year' is not copied, but entity 'Album' "
          + "no longer has it / if it was renamed to 'published', use that name, or give 'published' the renaming identifier "
          + "'year' and rebase again; otherwise remove it"
      ])
    #expect(
      try told(PropertyMappingDescription(.attribute, name: "year")) { $0.entities[0].attributes = [] } == [
        "rebase.property-gone: entity mapping 'AlbumToAlbum' says that attribute 'year' is copied, but entity 'Album' no "
          + "longer has it / remove it"
      ])
  }

  @Test func `both models may have been edited at once`() throws {
    let newSource = edited(source) {
      $0.name = "Music 1b"
      $0.entities[0].attributes[0].name = "published"
      $0.entities[0].attributes[0].renamingIdentifier = "year"
      $0.entities[1].attributes[0].name = "length"
      $0.entities[1].attributes[0].renamingIdentifier = "seconds"
    }
    let newDestination = edited(destination) {
      $0.name = "Music 2b"
      $0.entities[0].name = "Record"
      $0.entities[0].renamingIdentifier = "Album"
      $0.entities[0].attributes.append(AttributeDescription(name: "kind", type: .string, isOptional: false))
      for place in $0.entities.indices where $0.entities[place].name == "Track" {
        $0.entities[place].relationships[0].name = "record"
        $0.entities[place].relationships[0].renamingIdentifier = "album"
        $0.entities[place].relationships[0].destinationEntityName = "Record"
        $0.entities[place].attributes.removeAll { $0.name == "title" }
        $0.entities[place].attributes.append(AttributeDescription(name: "heading", type: .string))
      }
    }
    var mapping = try mapping()
    mapping.entityMappings[0].propertyMappings.append(
      .attribute("title", try .init(parsing: "uppercase:($source.title)")))
    let rebase = MappingRebase(
      mapping, source: ModelEdit(from: source, to: newSource),
      destination: ModelEdit(from: destination, to: newDestination))
    #expect(
      rebase.changes.description == """
        mapping model
            itself  source       'Music 1' → 'Music 1b'
            itself  destination  'Music 2' → 'Music 2b'

        entity mapping 'TrackToTrack': 4 changes
            itself                 where    album.year > 1900 → album.published > 1900
            attribute 'duration'   value    $source.seconds * 1000 → $source.length * 1000
            relationship 'record'  added    value = the counterparts of $source.album through 'AlbumToRecord'
            relationship 'album'   removed  value = the counterparts of $source.album through 'AlbumToAlbum'

        entity mapping 'AlbumToRecord': renamed from 'AlbumToAlbum', 2 changes
            itself            destination  'Album' → 'Record'
            attribute 'kind'  added        value = automatic
        """)
    #expect(
      told(rebase) == [
        """
        error[rebase.missing-value]: attribute 'kind' is new and mandatory, and entity mapping 'AlbumToRecord' has no value \
        for it
          write its value; or, in the destination model, give it a default or make it optional
        """,
        """
        error[rebase.property-gone]: entity mapping 'TrackToTrack' has a value for attribute 'title', which entity 'Track' no \
        longer has
          if it was renamed to 'heading', use that name, or give 'heading' the renaming identifier 'title' and rebase \
        again; \
        otherwise remove it
        """,
      ])
    // The rebased mapping means on the new models what the original meant on the old ones.
    let track = try #require(
      rebase.mappingModel.complete(from: newSource, to: newDestination).entityMapping(named: "TrackToTrack"))
    #expect(track.propertyMapping(named: "duration")?.valueExpression?.description == "$source.length * 1000")
    #expect(track.propertyMapping(named: "seconds")?.valueExpression?.description == "$source.length")
  }

  @Test func `a new entity causes a note`() throws {
    let new = edited(destination) { $0.entities.append(EntityDescription(name: "Cover")) }
    let rebase = MappingRebase(
      try mapping(), source: .unchanged(source), destination: ModelEdit(from: destination, to: new))
    #expect(
      told(rebase) == [
        """
        note[rebase.new-entity]: entity 'Cover' is new in the destination model, and no entity mapping creates its objects
          write an entity mapping for it if it is to have objects
        """
      ])
  }

  @Test func `a conflict has the place in the file`() throws {
    var mapping = try mapping()
    let value = MappingMarkup.Attribute(
      name: DiagnosticLocation(file: "1-2.xml", line: 4, column: 5),
      value: TextPlaces(start: DiagnosticLocation(file: "1-2.xml", line: 4, column: 12)))
    mapping.entityMappings[0].propertyMappings[0].markup = MappingMarkup(
      location: DiagnosticLocation(file: "1-2.xml", line: 4, column: 1), attributes: ["value": value])
    let new = edited(source) { $0.entities[1].attributes.remove(at: 0) }
    let rebase = MappingRebase(
      mapping, source: ModelEdit(from: source, to: new), destination: .unchanged(destination))
    #expect(rebase.conflicts.map { $0.location?.description } == ["1-2.xml:4:20"])
  }

  @Test func `without the old model its pins show the changes`() throws {
    var mapping = try mapping()
    mapping.source = ModelReference(pinning: source)
    let new = edited(source) {
      $0.entities[1].attributes[0].name = "length"
      $0.entities[0].attributes[0].type = .integer32
    }
    let rebase = MappingRebase(
      mapping, source: ModelEdit(from: nil, to: new), destination: ModelEdit(from: nil, to: destination))
    #expect(
      rebase.conflicts.map { "\($0.problem) / \($0.remedy ?? "")" } == [
        "the value of attribute 'duration' of entity mapping 'TrackToTrack' uses 'seconds', which entity 'Track' no longer "
          + "has / if it was renamed to 'length', use that name, or give 'length' the renaming identifier 'seconds' and rebase "
          + "again; otherwise remove it",
        "the filter of entity mapping 'TrackToTrack' uses 'year' of entity 'Album', which has changed / check that the "
          + "expression still does what you mean",
      ])
    #expect(rebase.mappingModel.source == ModelReference(pinning: new))
    #expect(rebase.mappingModel.destination == ModelReference(name: "Music 2"))
  }

  @Test func `a property without a value gets none after it was renamed`() throws {
    let new = edited(destination) {
      $0.entities[1].attributes.removeAll { $0.name == "title" }
      $0.entities[1].attributes.removeAll { $0.name == "duration" }
      $0.entities[1].attributes.append(
        AttributeDescription(name: "title", type: .string, renamingIdentifier: "duration"))
    }
    var mapping = try mapping()
    mapping.entityMappings[0].propertyMappings.removeFirst()
    let rebase = MappingRebase(
      mapping, source: .unchanged(source), destination: ModelEdit(from: destination, to: new))
    #expect(
      rebase.mappingModel.entityMappings[0].propertyMapping(named: "title")?.source == .unmapped,
      "\(rebase.changes)")
  }
}
