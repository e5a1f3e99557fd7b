import HeavyliftExpression
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// The counts of the values that a mapping loses.
@Suite struct LossCountTests {
  private static func model(_ attributes: [String]) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(name: "Track", attributes: attributes.map { Models.attribute($0, .integer64) })
    ])
  }

  /// Returns the losses of a migration of five tracks, numbered from 1, of which the even ones have a note.
  private static func losses(_ mappings: [EntityMappingDescription]) throws -> [String] {
    let test = try MigrationTest(from: model(["note", "number"]), to: model(["number"])) { context in
      for number in 1...5 as ClosedRange<Int64> {
        let track = try context.insert("Track")
        track["number"] = .integer(number)
        if number.isMultiple(of: 2) { track["note"] = .integer(number) }
      }
    }
    let plan = try test.manager.plan(from: test.source, with: [MappingModel(entityMappings: mappings)])
    return plan.losses.map { loss in
      "\(loss.entity).\(loss.property ?? "") \(loss.count.map(String.init) ?? "unknown") \(loss.unit)"
    }
  }

  private static func track(
    _ name: String = "TrackToTrack", where filter: String?, reads: Bool = false
  ) throws -> EntityMappingDescription {
    EntityMappingDescription(
      name: name, source: "Track", destination: "Track", filter: try filter.map { try MappingPredicate(parsing: $0) },
      properties: reads ? [.attribute("number", try MappingExpression(parsing: "$source.note"))] : [],
      drops: reads ? [] : [DroppedProperty("note")], intendsDuplicates: true)
  }

  @Test(arguments: [
    (String?.none, ["Track.note 2 values"]), ("number <= 3", ["Track.note 1 values"]), ("number == 3", []),
    ("number > 3", ["Track.note 1 values"]),
  ]) func `values are counted for the objects that a filter takes`(filter: String?, expected: [String]) throws {
    #expect(try Self.losses([Self.track(where: filter)]) == expected)
  }

  @Test func `values that another entity mapping reads are not lost`() throws {
    let some = [try Self.track("One", where: "number < 5"), try Self.track("Two", where: "number > 3", reads: true)]
    #expect(try Self.losses(some) == ["Track.note 1 values"])
  }

  @Test func `values that an expression only tests are lost`() throws {
    var tested = try Self.track(where: nil)
    tested.droppedProperties = []
    tested.propertyMappings = [
      .attribute("number", try MappingExpression(parsing: "TERNARY($source.note == nil, 0, 1)"))
    ]
    #expect(try Self.losses([tested]) == ["Track.note 2 values"])
  }

  @Test func `it is unknown which objects of a source expression lose values`() throws {
    let fetch = MappingExpression.fetch(ofSourceEntity: "Track", where: nil)
    let selection = try MappingExpression(
      .subquery(fetch, variable: "track", MappingPredicate(parsing: "$track.number > 3")))
    var track = try Self.track(where: nil)
    track.sourceExpression = selection
    #expect(try Self.losses([track]) == ["Track.note unknown values"])
  }

  /// Values that are mapped onto a property that the destination does not store.
  @Test(arguments: [false, true]) func `values for a derived or transient attribute are lost`(isDerived: Bool) throws {
    var note = Models.attribute("note", .integer64)
    if isDerived { note.derivationExpression = "number" } else { note.isTransient = true }
    let new = ManagedObjectModel(entities: [
      EntityDescription(name: "Track", attributes: [note, Models.attribute("number", .integer64)])
    ])
    let test = try MigrationTest(from: Self.model(["memo", "note", "number"]), to: new) { context in
      for number in 1...3 as ClosedRange<Int64> {
        let track = try context.insert("Track")
        (track["number"], track["note"]) = (.integer(number), .integer(number + 1))
        if number > 1 { track["memo"] = .integer(number) }
      }
    }
    func losses(_ value: String) throws -> [String] {
      let track = EntityMappingDescription(
        source: "Track", destination: "Track", properties: [.attribute("note", try MappingExpression(parsing: value))])
      return try test.manager.plan(from: test.source, with: [MappingModel(entityMappings: [track])]).losses.map(
        \.description)
    }
    let note3 = "3 values of 'note' of entity 'Track' are not migrated: the destination does not store it"
    let memo2 = "2 values of 'memo' of entity 'Track' are not migrated: the destination does not have it"
    #expect(try losses("$source.note") == [memo2, note3])
    #expect(try losses("$source.memo + $source.number") == [memo2, note3])
  }

  /// Albums 1 to 4 have notes; tracks, which get the notes, are only in albums 1 and 2.
  @Test func `values that are read from linked objects are lost for objects without a link`() throws {
    func model(_ album: [String], _ track: [String]) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Album", attributes: album.map { Models.attribute($0, .integer64) },
          relationships: [Models.toMany("tracks", "Track", "album")]),
        EntityDescription(
          name: "Track", attributes: track.map { Models.attribute($0, .integer64) },
          relationships: [Models.toOne("album", "Album", "tracks")]),
      ])
    }
    let test = try MigrationTest(from: model(["note", "number"], []), to: model(["number"], ["note"])) { context in
      for number in 1...4 as ClosedRange<Int64> {
        let album = try context.insert("Album")
        album["note"] = .integer(number)
        if number < 3 { try context.insert("Track").setObject(album, forKey: "album") }
      }
    }
    let value = try MappingExpression(parsing: "$source.album.note")
    let track = EntityMappingDescription(
      source: "Track", destination: "Track", properties: [.attribute("note", value)])
    let plan = try test.manager.plan(from: test.source, with: [MappingModel(entityMappings: [track])])
    #expect(
      plan.losses.map(\.description) == [
        "warning: 2 values of 'note' of entity 'Album' are not migrated: entity mapping 'AlbumToAlbum' does not read it"
      ])
  }

  /// Objects that one entity mapping takes may lose what another one keeps for other objects.
  @Test(arguments: [false, true], ["number == 2", "number != 1"])
  func `a split loses values whatever comes first`(isReversed: Bool, filter: String) throws {
    var models = [Self.model(["note", "number"]), Self.model(["number"])]
    models[1].entities = [("X", ["note", "number"]), ("Y", ["number"])].map { name, attributes in
      EntityDescription(name: name, attributes: attributes.map { Models.attribute($0, .integer64) })
    }
    let test = try MigrationTest(from: models[0], to: models[1]) { context in
      for number in 1...2 as ClosedRange<Int64> {
        let track = try context.insert("Track")
        (track["number"], track["note"]) = (.integer(number), .integer(7))
      }
    }
    let mappings = try [("X", "number == 1"), ("Y", filter)].map { name, filter in
      EntityMappingDescription(source: "Track", destination: name, filter: try MappingPredicate(parsing: filter))
    }
    let plan = try test.manager.plan(
      from: test.source, with: [MappingModel(entityMappings: isReversed ? mappings.reversed() : mappings)])
    #expect(plan.losses.map(\.description).count == 1, "\(plan.losses)")
    #expect(plan.losses.first?.count == 1)
  }

  /// Returns the losses that a migration reports, hop by hop, of a note that is no longer stored.
  private static func losses(
    _ change: (inout AttributeDescription) -> Void, isInPlace: Bool = false, hasHandler: Bool = false
  ) throws -> [[String]] {
    var models = [model(["note", "number"]), model(["note", "number"])]
    (models[0].name, models[1].name) = ("1", "2")
    models[1].edit("Track") { $0.edit(attribute: "note", change) }
    let test = try MigrationTest(from: models[0], to: models[1]) { context in
      for number in 1...3 as ClosedRange<Int64> { try context.insert("Track")["note"] = .integer(number) }
    }
    let references = models.map { ManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum) }
    let stage = CustomMigrationStage(migratingFrom: references[0], to: references[1])
    if hasHandler { stage.didMigrateHandler = { _, _ in } }
    let manager = IncrementalMigrationManager(stages: try StagedMigrationManager([stage], versions: models))
    let report = try manager.migrate(test.source, options: .init(mode: isInPlace ? .inPlace : .copy))
    return report.hops.map { $0.report?.losses.map(\.description) ?? [] }
  }

  @Test func `values of an attribute that is no longer stored are lost`() throws {
    let lost = "3 values of 'note' of entity 'Track' are not migrated: the destination does not store it"
    #expect(try Self.losses { $0.isTransient = true } == [[lost]])
    #expect(try Self.losses({ $0.isTransient = true }, isInPlace: true) == [[lost]])
    // A handler can still read them.
    let old = "3 values of 'old_note' of entity 'Track' are not migrated: the mapping drops it"
    let handled = try Self.losses({ $0.isTransient = true }, hasHandler: true)
    #expect(handled == [[], [old]])
    let derive: (inout AttributeDescription) -> Void = {
      // The expression alone does not change a version hash.
      ($0.derivationExpression, $0.versionHashModifier) = ("number", "derived")
    }
    let derived = try Self.losses(derive)
    #expect(derived == [[lost]])
    let handledDerived = try Self.losses(derive, hasHandler: true)
    #expect(handledDerived == [[], [old]])
  }
}
