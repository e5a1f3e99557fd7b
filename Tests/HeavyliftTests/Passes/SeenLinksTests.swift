import HeavyliftExpression
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore
@testable import HeavyliftEngine

/// Policies see the same links at each moment, whether they are written together or object by object.
@Suite struct SeenLinksTests {
  /// Looks at all links in every hook, in all the ways that there are, and does one thing that has to do with links.
  private final class Looking: EntityMigrationPolicy {
    private var held: [ManagedObject] = []

    private func task(_ manager: MigrationManager) -> String { manager.userInfo["task"] as? String ?? "" }

    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      let key = source.primaryKey
      switch task(manager) {
      case "skip" where key == 2: return
      case "out of turn" where key == 1:
        // The mapping of covers runs later, and creates the other covers.
        guard let covers = manager.mappingModel?.entityMappings.first(where: { $0.destinationEntityName == "Cover" }),
          let cover = try source.object(forKey: "cover")
        else { break }
        let live = try #require(manager.run?.steps.first { $0.name == covers.name })
        try live.policy.createDestinationInstances(forSource: cover, in: live.mapping, manager: manager)
      default: break
      }
      if task(manager) == "change and restore", key == 2 { source["title"] = "changed" }
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      if task(manager) == "change and restore", key == 2 { try manager.sourceContext.refresh(source) }
      let made = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
      if key.isMultiple(of: 2) { held += made }
      switch (task(manager), key) {
      case ("link new", 3):
        try made.first?.setObject(
          manager.destinationContext.fetch(FetchRequest(entityName: "Album")).last, forKey: "album")
      case ("change, unlink last", 5): held.first?["title"] = "changed"
      default: break
      }
      if key == 4 { try look("creating", manager) }
    }

    override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
      let context = try manager.destinationContext
      let tracks = try context.fetch(FetchRequest(entityName: "Track"))
      switch task(manager) {
      case "link": try tracks[0].setObject(context.fetch(FetchRequest(entityName: "Album")).last, forKey: "album")
      case "delete target":
        if let album = try context.fetch(FetchRequest(entityName: "Album")).first { try context.delete(album) }
      case "delete": try context.delete(tracks[2])
      case "change source":
        let sources = try manager.sourceContext.fetch(FetchRequest(entityName: "Track"))
        try sources[0].setObject(nil, forKey: "album")
      case "associate":
        let sources = try manager.sourceContext.fetch(FetchRequest(entityName: "Track"))
        try manager.associate(sourceInstance: sources[0], withDestinationInstance: tracks[1], for: mapping)
      default: break
      }
      try look("created", manager)
    }

    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      let key = destination.primaryKey
      if key == 3, task(manager) != "unlink third" { try look("before \(destination)", manager) }
      if task(manager).hasPrefix("no super"), key.isMultiple(of: 2) { return }
      if task(manager) == "other expression", key == 3 {
        mapping.relationshipMappings.first { $0.name == "album" }?.valueExpression = nil
      }
      // An object that was read has to learn of its links, too.
      if key == 4 { _ = destination["title"] }
      if key == 4, task(manager) == "change and unlink" { destination["title"] = "changed" }
      try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
      switch (task(manager), key) {
      case ("unlink", 4), ("unlink third", 3), ("change, unlink last", 6):
        try destination.setObject(nil, forKey: "album")
      case ("change and unlink", 4):
        _ = try destination.object(forKey: "album")
        try destination.setObject(nil, forKey: "album")
      case ("delete in between", 4): try manager.destinationContext.delete(destination)
      case ("create again", 4):
        let sources = try manager.sourceInstances(
          forEntityMappingName: mapping.name, destinationInstances: [destination])
        try manager.destinationContext.delete(destination)
        for source in sources {
          try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
        }
      case ("add", 4):
        let tags = try manager.destinationContext.fetch(FetchRequest(entityName: "Tag"))
        try destination.setObjects(tags, forKey: "tags")
      default: break
      }
      if key >= 4 { try look("after \(destination)", manager) }
    }

    override func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
      try look("connected", manager)
    }

    override func performCustomValidation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
      try look("validating", manager)
    }

    private func look(_ moment: String, _ manager: MigrationManager) throws {
      guard let log = manager.userInfo["log"] as? LawPolicy.Log else { return }
      let context = try manager.destinationContext
      func names(_ objects: [ManagedObject]) -> String { "\(objects.map(\.description))" }
      func fetch(_ entity: String, _ format: String) throws -> String {
        names(try context.fetch(FetchRequest(entityName: entity, where: format)))
      }
      log.lines.append("\(moment): held \(try held.filter { !$0.isDeleted }.map { try Self.links(of: $0) })")
      for entity in ["Album", "Cover", "Tag", "Track"] {
        let objects = try context.fetch(FetchRequest(entityName: entity))
        log.lines.append("  \(entity) \(try objects.map { try Self.links(of: $0) })")
      }
      log.lines.append("  \(try fetch("Track", "album != nil")) \(try fetch("Track", "album.year > 2000"))")
      log.lines.append("  \(try fetch("Album", "tracks.@count > 0")) \(try fetch("Tag", "ANY tracks.title == '4'"))")
      var sorted = FetchRequest(entityName: "Track")
      sorted.sortKeys = [.init(keyPath: "album.year", isAscending: false)]
      log.lines.append("  \(names(try context.fetch(sorted)))")
      var counted = FetchRequest(entityName: "Cover")
      counted.predicate = try MappingPredicate(parsing: "track != nil")
      log.lines.append("  \(try context.count(for: counted))")
    }

    private static func links(of object: ManagedObject) throws -> String {
      let links = try object.entity.relationships.map { relationship in
        let targets =
          try relationship.isToMany
          ? object.objects(forKey: relationship.name) : [object.object(forKey: relationship.name)].compactMap(\.self)
        let value: ExpressionValue = try object.value(forKey: relationship.name)
        return "\(relationship.name)=\(targets.map(\.description)) \(value.managedObjects?.count ?? -1)"
      }
      return "\(object) \(links.joined(separator: " "))"
    }
  }

  private static func model(hasMandatoryCover: Bool = false) -> ManagedObjectModel {
    var model = Self.model
    for entity in model.entities.indices {
      for place in model.entities[entity].relationships.indices
      where model.entities[entity].relationships[place].name == "cover" {
        model.entities[entity].relationships[place].isOptional = !hasMandatoryCover
      }
    }
    return model
  }

  private static let model = ManagedObjectModel(
    name: "Music",
    entities: [
      EntityDescription(
        name: "Album", attributes: [Models.attribute("year", .integer16)],
        relationships: [Models.toMany("tracks", "Track", "album")]),
      EntityDescription(
        name: "Cover", attributes: [Models.attribute("number", .integer16)],
        relationships: [Models.toOne("track", "Track", "cover")]),
      EntityDescription(name: "Tag", relationships: [Models.toMany("tracks", "Track", "tags")]),
      EntityDescription(
        name: "Track", attributes: [Models.attribute("title", .string)],
        relationships: [
          Models.toOne("album", "Album", "tracks"), Models.toOne("cover", "Cover", "track"),
          Models.toMany("tags", "Tag", "tracks"),
        ]),
    ])

  /// Migrates six tracks, and returns what the policy saw and what the new store contains.
  ///
  /// - Parameter order: The entities in the order of their mappings.
  private static func outcome(
    _ task: String, order: [String], mapsOneEnd: Bool, forcesObjects: Bool
  ) throws -> [String] {
    let registry = PolicyRegistry(Looking.self)
    let new = model(hasMandatoryCover: task == "no super, mandatory")
    let test = try MigrationTest(from: model, to: new, policies: registry) { context in
      let albums = try (0..<3).map { number in
        let album = try context.insert("Album")
        album["year"] = .integer(Int64(2000 + number))
        return album
      }
      let tags = try (0..<2).map { _ in try context.insert("Tag") }
      for number in 0..<6 {
        let track = try context.insert("Track")
        track["title"] = .string("\(number)")
        if number < 5 { track[toOne: "album"] = albums[number % 3] }
        let cover = try context.insert("Cover")
        cover["number"] = .integer(Int64(number))
        track[toOne: "cover"] = cover
        if number > 2 { track[toMany: "tags"] = Array(tags.prefix(number - 3)) }
      }
    }
    let log = LawPolicy.Log()
    test.manager.userInfo["log"] = log
    test.manager.userInfo["task"] = task
    // The policy creates the first cover, and the mapping of covers the others.
    let others = task == "out of turn" ? try MappingPredicate(parsing: "number > 0") : nil
    let mappings = order.map { name in
      EntityMappingDescription(
        source: name, destination: name, filter: name == "Cover" ? others : nil,
        policy: name == "Track" ? registry.names.first : nil,
        properties: mapsOneEnd && name != "Track"
          ? [.init(.relationship, name: name == "Cover" ? "track" : "tracks", source: .unmapped)] : [])
    }
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    do {
      try test.manager.migrateUnchecked(
        from: test.source, to: test.destination, MappingModel(entityMappings: mappings), options: options)
    } catch {
      return log.lines + ["\(error)"]
    }
    return try log.lines + test.lines("Track", "title", "album", "cover", "tags") + test.lines("Album", "tracks")
      + test.lines("Cover", "track") + test.lines("Tag", "tracks")
  }

  static let tasks = [
    "look", "skip", "out of turn", "link", "delete target", "delete", "change source", "associate", "no super",
    "other expression", "unlink", "delete in between", "add", "link new", "unlink third", "change and unlink",
    "change, unlink last", "no super, mandatory", "change and restore", "create again",
  ]
  static let orders = [["Album", "Cover", "Tag", "Track"], ["Track", "Tag", "Cover", "Album"]]

  @Test(arguments: tasks, orders)
  func `a policy sees the same as if objects did everything`(task: String, order: [String]) throws {
    for mapsOneEnd in [false, true] {
      let written = try Self.outcome(task, order: order, mapsOneEnd: mapsOneEnd, forcesObjects: false)
      let byObject = try Self.outcome(task, order: order, mapsOneEnd: mapsOneEnd, forcesObjects: true)
      let different = zip(written, byObject).first { $0 != $1 }
      #expect(
        written == byObject,
        "one end: \(mapsOneEnd)\n\(different?.0 ?? "\(written.count) lines")\n\(different?.1 ?? "\(byObject.count)")")
    }
  }

  @Test func `links that the tasks look at are written together`() throws {
    let registry = PolicyRegistry(Looking.self)
    let test = try MigrationTest(from: Self.model, to: Self.model, policies: registry) { _ in }
    let mapping = MappingModel(
      entityMappings: Self.orders[1].map {
        EntityMappingDescription(source: $0, destination: $0, policy: $0 == "Track" ? registry.names.first : nil)
      })
    let plan = try test.manager.plan(from: test.source, with: [mapping])
    #expect(!plan.writesLinksWithRows && plan.rowRelationships.count == 3)
    #expect(plan.steps.map { $0.rowRelationships.map(\.name) } == [["album", "cover"], [], ["track"], []])
  }
}
