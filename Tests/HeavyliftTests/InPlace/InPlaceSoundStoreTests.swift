import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// A migration in place refuses no store whose oddities it leaves as they are.
@Suite struct InPlaceSoundStoreTests {
  private static func entity(
    _ name: String, _ parent: String? = nil, was old: String? = nil, _ relationships: RelationshipDescription...
  ) -> EntityDescription {
    var entity = EntityDescription(
      name: name, superentityName: parent, attributes: parent == nil ? [Models.attribute("name", .string)] : [],
      relationships: relationships)
    entity.renamingIdentifier = old
    return entity
  }

  /// Migrates a store in place, and returns its contents.
  private func migrated(
    _ old: [EntityDescription], _ new: [EntityDescription], sql: String, fill: (ManagedObjectContext) throws -> Void
  ) throws -> [String: [String]] {
    let models = [ManagedObjectModel(name: "1", entities: old), ManagedObjectModel(name: "2", entities: new)]
    let folder = try TemporaryFolder()
    let url = folder.appending("store.sqlite")
    let store = try PersistentStore.create(at: url, model: models[0])
    let context = ManagedObjectContext(store: store)
    try fill(context)
    try context.save()
    try store.database.execute(sql)
    try store.close()
    try IncrementalMigrationManager(models: models, infersMissingMappings: true)
      .migrate(url, options: .init(mode: .inPlace))
    let opened = try PersistentStore(url: url, models: [models[1]], mode: .readOnly)
    return try MigrationTest.contents(of: ManagedObjectContext(store: opened), models[1])
  }

  private static let owners = [
    entity("Car", nil, Models.toOne("owner", "Owner", "car")),
    entity("Owner", nil, Models.toOne("car", "Car", "owner")), entity("Dealer", "Owner"),
  ]

  private static func fillOwners(_ context: ManagedObjectContext) throws {
    for name in ["Owner", "Dealer", "Owner"] {
      try context.insert(name).setObject(context.insert("Car"), forKey: "car")
    }
    _ = try context.insert("Owner")
    try context.save()
  }

  /// The owner without a car gets one that does not exist.
  private static let dangling = "UPDATE ZOWNER SET ZCAR = 99 WHERE ZCAR IS NULL"

  @Test(arguments: ["", dangling])
  func `one end of a one-to-one relationship is dropped, and objects are removed`(sql: String) throws {
    let contents = try migrated(
      Self.owners, [Self.entity("Car"), Self.entity("Owner", nil, Models.toOne("car", "Car"))], sql: sql,
      fill: Self.fillOwners)
    #expect(contents["Owner"]?.count == 3 && contents["Car"]?.count == 3)
  }

  @Test(arguments: ["", dangling])
  func `an entity of a one-to-one relationship is renamed, and objects are removed`(sql: String) throws {
    let contents = try migrated(
      Self.owners,
      [
        Self.entity("Vehicle", nil, was: "Car", Models.toOne("owner", "Owner", "car")),
        Self.entity("Owner", nil, Models.toOne("car", "Vehicle", "owner")),
      ], sql: sql, fill: Self.fillOwners)
    #expect(contents["Owner"]?.count == 3 && contents["Vehicle"]?.count == 3)
  }

  @Test(arguments: ["", dangling])
  func `objects of a one-to-one relationship are removed`(sql: String) throws {
    let contents = try migrated(Self.owners, Array(Self.owners.prefix(2)), sql: sql, fill: Self.fillOwners)
    #expect(contents["Owner"]?.count == 3 && contents["Car"]?.count == 3)
  }

  /// The last pet's row, which is of another entity than the relationship leads to.
  @Test(arguments: ["", "UPDATE ZTOY SET ZDOG = (SELECT max(Z_PK) FROM ZPET) WHERE ZDOG IS NULL"])
  func `a list becomes ordered, and an object links to one of another entity`(sql: String) throws {
    func entities(_ isOrdered: Bool) -> [EntityDescription] {
      [
        Self.entity("Pet"), Self.entity("Dog", "Pet", Models.toMany("toys", "Toy", "dog", isOrdered: isOrdered)),
        Self.entity("Cat", "Pet"), Self.entity("Toy", nil, Models.toOne("dog", "Dog", "toys")),
      ]
    }
    let contents = try migrated(entities(false), entities(true), sql: sql) { context in
      let dog = try context.insert("Dog")
      for _ in 0..<2 { try context.insert("Toy").setObject(dog, forKey: "dog") }
      try context.save()
      _ = try context.insert("Toy")
      _ = try context.insert("Cat")
      try context.save()
    }
    #expect(contents["Toy"]?.count == 3)
  }

  @Test(arguments: [nil, (77, 2)] as [(Int, Int)?])
  func `a join table with links to missing objects is renamed, and objects are removed`(link: (Int, Int)?) throws {
    func entities(_ name: String, _ dog: EntityDescription?) -> [EntityDescription] {
      [
        Self.entity("Owner", nil, Models.toMany("pets", name, "owners")),
        Self.entity(name, nil, was: name == "Pet" ? nil : "Pet", Models.toMany("owners", "Owner", "pets")),
      ] + [dog].compactMap(\.self)
    }
    let old = entities("Pet", Self.entity("Dog", "Pet"))
    let layout = try #require(PhysicalLayout(model: ManagedObjectModel(name: "1", entities: old)).joins.first?.layout)
    let sql = link.map { "INSERT INTO \(layout.name) VALUES (\($0), \($1))" } ?? ""
    let contents = try migrated(old, entities("Animal", nil), sql: sql) { context in
      let owner = try context.insert("Owner")
      for name in ["Pet", "Dog", "Pet"] { try context.insert(name).setObjects([owner], forKey: "owners") }
    }
    #expect(contents["Animal"]?.count == 2)
  }

  @Test(arguments: ["", "UPDATE ZPAGE SET Z_ENT = 9 WHERE Z_PK = 1; UPDATE ZNOTE SET Z_ENT = 9 WHERE Z_PK = 1"])
  func `a table takes the name of another, and rows have wrong numbers`(sql: String) throws {
    var memo = Self.entity("Memo", nil, was: "Note")
    memo.attributes.append(Models.attribute("rank", .integer16, isOptional: false, default: .integer(1)))
    let contents = try migrated(
      [Self.entity("Note"), Self.entity("Page")], [memo, Self.entity("Note", nil, was: "Page")], sql: sql
    ) { context in
      for _ in 0..<2 { for name in ["Note", "Page"] { _ = try context.insert(name) } }
    }
    #expect(contents["Note"]?.count == 2 && contents["Memo"]?.count == 2)
  }
}
