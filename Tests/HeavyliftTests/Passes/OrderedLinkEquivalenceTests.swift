import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftEngine
@testable import HeavyliftStore

/// Statements give the links and the order that objects would, in stores and mappings of odd shapes.
@Suite struct OrderedLinkEquivalenceTests {
  private struct Case {
    var old: ManagedObjectModel
    var new: ManagedObjectModel
    var mappings: [MappingModel]
    var policies = PolicyRegistry()
    var sql: [String] = []
    var fill: (ManagedObjectContext) throws -> Void
  }

  private static func outcome(
    _ migration: Case, forcesObjects: Bool, keeping: TableKeeping = .byCost
  ) throws -> [String] {
    let test = try MigrationTest(
      from: migration.old, to: migration.new, policies: migration.policies, fill: migration.fill)
    let database = try Database(path: test.source.path, mode: .readWrite)
    for sql in migration.sql { try database.execute(sql) }
    try database.close()
    let log = LawPolicy.Log()
    test.manager.userInfo["log"] = log
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    options.keeping = keeping
    do {
      try test.manager.migrateStore(from: test.source, to: test.destination, with: migration.mappings, options: options)
    } catch {
      return ["\(error)".replacing(test.folder.url.path, with: "FOLDER")]
    }
    return log.lines + (try test.contents()).sorted { $0.key < $1.key }.flatMap(\.value)
  }

  private static func expectSame(_ migration: Case, _ place: SourceLocation = #_sourceLocation) throws {
    let expected = try outcome(migration, forcesObjects: true)
    for keeping in [TableKeeping.byCost, .always] {
      let found = try outcome(migration, forcesObjects: false, keeping: keeping)
      let difference = found.difference(from: expected)
      #expect(
        found == expected, "\(keeping): \(difference.map { "\($0)" }.joined(separator: "\n"))", sourceLocation: place)
    }
  }

  private static func model(_ entities: EntityDescription...) -> ManagedObjectModel {
    ManagedObjectModel(name: "Music", entities: entities)
  }

  private static func entity(
    _ name: String, _ parent: String? = nil, _ relationships: RelationshipDescription...
  ) -> EntityDescription {
    EntityDescription(
      name: name, superentityName: parent, attributes: parent == nil ? [Models.attribute("kind", .integer16)] : [],
      relationships: relationships)
  }

  private static func copies(_ names: String...) -> [EntityMappingDescription] {
    names.map { EntityMappingDescription(source: $0, destination: $0) }
  }

  private static func albums(_ context: ManagedObjectContext, _ relationship: String = "tracks") throws {
    let albums = try ["Album", "Box", "Album"].map { try context.insert($0) }
    let names = ["Track", "Live", "Track", "Live", "Track", "Live", "Live", "Track"]
    let tracks = try names.enumerated().map { number, name in
      let track = try context.insert(name)
      track["kind"] = .integer(Int64(number % 3))
      return track
    }
    try context.save()
    try albums[0].setObjects([tracks[5], tracks[0], tracks[3]], forKey: relationship)
    try albums[1].setObjects([tracks[7], tracks[6], tracks[2], tracks[1]], forKey: relationship)
  }

  @Test(arguments: [(true, true), (false, true), (true, false)])
  func `lists of objects of several entities`(wasOrdered: Bool, isOrdered: Bool) throws {
    func model(_ isOrdered: Bool) -> ManagedObjectModel {
      Self.model(
        Self.entity("Album", nil, Models.toMany("tracks", "Track", "album", isOrdered: isOrdered)),
        Self.entity("Box", "Album"), Self.entity("Track", nil, Models.toOne("album", "Album", "tracks")),
        Self.entity("Live", "Track"))
    }
    try Self.expectSame(
      Case(
        old: model(wasOrdered), new: model(isOrdered),
        mappings: [MappingModel(entityMappings: Self.copies("Live", "Box", "Track", "Album"))],
        fill: { try Self.albums($0) }))
  }

  @Test(arguments: [(true, true), (false, true), (true, false)])
  func `lists of objects of several entities in a join table`(wasOrdered: Bool, isOrdered: Bool) throws {
    func model(_ isOrdered: Bool) -> ManagedObjectModel {
      Self.model(
        Self.entity("Album", nil, Models.toMany("tracks", "Track", "albums", isOrdered: isOrdered)),
        Self.entity("Box", "Album"),
        Self.entity("Track", nil, Models.toMany("albums", "Album", "tracks", isOrdered: isOrdered)),
        Self.entity("Live", "Track"))
    }
    try Self.expectSame(
      Case(
        old: model(wasOrdered), new: model(isOrdered),
        mappings: [MappingModel(entityMappings: Self.copies("Live", "Box", "Track", "Album"))],
        fill: { try Self.albums($0) }))
  }

  @Test func `objects that are not migrated leave no place in a list`() throws {
    let model = Self.model(
      Self.entity("Album", nil, Models.toMany("tracks", "Track", "album", isOrdered: true)),
      Self.entity("Box", "Album"), Self.entity("Track", nil, Models.toOne("album", "Album", "tracks")),
      Self.entity("Live", "Track"))
    var mappings = Self.copies("Album", "Box", "Track", "Live")
    mappings[2].filter = try MappingPredicate(parsing: "kind < 2")
    mappings[1].filter = try MappingPredicate(parsing: "kind == 1")
    try Self.expectSame(
      Case(old: model, new: model, mappings: [MappingModel(entityMappings: mappings)], fill: { try Self.albums($0) }))
    let test = try MigrationTest(from: model, to: model) { try Self.albums($0) }
    try test.migrate(MappingModel(entityMappings: mappings))
    #expect(try test.rows("SELECT Z_PK FROM ZTRACK WHERE ZALBUM IS NULL AND Z_FOK_ALBUM IS NOT NULL") == [])
  }

  @Test(arguments: [
    "", "UPDATE ZTRACK SET Z_FOK_ALBUM = 7 WHERE ZALBUM IS NOT NULL",
    "UPDATE ZTRACK SET Z_FOK_ALBUM = NULL", "UPDATE ZTRACK SET Z_FOK_ALBUM = 9223372036854775807 - Z_PK",
  ])
  func `keys that are shifted by different numbers`(sql: String) throws {
    let old = Self.model(
      Self.entity("Album", nil, Models.toMany("tracks", "Track", "album", isOrdered: true)),
      Self.entity("Box", "Album"), Self.entity("Track", nil, Models.toOne("album", "Album", "tracks")),
      Self.entity("Live", "Track"))
    let new = Self.model(
      Self.entity("Album", nil, Models.toMany("tracks", "Disc", "album", isOrdered: true)),
      Self.entity("Box", "Album"), Self.entity("Item"),
      Self.entity("Disc", "Item", Models.toOne("album", "Album", "tracks")))
    let mappings =
      [
        EntityMappingDescription(source: "Track", destination: "Item"),
        EntityMappingDescription(source: "Track", destination: "Disc"),
      ]
      + [EntityMappingDescription(source: "Live", destination: "Disc")] + Self.copies("Album", "Box")
    try Self.expectSame(
      Case(
        old: old, new: new, mappings: [MappingModel(entityMappings: mappings)], sql: sql.isEmpty ? [] : [sql],
        fill: { try Self.albums($0) }))
  }

  @Test(arguments: [
    [], ["DELETE FROM Z_1FRIENDS WHERE rowid % 2 = 0"], ["DELETE FROM Z_1FRIENDS WHERE Z_1FRIENDS > REFLEXIVE"],
    ["DELETE FROM Z_1FRIENDS WHERE Z_1FRIENDS < REFLEXIVE"],
  ])
  func `friends whose keys are shifted by different numbers, and of whom only one names the other`(sql: [String]) throws
  {
    let person = Self.entity("Person", nil, Models.toMany("friends", "Person", "friends"))
    let old = Self.model(person, Self.entity("Worker", "Person"))
    var child = Self.entity("Person", "Thing", Models.toMany("friends", "Person", "friends"))
    child.attributes = []
    let new = Self.model(Self.entity("Thing"), child, Self.entity("Card", "Thing"), Self.entity("Worker", "Person"))
    let table = PhysicalLayout(model: old).joins.first?.layout
    let columns = table?.columns.map(\.name) ?? []
    let sql = sql.map {
      $0.replacing("FROM Z_1FRIENDS", with: "FROM \(table?.name ?? "")").replacing(
        "WHERE Z_1FRIENDS", with: "WHERE \(columns[0])"
      )
      .replacing("REFLEXIVE", with: columns[1])
    }
    let mappings =
      [
        EntityMappingDescription(source: "Person", destination: "Card"),
        EntityMappingDescription(source: "Person", destination: "Person"),
      ]
      + Self.copies("Worker")
    try Self.expectSame(
      Case(
        old: old, new: new, mappings: [MappingModel(entityMappings: mappings)], sql: sql,
        fill: { context in
          let people = try ["Person", "Worker", "Person", "Worker", "Person"].map { try context.insert($0) }
          try context.save()
          try people[0].setObjects([people[1], people[2], people[4]], forKey: "friends")
          try people[3].setObjects([people[3], people[2], people[1]], forKey: "friends")
        }))
  }

  @Test func `keys above those that order keys can multiply`() throws {
    func model(_ isOrdered: Bool) -> ManagedObjectModel {
      Self.model(
        Self.entity("Album", nil, Models.toMany("tracks", "Track", "album", isOrdered: isOrdered)),
        Self.entity("Box", "Album"), Self.entity("Track", nil, Models.toOne("album", "Album", "tracks")),
        Self.entity("Live", "Track"))
    }
    let keys = [
      "4503599627370495", "4503599627370496", "4503599627370500", "2305843009213693952", "4611686018427387907",
    ]
    let sql = keys.enumerated().map { "UPDATE ZTRACK SET Z_PK = \($1), ZALBUM = 1 WHERE Z_PK = \($0 + 2)" }
    try Self.expectSame(
      Case(
        old: model(false), new: model(true),
        mappings: [MappingModel(entityMappings: Self.copies("Live", "Box", "Track", "Album"))],
        sql: sql + ["UPDATE Z_PRIMARYKEY SET Z_MAX = 4611686018427387907 WHERE Z_NAME = 'Track'"],
        fill: { try Self.albums($0) }))
  }

  @Test(arguments: [0, 1, 2], [false, true])
  func `an ordered one-to-many relationship becomes many-to-many`(declared: Int, isOrdered: Bool) throws {
    let old = Self.model(
      Self.entity("Album", nil, Models.toMany("tracks", "Track", "album", isOrdered: true)),
      Self.entity("Box", "Album"), Self.entity("Track", nil, Models.toOne("album", "Album", "tracks")),
      Self.entity("Live", "Track"))
    let new = Self.model(
      Self.entity("Album", nil, Models.toMany("tracks", "Track", "albums", isOrdered: true)),
      Self.entity("Box", "Album"),
      Self.entity("Track", nil, Models.toMany("albums", "Album", "tracks", isOrdered: isOrdered)),
      Self.entity("Live", "Track"))
    var mappings = Self.copies("Album", "Box", "Track", "Live")
    for place in mappings.indices {
      if place > 1 {
        mappings[place].propertyMappings =
          declared == 1
          ? [PropertyMappingDescription(.relationship, name: "albums", source: .unmapped)]
          : [.relationship("albums", from: try MappingExpression(parsing: "$source.album"))]
      } else if declared == 2 {
        mappings[place].propertyMappings = [
          PropertyMappingDescription(.relationship, name: "tracks", source: .unmapped)
        ]
      }
    }
    try Self.expectSame(
      Case(old: old, new: new, mappings: [MappingModel(entityMappings: mappings)], fill: { try Self.albums($0) }))
  }

  @Test(arguments: [false, true], [false, true])
  func `a to-one relationship without an inverse gets one`(isToMany: Bool, isOrdered: Bool) throws {
    let old = Self.model(
      Self.entity("Album"), Self.entity("Box", "Album"), Self.entity("Track", nil, Models.toOne("album", "Album")),
      Self.entity("Live", "Track"))
    let back =
      isToMany
      ? Models.toMany("album", "Album", "tracks", isOrdered: isOrdered) : Models.toOne("album", "Album", "tracks")
    let new = Self.model(
      Self.entity("Album", nil, Models.toMany("tracks", "Track", "album", isOrdered: isOrdered)),
      Self.entity("Box", "Album"), Self.entity("Track", nil, back), Self.entity("Live", "Track"))
    for names in [["Live", "Track"], ["Track"]] {
      let mappings = names.map { EntityMappingDescription(source: $0, destination: $0) } + Self.copies("Album", "Box")
      try Self.expectSame(
        Case(
          old: old, new: new,
          mappings: [
            MappingModel(
              entityMappings: mappings + (names.count == 1 ? [EntityMappingDescription(source: "Live")] : []))
          ],
          fill: { context in
            let albums = try ["Album", "Box"].map { try context.insert($0) }
            for (number, name) in ["Track", "Live", "Track", "Live", "Track"].enumerated() {
              try context.insert(name).setObject(albums[number % 2], forKey: "album")
              try context.save()
            }
          }))
    }
  }

  @Test(arguments: [(false, false), (false, true), (true, false)])
  func `an ordered relationship without an inverse`(getsInverse: Bool, losesInverse: Bool) throws {
    func model(_ hasInverse: Bool) -> ManagedObjectModel {
      Self.model(
        Self.entity("Album", nil, Models.toMany("tracks", "Track", hasInverse ? "album" : nil, isOrdered: true)),
        Self.entity("Box", "Album"),
        hasInverse
          ? Self.entity("Track", nil, Models.toOne("album", "Album", "tracks")) : Self.entity("Track"),
        Self.entity("Live", "Track"))
    }
    try Self.expectSame(
      Case(
        old: model(losesInverse), new: model(getsInverse),
        mappings: [MappingModel(entityMappings: Self.copies("Live", "Box", "Track", "Album"))],
        fill: { try Self.albums($0) }))
  }

  @Test(arguments: [false, true], [false, true])
  func `a list of objects that are made of the owner itself`(isOrdered: Bool, isDeclared: Bool) throws {
    let old = Self.model(Self.entity("Track"), Self.entity("Live", "Track"))
    let new = Self.model(
      Self.entity("Track", nil, Models.toMany("pictures", "Picture", "track", isOrdered: isOrdered)),
      Self.entity("Live", "Track"), Self.entity("Item"),
      Self.entity("Picture", "Item", Models.toOne("track", "Track", "pictures")))
    var pictures = [("Pictures", "Track"), ("Lives", "Live")].map {
      EntityMappingDescription(name: $0, source: $1, destination: "Picture")
    }
    for place in pictures.indices where isDeclared || place == 0 {
      pictures[place].propertyMappings = [
        .relationship(
          "track", from: try MappingExpression(parsing: "$source"), through: place == 0 ? "TrackToTrack" : "LiveToLive")
      ]
    }
    try Self.expectSame(
      Case(
        old: old, new: new,
        mappings: [
          MappingModel(
            entityMappings: [EntityMappingDescription(source: "Track", destination: "Item")] + pictures
              + Self.copies("Live", "Track"))
        ], fill: { context in for name in ["Live", "Track", "Live"] { _ = try context.insert(name) } }))
  }

  @Test(arguments: [[], [1], [2], [1, 3], [2, 4], [1, 2, 3, 4]] as [Set<Int64>], [false, true])
  func `friends of whom one names the other, and a policy connects some`(forgotten: Set<Int64>, isForward: Bool) throws
  {
    let model = Self.model(Self.entity("Person", nil, Models.toMany("friends", "Person", "friends")))
    let layout = try #require(PhysicalLayout(model: model).joins.first?.layout)
    let columns = layout.columns.map(\.name)
    let registry = PolicyRegistry(Forgetting.self)
    var mapping = EntityMappingDescription(source: "Person", destination: "Person", policy: registry.names.first)
    mapping.userInfo["forgotten"] = forgotten.map { "\($0)" }.joined(separator: " ")
    mapping.intendsLosses = true
    try Self.expectSame(
      Case(
        old: model, new: model, mappings: [MappingModel(entityMappings: [mapping])], policies: registry,
        sql: ["DELETE FROM \(layout.name) WHERE \(columns[0]) \(isForward ? ">" : "<") \(columns[1])"],
        fill: { context in
          let people = try (0..<4).map { _ in try context.insert("Person") }
          try context.save()
          try people[0].setObjects([people[1], people[2]], forKey: "friends")
          try people[3].setObjects([people[3], people[2], people[1]], forKey: "friends")
        }))
  }

  /// Calls `super` for some objects only, and logs all links from time to time.
  private final class Forgetting: EntityMigrationPolicy {
    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      let forgotten = (mapping.userInfo["forgotten"] ?? "").split(separator: " ").compactMap { Int64($0) }
      if forgotten.contains(destination.primaryKey) { return }
      try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
      guard destination.primaryKey == 3 else { return }
      let log = manager.userInfo["log"] as? LawPolicy.Log
      for person in try manager.destinationContext.fetch(FetchRequest(entityName: "Person")) {
        log?.lines.append("\(person): \(try person.objects(forKey: "friends"))")
      }
    }
  }

  // MARK: Policies

  /// Calls `super` for objects with odd keys only, logs lists, and may append an object to one.
  private final class Choosing: EntityMigrationPolicy {
    private func note(_ mapping: EntityMapping, _ manager: MigrationManager) throws {
      let log = manager.userInfo["log"] as? LawPolicy.Log
      for album in try manager.destinationContext.fetch(FetchRequest(entityName: "Album")) {
        log?.lines.append("\(mapping.name) \(album): \(try album.objects(forKey: "tracks"))")
      }
    }

    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      if mapping.userInfo["skips"] != nil, destination.primaryKey.isMultiple(of: 2) == false { return }
      try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
      if mapping.userInfo["reads"] != nil, destination.primaryKey == 3 { try note(mapping, manager) }
    }

    override func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
      if mapping.userInfo["looks"] != nil { try note(mapping, manager) }
      guard mapping.userInfo["appends"] != nil else { return }
      let album = try manager.destinationContext.fetch(FetchRequest(entityName: "Album")).first
      try album?.add(manager.destinationContext.insert("Track"), to: "tracks")
    }
  }

  @Test(
    arguments: ["skips", "looks", "reads", "appends"], ["Album", "Track"])
  func `a policy sees and gets the same lists`(does: String, entity: String) throws {
    let model = Self.model(
      Self.entity("Album", nil, Models.toMany("tracks", "Track", "album", isOrdered: true)),
      Self.entity("Box", "Album"), Self.entity("Track", nil, Models.toOne("album", "Album", "tracks")),
      Self.entity("Live", "Track"))
    let registry = PolicyRegistry(Choosing.self)
    for names in [["Album", "Box", "Track", "Live"], ["Live", "Track", "Box", "Album"]] {
      var mappings = names.map { EntityMappingDescription(source: $0, destination: $0) }
      for place in mappings.indices where mappings[place].sourceEntityName == entity {
        mappings[place].policyClassName = registry.names.first
        mappings[place].userInfo[does] = "1"
        mappings[place].intendsLosses = true
      }
      for sql in [[], ["UPDATE ZTRACK SET Z_FOK_ALBUM = 9223372036854770000 + Z_FOK_ALBUM % 1000"]] {
        try Self.expectSame(
          Case(
            old: model, new: model, mappings: [MappingModel(entityMappings: mappings)], policies: registry, sql: sql,
            fill: { try Self.albums($0) }))
      }
    }
  }

  @Test(arguments: ["skips", "looks", "reads", "appends"], [0, 1, 2])
  func `a policy of one of several mapping models sees and gets the same lists`(does: String, cut: Int) throws {
    let model = Self.model(
      Self.entity("Album", nil, Models.toMany("tracks", "Track", "album", isOrdered: true)),
      Self.entity("Track", nil, Models.toOne("album", "Album", "tracks")))
    let registry = PolicyRegistry(Choosing.self)
    for names in [["Album", "Track"], ["Track", "Album"]] {
      var mappings = names.map { EntityMappingDescription(source: $0, destination: $0) }
      mappings[1].policyClassName = registry.names.first
      mappings[1].userInfo[does] = "1"
      mappings[1].intendsLosses = true
      if cut == 2 {
        // The tracks are split between the mapping models.
        for place in mappings.indices where mappings[place].sourceEntityName == "Track" {
          mappings[place].filter = try MappingPredicate(parsing: "kind == 1")
        }
        mappings.append(
          EntityMappingDescription(
            name: "Other", source: "Track", destination: "Track", filter: try MappingPredicate(parsing: "kind != 1")))
      }
      let models = cut == 0 ? [mappings] : [Array(mappings.prefix(cut)), Array(mappings.dropFirst(cut))]
      try Self.expectSame(
        Case(
          old: model, new: model, mappings: models.map { MappingModel(entityMappings: $0) }, policies: registry,
          fill: { context in
            let albums = try (0..<2).map { _ in try context.insert("Album") }
            let tracks = try (0..<6).map { number in
              let track = try context.insert("Track")
              track["kind"] = .integer(Int64(number % 3))
              return track
            }
            try context.save()
            try albums[0].setObjects([tracks[3], tracks[0], tracks[1]], forKey: "tracks")
            try albums[1].setObjects([tracks[5], tracks[4], tracks[2]], forKey: "tracks")
          }))
    }
  }

  // MARK: Plans

  @Test func `a relationship that a sub-entity declares again is set by statements`() throws {
    let model = Self.model(
      Self.entity("Album", nil, Models.toMany("tracks", "Track", "album")),
      Self.entity("Track", nil, Models.toOne("album", "Album", "tracks")),
      Self.entity("ZLive", "Track", Models.toOne("album", "Album", "tracks")))
    let test = try MigrationTest(from: model, to: model) { context in
      let album = try context.insert("Album")
      for name in ["Track", "ZLive", "Track"] { try context.insert(name).setObject(album, forKey: "album") }
    }
    let mapping = MappingModel(entityMappings: Self.copies("Album", "Track", "ZLive"))
    let plan = try test.manager.plan(from: test.source, with: [mapping])
    #expect(plan.steps.map(\.relationships) == [.sql, .sql, .sql])
    #expect(plan.steps.flatMap(\.relationshipReasons) == [])
    try Self.expectSame(
      Case(
        old: model, new: model, mappings: [mapping],
        fill: { context in
          let album = try context.insert("Album")
          for name in ["Track", "ZLive", "Track"] { try context.insert(name).setObject(album, forKey: "album") }
        }))
  }
}
