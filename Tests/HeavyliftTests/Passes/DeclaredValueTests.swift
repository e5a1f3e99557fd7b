import Foundation
import Testing

@testable import Heavylift

/// The values of expressions, and how properties take them.
@Suite struct DeclaredValueTests {
  private static let types: [AttributeType] = [
    .boolean, .integer16, .integer64, .double, .decimal, .string, .date, .uri,
  ]

  @Test(
    arguments: [
      (.boolean, "'YES'", "true"), (.boolean, "'false'", "false"), (.boolean, "1", "true"), (.boolean, "'2'", nil),
      (.integer64, "'42'", "42"), (.integer64, "'-7'", "-7"), (.integer64, "'4.5'", nil), (.integer64, "4.0", "4"),
      (.integer64, "YES", "1"), (.double, "'2.5'", "2.5"), (.double, "3", "3.0"), (.decimal, "'1.10'", "1.1"),
      (.decimal, "'1x'", nil), (.decimal, "'nan'", nil),
      (.decimal, "'12345678901234567890.5'", "12345678901234567890.5"),
      (.decimal, "'1234567890123456789012345678901234567890.5'", nil), (.double, "'12345678901234567891'", nil),
      (.string, "'a'", "a"), (.string, "1", nil),
      (.string, "nil", "nil"), (.date, "CAST(7, 'NSDate')", "7.0"), (.date, "'2001-01-01'", nil), (.uri, "'x'", nil),
    ] as [(AttributeType, String, String?)])
  func `a constant is converted to the attribute's type, or refused`(
    type: AttributeType, text: String, expected: String?
  ) throws {
    let old = ManagedObjectModel(name: "1", entities: [EntityDescription(name: "Thing")])
    let new = ManagedObjectModel(
      name: "2", entities: [EntityDescription(name: "Thing", attributes: [Models.attribute("a", type)])])
    let test = try MigrationTest(from: old, to: new) { _ = try $0.insert("Thing") }
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(
        source: "Thing", destination: "Thing", properties: [.attribute("a", try MappingExpression(parsing: text))])
    ])
    if let expected {
      try test.manager.migrateUnchecked(from: test.source, to: test.destination, mapping)
      #expect(try test.lines("Thing", "a") == ["Thing/p1 a=\(expected)"])
    } else {
      let error = test.failure {
        try test.manager.migrateUnchecked(from: test.source, to: test.destination, mapping)
      }
      #expect(error?.code == .valueOfWrongType)
      #expect(error?.place == .init(mapping: "ThingToThing", property: "a", object: "Thing/p1"))
    }
  }

  @Test(arguments: [
    (
      "artist",
      #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "TrackToTrack", $source.album.tracks)"#,
      "relationship 'artist' is to-one, but its expression gives 3 objects\n"
        + "  write an expression that gives one object, or none"
    ),
    (
      "notes", "$source.title",
      "relationship 'notes' takes objects, but its expression gives a string\n"
        + "  write an expression that gives destination objects"
    ),
    (
      "notes", "{1, 2}",
      "relationship 'notes' takes objects, but its expression gives an array with an integer\n"
        + "  write an expression that gives destination objects"
    ),
    (
      "album", "$source.album",
      "object Album/p1 belongs to another context\n"
        + "  use the object with the same objectID from this context"
    ),
  ])
  func `a relationship takes objects of the destination, and a to-one at most one`(
    name: String, text: String, problem: String
  ) throws {
    let test = try PatternModels.test()
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(
        name: "Albums", source: "Album", destination: "Album",
        properties: [PropertyMappingDescription(.relationship, name: "tracks", source: .unmapped)]),
      EntityMappingDescription(
        source: "Track", destination: "Track",
        properties: [.relationship(name, try MappingExpression(parsing: text))]),
    ])
    let error = test.failure { try test.manager.migrateUnchecked(from: test.source, to: test.destination, mapping) }
    #expect(
      error?.description.hasSuffix(
        "entity mapping 'TrackToTrack', property '\(name)', object 'Track/p1': \(problem)") == true,
      "\(error.map { "\($0)" } ?? "")")
  }

  @Test func `a dangling link in the source is nil in the destination`() throws {
    let test = try PatternModels.test()
    let database = try Database(path: test.source.path, mode: .readWrite)
    try database.execute("UPDATE ZTRACK SET ZALBUM = 99 WHERE Z_PK = 2")
    try database.close()
    try test.migrate(PatternModels.albums, PatternModels.plainTracks, PatternModels.removeSettings)
    #expect(
      try test.lines("Track", "album") == [
        "Track/p1 album=Album/p1", "Track/p2 album=nil", "Track/p3 album=Album/p1", "Track/p4 album=Album/p2",
        "Track/p5 album=Album/p2",
      ])
  }

  @Test func `a source object listed twice becomes two destination objects if that is intended`() throws {
    let test = try PatternModels.test()
    let all =
      #"FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Album", "TRUEPREDICATE"), $manager.sourceContext, NO)"#
    let report = try test.migrate(
      EntityMappingDescription(
        name: "Albums", source: "Album", destination: "Album",
        sourceExpression: try MappingExpression(parsing: "{\(all)[0], \(all)[1], \(all)[0]}"),
        intendsDuplicates: true),
      EntityMappingDescription(name: "RemoveTracks", type: .remove, source: "Track"), PatternModels.removeSettings)
    #expect(
      try test.lines("Album", "title") == [
        "Album/p1 title=Blue", "Album/p2 title=Red", "Album/p3 title=Blue",
      ])
    #expect((report.mappings[0].sources, report.mappings[0].declared) == (3, 3))
  }

  @Test func `objects of sub-entities do not take each other's keys`() throws {
    let model = ManagedObjectModel(
      name: "Cars",
      entities: [
        EntityDescription(name: "Car", attributes: [Models.attribute("plate", .string)]),
        EntityDescription(name: "Sport", superentityName: "Car"),
      ])
    let test = try MigrationTest(from: model, to: model, policies: PolicyRegistry(Both.self)) { context in
      for (entity, plate) in [("Car", "a"), ("Sport", "b"), ("Car", "c")] {
        try context.insert(entity).setValue(.string(plate), forKey: "plate")
      }
    }
    try test.migrate(
      EntityMappingDescription(name: "Cars", source: "Car", destination: "Car", policy: "Both"),
      EntityMappingDescription(name: "Sports", source: "Sport", destination: "Sport"))
    #expect(
      try test.lines("Car", "plate") == ["Car/p1 plate=a", "Car/p3 plate=c", "Car/p4 plate=b"])
    #expect(try test.lines("Sport", "plate") == ["Sport/p2 plate=b"])
  }

  /// Creates a car for each sports car, too.
  private final class Both: EntityMigrationPolicy {
    override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
      for sport in try manager.sourceContext.fetch(FetchRequest(entityName: "Sport")) {
        try createDestinationInstances(forSource: sport, in: mapping, manager: manager)
        let made = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sport])
        #expect(made.map(\.description) == ["Car/p4"])
      }
    }
  }

  @Test func `a link to an object that a policy deletes is detected`() throws {
    let model = ManagedObjectModel(
      name: "Links",
      entities: [
        EntityDescription(
          name: "Page", attributes: [Models.attribute("number", .integer64)],
          relationships: [Models.toOne("next", "Page")])
      ])
    let test = try MigrationTest(from: model, to: model, policies: PolicyRegistry(DeletingLast.self)) { context in
      let pages = try (0..<3).map { number in
        let page = try context.insert("Page")
        page["number"] = .integer(Int64(number))
        return page
      }
      pages[0][toOne: "next"] = pages[2]
      pages[1][toOne: "next"] = pages[0]
    }
    let error = test.failure {
      _ = try test.migrate(EntityMappingDescription(source: "Page", destination: "Page", policy: "DeletingLast"))
    }
    #expect(error?.code == .referentialIntegrity)
    #expect(
      (error?.underlying as? MigrationViolations)?.description == """
        error[133000]: 1 × Page: 'next' refers to an object that does not exist (Page/p1)
          do not link to objects that a policy deletes
        """)
  }

  private final class DeletingLast: EntityMigrationPolicy {
    override func end(_ mapping: EntityMapping, manager: MigrationManager) throws {
      let last = try FetchRequest(entityName: "Page", where: "number == 2")
      for page in try manager.destinationContext.fetch(last) { try manager.destinationContext.delete(page) }
    }
  }
}
