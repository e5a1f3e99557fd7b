import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// The links that policies see in each pass, and what they make of them.
@Suite struct PolicyLinksTests {
  /// A policy that calls super and runs hooks, all of them on tracks.
  private final class Script {
    var log: [String] = []
    var created: (ManagedObject, MigrationManager, Script) throws -> Void = { _, _, _ in }
    var allCreated: (MigrationManager, Script) throws -> Void = { _, _ in }
    var connected: (MigrationManager, Script) throws -> Void = { _, _ in }
    var held: [ManagedObject] = []
  }

  private final class Scripted: EntityMigrationPolicy {
    private func script(_ manager: MigrationManager) -> Script? { manager.userInfo["script"] as? Script }

    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      let made = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
      guard let script = script(manager), let object = made.first else { return }
      try script.created(object, manager, script)
    }

    override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
      if let script = script(manager) { try script.allCreated(manager, script) }
    }

    override func performCustomValidation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
      if let script = script(manager) { try script.connected(manager, script) }
    }
  }

  private static func model(_ change: (inout EntityDescription) -> Void = { _ in }) -> ManagedObjectModel {
    var track = EntityDescription(
      name: "Track",
      attributes: [
        Models.attribute("title", .string, isOptional: false), Models.attribute("stars", .integer16),
      ],
      relationships: [
        Models.toOne("album", "Album", "tracks"), Models.toOne("cover", "Cover", "track"),
        Models.toMany("tags", "Tag", "tracks"),
      ])
    change(&track)
    return ManagedObjectModel(
      name: "Music",
      entities: [
        EntityDescription(
          name: "Album", attributes: [Models.attribute("year", .integer16)],
          relationships: [Models.toMany("tracks", "Track", "album")]),
        EntityDescription(name: "Tag", relationships: [Models.toMany("tracks", "Track", "tags")]),
        EntityDescription(name: "Cover", relationships: [Models.toOne("track", "Track", "cover")]), track,
      ])
  }

  /// Six tracks on three albums, the last one without a year; the policy's mapping is between the others.
  private func test(
    to new: ManagedObjectModel = Self.model(), _ write: (Script) -> Void = { _ in }
  ) throws -> (MigrationTest, MappingModel, Script) {
    let test = try MigrationTest(from: Self.model(), to: new, policies: PolicyRegistry(Scripted.self)) { context in
      let albums = try (0..<3).map { number in
        let album = try context.insert("Album")
        if number < 2 { album["year"] = .integer(Int64(2000 + number)) }
        return album
      }
      let tag = try context.insert("Tag")
      for number in 0..<6 {
        let track = try context.insert("Track")
        track["title"] = .string("\(number)")
        track["stars"] = .integer(Int64(number))
        track[toOne: "album"] = albums[number % 3]
        track[toOne: "cover"] = try context.insert("Cover")
        if number > 3 { track[toMany: "tags"] = [tag] }
      }
    }
    let script = Script()
    write(script)
    test.manager.userInfo["script"] = script
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(source: "Tag", destination: "Tag"),
      EntityMappingDescription(
        source: "Track", destination: "Track", policy: PolicyRegistry(Scripted.self).names.first),
      EntityMappingDescription(
        source: "Album", destination: "Album", filter: try MappingPredicate(parsing: "year > 0")),
      EntityMappingDescription(source: "Cover", destination: "Cover"),
    ])
    return (test, mapping, script)
  }

  private static let outcome = [
    "Track/p1 album=Album/p1 cover=Cover/p1 tags=[]", "Track/p2 album=Album/p2 cover=Cover/p2 tags=[]",
    "Track/p3 album=nil cover=Cover/p3 tags=[]", "Track/p4 album=Album/p1 cover=Cover/p4 tags=[]",
    "Track/p5 album=Album/p2 cover=Cover/p5 tags=[Tag/p1]", "Track/p6 album=nil cover=Cover/p6 tags=[Tag/p1]",
  ]

  private func check(_ test: MigrationTest) throws {
    #expect(try test.lines("Track", "album", "cover", "tags") == Self.outcome)
    #expect(
      try test.lines("Album", "tracks") == [
        "Album/p1 tracks=[Track/p1 Track/p4]", "Album/p2 tracks=[Track/p2 Track/p5]",
      ])
    #expect(try test.lines("Cover", "track") == (1...6).map { "Cover/p\($0) track=Track/p\($0)" })
  }

  @Test func `a policy that sets no links gets those that the mapping declares`() throws {
    let (test, mapping, _) = try test()
    try test.migrate(mapping)
    try check(test)
  }

  @Test(arguments: ["stars", "album"])
  func `changing a source object after all objects are connected undoes no link`(property: String) throws {
    let (test, mapping, _) = try test { script in
      script.connected = { manager, _ in
        let tracks = try manager.sourceContext.fetch(FetchRequest(entityName: "Track"))
        if property == "stars" { tracks[0]["stars"] = 5 } else { tracks[0][toOne: "album"] = nil }
      }
    }
    try test.migrate(mapping)
    try check(test)
  }

  @Test func `an object's links are nil in the first pass and set later`() throws {
    let (test, mapping, script) = try test { script in
      script.created = { object, _, script in
        script.held.append(object)
        if object.primaryKey == 3 {
          for held in script.held { script.log.append("\(held) \(held[toOne: "cover"].map { "\($0)" } ?? "nil")") }
        }
      }
      script.connected = { _, script in
        script.log.append("\(script.held.map { "\($0[toOne: "cover"].map { "\($0)" } ?? "nil")" })")
      }
    }
    try test.migrate(mapping)
    #expect(
      script.log == [
        "Track/p1 nil", "Track/p2 nil", "Track/p3 nil",
        "\((1...6).map { "Cover/p\($0)" })",
      ])
    try check(test)
  }

  @Test func `a fetch after the rows are written finds no links in them`() throws {
    let (test, mapping, script) = try test { script in
      script.allCreated = { manager, script in
        let objects = try manager.destinationContext.fetch(FetchRequest(entityName: "Track"))
        script.log.append("\(objects.map { "\($0[toOne: "album"].map { "\($0)" } ?? "nil")" })")
        var request = FetchRequest(entityName: "Track")
        request.predicate = try MappingPredicate(parsing: "cover != nil")
        script.log.append("\(try manager.destinationContext.fetch(request))")
      }
    }
    try test.migrate(mapping)
    #expect(script.log == ["\([String](repeating: "nil", count: 6))", "[]"])
    try check(test)
  }

  @Test func `a link that a policy sets in the first pass gives way to the mapping's`() throws {
    let (test, mapping, _) = try test { script in
      script.allCreated = { manager, _ in
        let tracks = try manager.destinationContext.fetch(FetchRequest(entityName: "Track"))
        let own = try manager.destinationContext.insert("Cover")
        own[toOne: "track"] = tracks[0]
      }
    }
    try test.migrate(mapping)
    // The mapping connects the track with its own cover later.
    #expect(try test.lines("Track", "album", "cover", "tags") == Self.outcome)
    #expect(
      try test.lines("Cover", "track")
        == (1...6).map { "Cover/p\($0) track=Track/p\($0)" } + ["Cover/p7 track=nil"])
  }

  @Test func `no link to an object that a policy deletes remains`() throws {
    let (test, mapping, _) = try test { script in
      script.allCreated = { manager, _ in
        let tracks = try manager.destinationContext.fetch(FetchRequest(entityName: "Track"))
        try manager.destinationContext.delete(tracks[1])
      }
    }
    try test.migrate(mapping)
    #expect(try test.lines("Track", "album", "cover", "tags") == Self.outcome.filter { !$0.hasPrefix("Track/p2 ") })
    #expect(try test.lines("Album", "tracks")[1] == "Album/p2 tracks=[Track/p5]")
    #expect(try test.lines("Cover", "track")[1] == "Cover/p2 track=nil")
  }

  @Test(arguments: [false, true])
  func `rules that policies break are reported, whether they change objects early or late`(isLate: Bool) throws {
    let new = Self.model { track in
      for index in track.attributes.indices where track.attributes[index].name == "stars" {
        track.attributes[index].validation = AttributeValidation(maximum: .integer(4))
      }
      for index in track.relationships.indices where track.relationships[index].name == "album" {
        track.relationships[index].isOptional = false
      }
    }
    let (test, mapping, _) = try test(to: new) { script in
      let spoil: (ManagedObject) throws -> Void = { object in
        if object.primaryKey == 2 { try object.setValue(.null, forKey: "title") }
      }
      script.created = { object, _, script in
        script.held.append(object)
        if !isLate { try spoil(object) }
      }
      if isLate { script.connected = { _, script in for object in script.held { try spoil(object) } } }
    }
    let error = test.failure { try test.manager.migrateUnchecked(from: test.source, to: test.destination, mapping) }
    let violations = (error?.underlying as? MigrationViolations)?.violations.map {
      "\($0.propertyNames) \($0.count) \($0.exampleKeys)"
    }
    #expect(violations == [#"["title"] 1 [2]"#, #"["album"] 2 [3, 6]"#, #"["stars"] 1 [6]"#])
  }

  /// Keeps weak references to the last objects that it received.
  private final class Forgetful: EntityMigrationPolicy {
    final class Log {
      var calls = 0
      var mistaken: [String] = []
    }

    private weak var source: ManagedObject?
    private weak var destination: ManagedObject?
    private var sourceKey: Int64?
    private var destinationKey: Int64?

    private func note(_ object: ManagedObject?, _ key: Int64?, _ manager: MigrationManager) {
      guard let log = manager.userInfo["log"] as? Log else { return }
      log.calls += 1
      if let object, object.primaryKey != key { log.mistaken.append(object.description) }
    }

    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      note(self.source, sourceKey, manager)
      (self.source, sourceKey) = (source, source.primaryKey)
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    }

    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      note(self.destination, destinationKey, manager)
      (self.destination, destinationKey) = (destination, destination.primaryKey)
      try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
    }
  }

  @Test func `a weak reference to a row's object never points to another object`() throws {
    let test = try MigrationTest(from: Self.model(), to: Self.model(), policies: PolicyRegistry(Forgetful.self)) {
      for title in ["a", "b", "c"] { try $0.insert("Track")["title"] = .string(title) }
    }
    let log = Forgetful.Log()
    test.manager.userInfo["log"] = log
    var mapping = EntityMappingDescription(source: "Track", destination: "Track")
    mapping.policyClassName = PolicyRegistry(Forgetful.self).names.first
    try test.migrate(mapping)
    #expect(log.calls == 6)
    #expect(log.mistaken.isEmpty)
  }
}
