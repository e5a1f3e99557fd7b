import HeavyliftExpression
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// A value that other objects' expressions read is migrated only if a migrated object really got it.
@Suite struct VisitedLossTests {
  private static func model(_ isNew: Bool) -> ManagedObjectModel {
    let notes = Models.attribute("note", .integer64)
    let copies = [Models.attribute("noteCopy", .integer64)]
    return ManagedObjectModel(entities: [
      EntityDescription(
        name: "Album", attributes: [Models.attribute("year", .integer64)] + (isNew ? [] : [notes]),
        relationships: [
          Models.toMany("tracks", "Track", "album", isOrdered: true), Models.toOne("label", "Label", "albums"),
        ]),
      EntityDescription(
        name: "Label",
        attributes: [Models.attribute("name", .string)] + (isNew ? [] : [Models.attribute("memo", .integer64)]),
        relationships: [Models.toMany("albums", "Album", "label", isOrdered: true)]),
      EntityDescription(
        name: "Track", attributes: [Models.attribute("k", .integer64)] + (isNew ? copies : []),
        relationships: [Models.toOne("album", "Album", "tracks")]),
    ])
  }

  /// Three albums of one label each, with notes 1 to 3 and memos 1 to 3. Album 1 has tracks with k 1 and 2, album 2 one
  /// with k 2, album 3 none.
  private static func test() throws -> MigrationTest {
    try MigrationTest(from: model(false), to: model(true)) { context in
      for (number, ks) in [(1, [1, 2]), (2, [2]), (3, [])] {
        let (album, label) = (try context.insert("Album"), try context.insert("Label"))
        (album["note"], label["memo"]) = (.integer(Int64(number)), .integer(Int64(number)))
        album[toOne: "label"] = label
        for k in ks {
          let track = try context.insert("Track")
          track["k"] = .integer(Int64(k))
          track[toOne: "album"] = album
        }
      }
    }
  }

  private static func losses(_ mappings: [EntityMappingDescription]) throws -> [String] {
    let test = try Self.test()
    let mapping = MappingModel(entityMappings: mappings)
    let plan = try test.manager.plan(from: test.source, with: [mapping])
    #expect(try test.migrate(mapping).losses == plan.losses)
    return plan.losses.map { "\($0.entity).\($0.property ?? "") \($0.count.map(String.init) ?? "unknown")" }
  }

  /// Tracks that pass a filter get a note; the others are removed.
  private static func tracks(_ value: String, where filter: String?) throws -> [EntityMappingDescription] {
    let track = EntityMappingDescription(
      source: "Track", destination: "Track", filter: try filter.map { try MappingPredicate(parsing: $0) },
      properties: [.attribute("noteCopy", try MappingExpression(parsing: value))])
    return filter == nil ? [track] : [track, EntityMappingDescription(type: .remove, source: "Track")]
  }

  @Test(arguments: [
    ("$source.album.note", String?.none, ["Album.note 1", "Label.memo 3"]),
    // All tracks of album 2 are filtered out.
    ("$source.album.note", "k == 1", ["Album.note 2", "Label.memo 3"]),
    ("$source.album.note", "k == 7", ["Album.note 3", "Label.memo 3"]),
    // Two steps.
    ("$source.album.label.memo", nil, ["Album.note 3", "Label.memo 1"]),
    ("$source.album.label.memo", "k == 1", ["Album.note 3", "Label.memo 2"]),
    // A condition decides for each track.
    ("TERNARY($source.k == 1, $source.album.note, $source.k)", nil, ["Album.note 2", "Label.memo 3"]),
    ("TERNARY($source.k == 1, $source.k, $source.album.note)", nil, ["Album.note 1", "Label.memo 3"]),
    (#"FUNCTION($source, "valueForKeyPath:", "album.note")"#, "k == 1", ["Album.note 2", "Label.memo 3"]),
  ]) func `values of objects that no migrated object reads are lost`(
    value: String, filter: String?, expected: [String]
  ) throws {
    #expect(try Self.losses(Self.tracks(value, where: filter)) == expected)
  }

  @Test func `one half of a split reads only its own objects`() throws {
    let value = try MappingExpression(parsing: "$source.album.note")
    let halves = try [("One", "k == 1", true), ("Other", "k != 1", false)].map { name, filter, reads in
      EntityMappingDescription(
        name: name, source: "Track", destination: "Track", filter: try MappingPredicate(parsing: filter),
        properties: reads ? [.attribute("noteCopy", value)] : [])
    }
    #expect(try Self.losses(halves) == ["Album.note 2", "Label.memo 3"])
  }

  /// Labels get a value of some of their albums.
  @Test(arguments: [
    // Album 1 has no label; albums 2 and 3 have the same one, and album 3 is the last one there.
    ("$source.albums.@max.note", 1), ("SUBQUERY($source.albums, $a, $a.note == 2).@max.note", 2),
    ("($source.albums[LAST]).note", 2),
  ]) func `a part of a collection is read`(value: String, expected: Int) throws {
    let test = try Self.test()
    do {
      let context = ManagedObjectContext(store: try PersistentStore(url: test.source, models: [test.old]))
      let albums = try context.fetch(FetchRequest(entityName: "Album"))
      albums[0][toOne: "label"] = nil
      try context.save()
      let labels = try context.fetch(FetchRequest(entityName: "Label"))
      try labels[1].setObjects([albums[1], albums[2]], forKey: "albums")
      try context.save()
      try context.store.close()
    }
    var new = Self.model(true)
    new.entities[1].attributes.append(Models.attribute("got", .integer64))
    let label = EntityMappingDescription(
      source: "Label", destination: "Label", properties: [.attribute("got", try MappingExpression(parsing: value))])
    let manager = MigrationManager(sourceModel: test.old, destinationModel: new)
    let plan = try manager.plan(from: test.source, with: [MappingModel(entityMappings: [label])])
    #expect(plan.losses.first { $0.property == "note" }?.count == expected)
  }

  @Test(arguments: [false, true]) func `what a function of the source object may read is counted`(reads: Bool) throws {
    let test = try Self.test()
    test.manager.functions["text:"] = MigrationFunction { (album: ManagedObject) in
      reads ? album["note"].integer ?? 0 : 0
    }
    let album = EntityMappingDescription(
      source: "Album", destination: "Album",
      properties: [
        .attribute("year", try MappingExpression(parsing: #"FUNCTION($manager, "text:", $source)"#))
      ])
    let mapping = MappingModel(entityMappings: [album, EntityMappingDescription(type: .remove, source: "Label")])
    let left =
      "3 values of 'note' of entity 'Album' are left to the function that gets the object: the destination has "
    #expect(
      try test.manager.plan(from: test.source, with: [mapping]).losses.map(\.description) == [
        left + "no such property"
      ])
    // Afterwards, it is known whether the function has read them.
    #expect(
      try test.migrate(mapping).losses.map(\.description) == [
        reads
          ? left + "no such property"
          : "3 values of 'note' of entity 'Album' are not migrated: the destination does not have it"
      ])
  }
}
