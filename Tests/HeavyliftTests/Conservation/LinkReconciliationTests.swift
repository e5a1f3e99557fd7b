import HeavyliftExpression
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftSQLite
@testable import HeavyliftStore

/// Every source link is carried, replaced, left to a policy, or dropped because the object at one end was dropped.
@Suite struct LinkReconciliationTests {
  /// Tracks on albums, with tags.
  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Album", attributes: [Models.attribute("year", .integer64)],
      relationships: [Models.toMany("tracks", "Track", "album")]),
    EntityDescription(
      name: "Tag", attributes: [Models.attribute("name", .string)],
      relationships: [Models.toMany("tracks", "Track", "tags")]),
    EntityDescription(
      name: "Track", attributes: [Models.attribute("number", .integer64)],
      relationships: [Models.toOne("album", "Album", "tracks"), Models.toMany("tags", "Tag", "tracks")]),
  ])

  /// Two albums with three tracks each, and two tags on every track.
  static func fill(_ context: ManagedObjectContext) throws {
    let tags = try ["a", "b"].map { name in
      let tag = try context.insert("Tag")
      tag["name"] = .string(name)
      return tag
    }
    for year in 1...2 {
      let album = try context.insert("Album")
      album["year"] = .integer(Int64(year))
      for number in 1...3 {
        let track = try context.insert("Track")
        track["number"] = .integer(Int64(number))
        track[toOne: "album"] = album
        track[toMany: "tags"] = tags
      }
    }
  }

  private static func mapping(_ entity: String, _ filter: String? = nil, policy: String? = nil) throws
    -> EntityMappingDescription
  {
    EntityMappingDescription(
      source: entity, destination: entity, filter: try filter.map { try MappingPredicate(parsing: $0) }, policy: policy)
  }

  static func text(_ links: [MigrationReport.Links]) -> [String] {
    links.map { links in
      let counts = [
        ("carried", links.carried), ("replaced", links.replaced), ("dropped", links.dropped),
        ("dangling", links.dangling), ("left to policies", links.leftToPolicy),
      ].filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
      return "\(links.entityName).\(links.relationshipName) \(links.count): \(counts.joined(separator: ", "))"
    }
  }

  static func links(
    _ mappings: [EntityMappingDescription], forcesObjects: Bool = false, policies: PolicyRegistry = PolicyRegistry(),
    changingBy sql: String? = nil
  ) throws -> [String] {
    let test = try MigrationTest(from: model, to: model, policies: policies, fill: fill)
    if let sql { try Database(path: test.source.path, mode: .readWrite).execute(sql) }
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    return text(try test.migrate(MappingModel(entityMappings: mappings), options: options).links)
  }

  @Test(arguments: [false, true]) func `links are dropped with the objects at their ends`(forcesObjects: Bool) throws {
    #expect(
      try Self.links([], forcesObjects: forcesObjects) == [
        "Tag.tracks 12: 12 carried", "Track.album 6: 6 carried",
      ])
    #expect(
      try Self.links([Self.mapping("Track", "number < 3")], forcesObjects: forcesObjects) == [
        "Tag.tracks 12: 8 carried, 4 dropped", "Track.album 6: 4 carried, 2 dropped",
      ])
    #expect(
      try Self.links(
        [Self.mapping("Track", "number < 3"), Self.mapping("Album", "year == 1")], forcesObjects: forcesObjects) == [
          "Tag.tracks 12: 8 carried, 4 dropped", "Track.album 6: 2 carried, 4 dropped",
        ])
    #expect(
      try Self.links(
        [EntityMappingDescription(type: .remove, source: "Tag")], forcesObjects: forcesObjects) == [
          "Tag.tracks 12: 12 dropped", "Track.album 6: 6 carried",
        ])
  }

  /// Mappings in which an expression reads a relationship that is not migrated.
  static func replacing() throws -> [EntityMappingDescription] {
    let track = EntityMappingDescription(
      source: "Track", destination: "Track",
      properties: [
        .attribute("number", try MappingExpression(parsing: "$source.tags.@count")),
        PropertyMappingDescription(.relationship, name: "tags", source: .unmapped),
      ])
    let tag = EntityMappingDescription(
      source: "Tag", destination: "Tag",
      properties: [PropertyMappingDescription(.relationship, name: "tracks", source: .unmapped)])
    return [track, tag]
  }

  @Test func `an expression replaces links`() throws {
    #expect(try Self.links(Self.replacing()) == ["Tag.tracks 12: 12 replaced", "Track.album 6: 6 carried"])
  }

  @Test func `links that a policy decides are counted as left to it`() throws {
    var policies = PolicyRegistry()
    policies.register(FirstTagOnly.self)
    #expect(
      try Self.links([Self.mapping("Track", policy: "FirstTagOnly")], policies: policies) == [
        "Tag.tracks 12: 6 carried, 6 left to policies", "Track.album 6: 6 carried",
      ])
  }

  @Test(arguments: [
    ("", "UPDATE ZTRACK SET ZALBUM = NULL WHERE Z_PK = 2", "Track.album", "Track.album", 6, 5),
    ("number < 3", "UPDATE ZTRACK SET ZALBUM = NULL WHERE Z_PK = 2", "Track.album", "Track.album", 4, 3),
    (
      "number < 3", "DELETE FROM Z_2TRACKS WHERE rowid IN (SELECT min(rowid) FROM Z_2TRACKS)", "Tag.tracks",
      "Tag.tracks", 8, 7
    ),
  ])
  func `a missing link fails the hop, with or without a filter`(
    filter: String, damage: String, source: String, destination: String, wanted: Int, held: Int
  ) throws {
    let test = try MigrationTest(from: Self.model, to: Self.model, fill: Self.fill)
    test.manager.faultHook = { try $0.database.execute(damage) }
    let mappings = filter.isEmpty ? [] : [try Self.mapping("Track", filter)]
    #expect(
      test.failure { try test.migrate(MappingModel(entityMappings: mappings)) }?.description == """
        error[migration.134110]: \(wanted) links of relationship '\(source)' were migrated to '\(destination)', but the \
        new store has \(held)
          if entity mappings set both ends of the relationship differently, map only one end and write 'copy="no"' on \
        the other; otherwise this is a bug in the migration engine: report it with the mapping file
        """)
  }

  @Test func `an extra link fails the hop`() throws {
    let test = try MigrationTest(from: Self.model, to: Self.model, fill: Self.fill)
    test.manager.faultHook = { try $0.database.execute("UPDATE ZTRACK SET ZALBUM = 1 WHERE Z_PK = 6") }
    let mappings = [try Self.mapping("Album", "year == 1")]
    #expect(
      test.failure { try test.migrate(MappingModel(entityMappings: mappings)) }?.problem
        == "3 links of relationship 'Track.album' were migrated to 'Track.album', but the new store has 4")
  }

  @Test(arguments: [false, true]) func `links to missing rows are counted and reported`(forcesObjects: Bool)
    throws
  {
    let damage = "UPDATE ZTRACK SET ZALBUM = 9999 WHERE Z_PK IN (1, 5)"
    #expect(
      try Self.links([], forcesObjects: forcesObjects, changingBy: damage) == [
        "Tag.tracks 12: 12 carried", "Track.album 6: 4 carried, 2 dangling",
      ])
    #expect(
      try Self.links([Self.mapping("Track", "number < 3")], forcesObjects: forcesObjects, changingBy: damage) == [
        "Tag.tracks 12: 8 carried, 4 dropped", "Track.album 6: 2 carried, 2 dropped, 2 dangling",
      ])
    let test = try MigrationTest(from: Self.model, to: Self.model, fill: Self.fill)
    try Database(path: test.source.path, mode: .readWrite).execute(damage)
    #expect(
      try test.migrate(MappingModel(entityMappings: [])).notes.map(\.description) == [
        """
        warning[store.dangling-links]: 2 links lead to objects that are not in the store: 2 in 'Track.album'
          Core Data reads such a link as nil, and a migration does not carry it over
        """
      ])
  }

  @Test(arguments: [
    ("UPDATE ZPAGE SET ZNEXT = 99 WHERE Z_PK = 4", "Page.next"),
    ("UPDATE ZPAGE SET ZPREVIOUS = 99 WHERE Z_PK = 1", "Page.previous"),
    ("INSERT INTO Z_1PAGES VALUES (1, NULL)", "Note.pages"), ("INSERT INTO Z_1PAGES VALUES (NULL, 1)", "Note.pages"),
  ]) func `a dangling link is reported at either end`(damage: String, name: String) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "Note", relationships: [Models.toMany("pages", "Page", "notes")]),
      EntityDescription(
        name: "Page",
        relationships: [
          Models.toOne("next", "Page", "previous"), Models.toOne("previous", "Page", "next"),
          Models.toMany("notes", "Note", "pages"),
        ]),
    ])
    let test = try MigrationTest(from: model, to: model) { context in
      let pages = try (1...4).map { _ in try context.insert("Page") }
      pages[0][toOne: "next"] = pages[1]
      _ = try context.insert("Note")
    }
    try Database(path: test.source.path, mode: .readWrite).execute(damage)
    #expect(
      try test.migrate(MappingModel(entityMappings: [])).notes.map(\.description) == [
        """
        warning[store.dangling-links]: 1 link leads to an object that is not in the store: 1 in '\(name)'
          Core Data reads such a link as nil, and a migration does not carry it over
        """
      ])
  }

  /// A box whose new relationship accepts only tools, not other items.
  private static func box(_ target: String) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(name: "Box", relationships: [Models.toOne("content", target)]),
      EntityDescription(name: "Item"), EntityDescription(name: "Tool", superentityName: "Item"),
    ])
  }

  @Test(arguments: [false, true]) func `a link to an object that no longer fits is refused unless a mapping is named`(
    forcesObjects: Bool
  ) throws {
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    func test(_ entities: String...) throws -> MigrationTest {
      try MigrationTest(from: Self.box("Item"), to: Self.box("Tool")) { context in
        for entity in entities { try context.insert("Box")[toOne: "content"] = context.insert(entity) }
      }
    }
    let automatic = MappingModel(entityMappings: [])
    let fitting = try test("Tool", "Tool").migrateAll(automatic, options)
    #expect(Self.text(fitting) == ["Box.content 2: 2 carried"])
    let mixed = try test("Tool", "Item")
    #expect(
      mixed.failure { try mixed.migrate(automatic, options: options) }?.description == """
        error[migration.134110]: 1 link of relationship 'Box.content' would be lost: 'Box.content' of the new version \
        leads to 'Tool' objects, which the linked object does not become
          to drop them, write '<relationship name="content" mapping="ToolToTool"/>' in entity mapping 'BoxToBox'; to \
        keep them, write an entity mapping that creates 'Tool' objects from these objects
        """)
    let named = MappingModel(entityMappings: [
      EntityMappingDescription(
        source: "Box", destination: "Box", properties: [.relationship("content", through: "ToolToTool")])
    ])
    #expect(Self.text(try mixed.migrateAll(named, options)) == ["Box.content 2: 1 carried, 1 dropped"])
  }

  @Test(arguments: [
    "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"ToolToTool\", {}).@count",
    "$destination.size", "FUNCTION($manager, \"doubled:\", $source.size)",
  ]) func `links are compared although an expression reads new objects or calls code`(expression: String) throws {
    func model(_ target: String) -> ManagedObjectModel {
      var model = Self.box(target)
      model.entities[0].attributes = [Models.attribute("size", .integer64)]
      return model
    }
    let test = try MigrationTest(from: model("Item"), to: model("Tool")) { context in
      try context.insert("Box")[toOne: "content"] = context.insert("Item")
    }
    test.manager.functions["doubled:"] = MigrationFunction { (size: Int?) in (size ?? 0) * 2 }
    let mapping = EntityMappingDescription(
      source: "Box", destination: "Box",
      properties: [.attribute("size", try MappingExpression(parsing: expression))])
    #expect(
      test.failure { try test.migrate(EntityMappingDescription(source: "Tool", destination: "Tool"), mapping) }?.problem
        .hasPrefix(
          "1 link of relationship 'Box.content' would be lost") == true)
  }

  @Test(arguments: [false, true]) func `two relationships merged into one do not take each other's objects`(
    forcesObjects: Bool
  ) throws {
    let old = ManagedObjectModel(entities: [
      EntityDescription(name: "Buyer", relationships: [Models.toMany("orders", "Order", "buyer")]),
      EntityDescription(
        name: "Order",
        relationships: [Models.toOne("buyer", "Buyer", "orders"), Models.toOne("seller", "Seller", "orders")]),
      EntityDescription(name: "Seller", relationships: [Models.toMany("orders", "Order", "seller")]),
    ])
    let new = ManagedObjectModel(entities: [
      EntityDescription(name: "Order", relationships: [Models.toOne("party", "Party", "orders")]),
      EntityDescription(name: "Party", relationships: [Models.toMany("orders", "Order", "party")]),
    ])
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(source: "Buyer", destination: "Party"),
      EntityMappingDescription(source: "Seller", destination: "Party"),
    ])
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    func test(isShared: Bool) throws -> MigrationTest {
      try MigrationTest(from: old, to: new) { context in
        for _ in 0..<2 {
          let order = try context.insert("Order")
          order[toOne: "buyer"] = try context.insert("Buyer")
          if isShared { order[toOne: "seller"] = try context.insert("Seller") }
        }
      }
    }
    #expect(Self.text(try test(isShared: false).migrateAll(mapping, options)) == ["Order.buyer 2: 2 carried"])
    let shared = try test(isShared: true)
    #expect(
      shared.failure { try shared.migrate(mapping, options: options) }?.problem
        == "4 links of relationships 'Order.buyer' and 'Order.seller' were migrated to 'Order.party', but the new store has 2"
    )
  }
}

/// Keeps one tag per track.
private final class FirstTagOnly: EntityMigrationPolicy {
  override func end(_ mapping: EntityMapping, manager: MigrationManager) throws {
    var request = FetchRequest(entityName: "Track")
    request.includesSubentities = false
    for track in try manager.destinationContext.fetch(request) {
      track[toMany: "tags"] = Array(track[toMany: "tags"].sorted { $0.primaryKey < $1.primaryKey }.prefix(1))
    }
  }
}

extension MigrationTest {
  fileprivate func migrateAll(_ mapping: MappingModel, _ options: MigrationOptions) throws -> [MigrationReport.Links] {
    try migrate(mapping, options: options).links
  }
}
