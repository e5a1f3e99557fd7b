import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore
@testable import HeavyliftEngine

/// The cases in which a table cannot be kept, or only in part, because of other entities and indexes.
@Suite struct KeptTableCases {
  private static let shop = ManagedObjectModel(
    name: "1",
    entities: [
      EntityDescription(
        name: "Article", isAbstract: true,
        attributes: [Models.attribute("name", .string), Models.attribute("code", .string)]),
      EntityDescription(name: "Hat", superentityName: "Article"),
      EntityDescription(
        name: "Order", attributes: [Models.attribute("day", .integer32)],
        relationships: [Models.toOne("article", "Article")]),
      EntityDescription(name: "Shoe", superentityName: "Article"),
    ])

  private func test(
    isUnique: Bool = false, _ change: (inout ManagedObjectModel) -> Void = { _ in }
  ) throws -> MigrationTest {
    var old = Self.shop
    if isUnique { old.entities[0].uniquenessConstraints = [.init(["code"])] }
    var new = old
    new.name = "2"
    change(&new)
    return try MigrationTest(from: old, to: new) { context in
      for number in 0..<4 {
        let article = try context.insert(number.isMultiple(of: 2) ? "Hat" : "Shoe")
        article["name"] = .string("article \(number)")
        article["code"] = .string("code \(number)")
        let order = try context.insert("Order")
        order["day"] = .integer(Int64(number))
        try order.setObject(article, forKey: "article")
      }
    }
  }

  private func mapping(_ others: EntityMappingDescription...) -> MappingModel {
    let named = Set(others.compactMap(\.sourceEntityName))
    return MappingModel(
      entityMappings: ["Hat", "Order", "Shoe"].filter { !named.contains($0) }.map {
        EntityMappingDescription(source: $0, destination: $0)
      } + others)
  }

  @Test func `a table with a derived attribute is written, and the attribute is computed anew`() throws {
    func shop(_ derivation: String, name: String) -> ManagedObjectModel {
      var (model, derived) = (Self.shop, Models.attribute("derived", .integer32))
      derived.derivationExpression = derivation
      model.edit("Order") { [derived] in
        $0.attributes += [derived, Models.attribute("week", .integer32, default: .integer(7))]
      }
      model.name = name
      return model
    }
    let test = try MigrationTest(from: shop("day", name: "1"), to: shop("week", name: "2")) { context in
      for number in 1...3 { try context.insert("Order")["day"] = .integer(Int64(number)) }
    }
    var options = MigrationOptions()
    options.keeping = .always
    let plan = try test.manager.plan(from: test.source, with: [mapping()], options: options)
    #expect(!plan.keptTables.map(\.name).contains("ZORDER"))
    try test.migrate(mapping(), options: options)
    let context = ManagedObjectContext(store: try test.bothStores().1)
    #expect(try context.fetch(FetchRequest(entityName: "Order")).map { $0["derived"].integer } == [7, 7, 7])
  }

  /// SQLite checks an index at each row, and the old one does not allow what the new version allows.
  @Test(arguments: [false, true]) func `an attribute that loses its uniqueness may get the same value in all rows`(
    staysUnique: Bool
  ) throws {
    func outcome(_ keeping: TableKeeping) throws -> [String] {
      let test = try test(isUnique: true) { if !staysUnique { $0.entities[0].uniquenessConstraints = [] } }
      var options = MigrationOptions()
      options.keeping = keeping
      let code = PropertyMappingDescription.attribute("code", try MappingExpression(parsing: "'none'"))
      let entities = ["Hat", "Shoe"].map { EntityMappingDescription(source: $0, destination: $0, properties: [code]) }
      let mapping = mapping(entities[0], entities[1])
      let plan = try test.manager.plan(from: test.source, with: [mapping], options: options)
      #expect(plan.keptTables.map(\.name).contains("ZARTICLE") == (keeping == .always))
      do { try test.migrate(mapping, options: options) } catch { return ["\(error)"] }
      return try test.lines("Hat", "code") + test.lines("Shoe", "code")
    }
    let (fresh, copied) = (try outcome(.never), try outcome(.always))
    #expect(fresh == copied)
    #expect(fresh.count == (staysUnique ? 1 : 4) && fresh[0].contains(staysUnique ? "code" : "code=none"), "\(fresh)")
  }

  private func execute(_ sql: String, in test: MigrationTest) throws {
    let database = try Database(path: test.source.path, mode: .readWrite)
    try database.register(function: "shop_code", argumentCount: 1, isDeterministic: true, isAllowedInSchema: true) {
      _ in .integer(1)
    }
    try database.execute(sql)
    try database.close()
  }

  private func kept(_ test: MigrationTest, _ mapping: MappingModel) throws -> [String] {
    var options = MigrationOptions()
    options.keeping = .always
    return try test.manager.plan(from: test.source, with: [mapping], options: options).keptTables.map(\.name)
      .sorted()
  }

  /// The outcomes with new rows and with kept ones.
  private func outcomes(_ test: MigrationTest, _ mapping: MappingModel) throws -> [MigrationOutcome] {
    try [TableKeeping.never, .always].map { keeping in
      var options = MigrationOptions()
      options.keeping = keeping
      return try MigrationOutcome(of: test, mapping, named: "\(keeping)", options: options, ignoring: ["Z_OPT"])
    }
  }

  @Test func `links with the numbers of their targets' entities are kept only if the numbers are right`() throws {
    let test = try test()
    #expect(try kept(test, mapping()) == ["ZARTICLE", "ZORDER"])
    try execute("UPDATE ZORDER SET Z1_ARTICLE = 99 WHERE Z_PK = 1", in: test)
    #expect(try kept(test, mapping()) == ["ZARTICLE"])
    let found = try outcomes(test, mapping())
    #expect(found[0].error == nil && found[0] == found[1])
  }

  @Test func `links keep the numbers of the entities that their mapping names`() throws {
    // Hats become hats and, in another table, boxes.
    let test = try test {
      $0.entities.insert(
        EntityDescription(name: "Box", attributes: [Models.attribute("name", .string)]), at: 1)
    }
    let box = EntityMappingDescription(
      name: "Box", source: "Hat", destination: "Box", drops: [DroppedProperty("code")])
    let mapping = mapping()
    let both = MappingModel(entityMappings: mapping.entityMappings + [box])
    #expect(try kept(test, both) == ["ZORDER"])
    let found = try outcomes(test, both)
    #expect(found[0].error == nil && found[0] == found[1], "\(found[1].error ?? "")")
  }

  @Test func `a table from which objects are removed is written`() throws {
    let test = try test { $0.entities[2].relationships = [] }
    let order = EntityMappingDescription(
      source: "Order", destination: "Order", drops: [DroppedProperty("article")])
    #expect(try kept(test, mapping(EntityMappingDescription(source: "Shoe"), order)) == [])
  }

  @Test func `a table whose objects become objects of two tables is written`() throws {
    let test = try test {
      $0.entities.append(EntityDescription(name: "Visit", attributes: [Models.attribute("day", .integer32)]))
    }
    let visit = EntityMappingDescription(
      source: "Order", destination: "Visit", drops: [DroppedProperty("article")])
    let order = EntityMappingDescription(source: "Order", destination: "Order")
    #expect(try kept(test, mapping(order, visit)) == ["ZARTICLE"])
  }

  @Test func `an index with the right name and other columns is created again`() throws {
    let test = try test()
    try execute(
      "DROP INDEX ZORDER_ZARTICLE_INDEX; CREATE INDEX ZORDER_ZARTICLE_INDEX ON ZORDER (ZDAY)", in: test)
    var options = MigrationOptions()
    options.keeping = .always
    try test.migrate(mapping(), options: options)
    #expect(
      try test.rows("SELECT sql FROM sqlite_master WHERE name = 'ZORDER_ZARTICLE_INDEX'")
        == [#"text("CREATE INDEX ZORDER_ZARTICLE_INDEX ON ZORDER (ZARTICLE)")"#])
  }

  @Test func `an index with a function that only the app has does not stop the migration`() throws {
    let test = try test()
    let order = EntityMappingDescription(
      source: "Order", destination: "Order",
      properties: [.attribute("day", try MappingExpression(parsing: "5"))])
    #expect(try kept(test, mapping(order)) == ["ZARTICLE", "ZORDER"])
    try execute("CREATE INDEX MINE ON ZORDER (shop_code(ZDAY))", in: test)
    let found = try outcomes(test, mapping(order))
    #expect(found[0].error == nil && found[0] == found[1], "\(found[1].error ?? "")")
  }

  @Test func `rows are created as objects if a progress handler has changed the source`() throws {
    let test = try test()
    let mapping = mapping()
    #expect(try kept(test, mapping) == ["ZARTICLE", "ZORDER"])
    test.manager.progressHandler = { manager in
      guard manager.currentPass == .instances, let context = try? manager.sourceContext, !context.hasChanges
      else { return }
      try? context.fetch(FetchRequest(entityName: "Hat")).first?["name"] = .string("changed")
    }
    let found = try outcomes(test, mapping)
    #expect(found[0].error == nil && found[0] == found[1], "\(found[1].error ?? "")")
    #expect(found[0].rows["ZARTICLE"]?.contains { $0.contains("changed") } == true)
  }

}
