import Foundation
import Heavylift
import HeavyliftTestSupport
import Testing

/// Law: an identity migration changes nothing, down to the last value.
@Suite struct IdentityMigrationTests {
  /// One mapping for each entity that can have objects.
  static func mapping(of model: ManagedObjectModel) -> MappingModel {
    MappingModel(
      entityMappings: model.entities.filter { !$0.isAbstract }.map {
        EntityMappingDescription(source: $0.name, destination: $0.name)
      })
  }

  private static let graph = ManagedObjectModel(
    name: "Graph",
    entities: [
      EntityDescription(
        name: "Thing", isAbstract: true,
        attributes: [Models.attribute("name", .string), Models.attribute("rank", .integer64)],
        relationships: [
          Models.toOne("partner", "Thing", "partner"), Models.toOne("left", "Thing", "right"),
          Models.toOne("right", "Thing", "left"), Models.toOne("parent", "Thing", "children"),
          Models.toMany("children", "Thing", "parent"), Models.toOne("list", "Thing", "items"),
          Models.toMany("items", "Thing", "list", isOrdered: true), Models.toMany("friends", "Thing", "friends"),
          Models.toMany("follows", "Thing", "followers"), Models.toMany("followers", "Thing", "follows"),
          Models.toMany("queue", "Thing", "queues", isOrdered: true),
          Models.toMany("queues", "Thing", "queue", isOrdered: true), Models.toMany("labels", "Label", "things"),
          Models.toOne("link", "Thing"), Models.toMany("ring", "Thing", "ring", isOrdered: true),
        ]),
      EntityDescription(name: "Node", superentityName: "Thing", attributes: [Models.attribute("weight", .double)]),
      EntityDescription(name: "Leaf", superentityName: "Node", attributes: [Models.attribute("color", .string)]),
      EntityDescription(
        name: "Label", attributes: [Models.attribute("text", .string)],
        relationships: [Models.toMany("things", "Thing", "labels")]),
    ])

  @Test(arguments: Seeds.some(of: 1..<13))
  func `a graph with every kind of relationship stays the same`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let test = try MigrationTest(from: Self.graph, to: Self.graph) { context in
      var things: [ManagedObject] = []
      for index in 0..<Int.random(in: 1...40, using: &random) {
        let thing = try context.insert(Bool.random(using: &random) ? "Node" : "Leaf")
        thing["name"] = .string("n\(index)")
        thing["rank"] = .integer(Int64.random(in: -5...5, using: &random))
        things.append(thing)
      }
      let labels = try (0..<5).map { _ in try context.insert("Label") }
      for thing in things {
        for name in ["partner", "left", "parent", "list", "link"] where Bool.random(using: &random) {
          try thing.setObject(things.randomElement(using: &random), forKey: name)
        }
        for name in ["children", "items", "friends", "follows", "queue", "ring"] where Bool.random(using: &random) {
          for _ in 0..<Int.random(in: 0...4, using: &random) {
            if let other = things.randomElement(using: &random) { try thing.add(other, to: name) }
          }
        }
        if let label = labels.randomElement(using: &random) { try thing.add(label, to: "labels") }
      }
      // Leaves gaps in the keys. The deleted objects have no links to them: dangling links are not migrated.
      try context.save()
      let gone = Set(things.filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
      for thing in things where thing[toOne: "link"].map(gone.contains) ?? false { thing[toOne: "link"] = nil }
      for thing in things where gone.contains(thing) { try context.delete(thing) }
    }
    var mapping = Self.mapping(of: Self.graph)
    // A policy that only calls super changes nothing, nor does one that reads what is there.
    test.manager.policies = PolicyRegistry(Super.self, Curious.self)
    for index in mapping.entityMappings.indices {
      mapping.entityMappings[index].policyClassName = [nil, "Super", "Curious"].randomElement(using: &random) ?? nil
    }
    try test.migrate(mapping)
    let (old, new) = try test.bothStores()
    let difference = try StoreDifference(from: old, to: new)
    #expect(difference.isEmpty, "seed \(seed): \(difference)")
    #expect(new.metadata.identifier == old.metadata.identifier)
    #expect(try new.highestKeysForTests() == old.highestKeysForTests(), "seed \(seed)")
  }

  private final class Super: EntityMigrationPolicy {}

  private final class Curious: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      let objects = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
      #expect(
        try manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: objects) == [source])
      if source.objectID.key % 3 == 0 { #expect(try manager.destinationContext.registeredObjects.contains(objects[0])) }
    }

    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      // An expression that differs from the declared one but means the same.
      for property in mapping.relationshipMappings where !(property.valueExpression?.description ?? "").hasPrefix("T") {
        guard let expression = property.valueExpression else { continue }
        property.valueExpression = try MappingExpression(parsing: "TERNARY(1 == 1, \(expression), nil)")
      }
      try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
      try manager.destinationContext.save()
    }
  }

  @Test func `a value of every type stays the same, byte for byte`() throws {
    let types: [AttributeType] = [
      .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binaryData, .uuid, .uri,
      .transformable,
    ]
    var model = ManagedObjectModel(
      name: "Types",
      entities: [
        EntityDescription(
          name: "Value",
          attributes: types.map { Models.attribute("a\($0)", $0) } + [
            AttributeDescription(name: "file", type: .binaryData, allowsExternalBinaryDataStorage: true),
            AttributeDescription(name: "place", type: .composite, compositeName: "Place"),
            Models.attribute("withDefault", .string, default: "default"),
          ])
      ],
      composites: [
        CompositeDescription(
          name: "Place", elements: [Models.attribute("x", .double), Models.attribute("name", .string)])
      ])
    model.entities[0].attributes.append(AttributeDescription(name: "held", type: .string, isTransient: true))
    let values: [String: [Value]] = [
      "ainteger16": [.integer(-32_768)], "ainteger32": [.integer(2_147_483_647)],
      "ainteger64": [.integer(.min), .integer(.max)],
      "adecimal": [.decimal(Decimal(string: "12345678901234567890.123456789") ?? 0), .decimal(0.1), .decimal(.nan)],
      "adouble": [.double(0.1 + 0.2), .double(-0.0), .double(.infinity)], "afloat": [.double(1.5)],
      "astring": [.string(""), .string("e\u{301} \u{0} é")], "aboolean": [true, false],
      "adate": [.date(Date(timeIntervalSinceReferenceDate: 0.123456789))],
      "abinaryData": [.data(Data()), .data(Data([1, 2, 0]))],
      "auuid": [.uuid(UUID())], "auri": [.uri("http://[not a url]")],
      "atransformable": [.data(Data((0..<200).map { UInt8($0) }))],
      "file": [.data(Data([7])), .data(Data(repeating: 9, count: 300_000))],
      "place": [.composite(["x": .double(1), "name": .null])],
      "withDefault": [.null, .string("own")],
    ]
    let test = try MigrationTest(from: model, to: model) { context in
      for place in 0..<4 {
        let object = try context.insert("Value")
        for (name, candidates) in values { try object.setValue(candidates[place % candidates.count], forKey: name) }
      }
      _ = try context.insert("Value")
    }
    try test.migrate(Self.mapping(of: model))
    let (old, new) = try test.bothStores()
    let difference = try StoreDifference(from: old, to: new)
    #expect(difference.isEmpty, "\(difference)")
    #expect(
      try test.rows("SELECT typeof(ZADECIMAL), ZADECIMAL FROM ZVALUE ORDER BY 1")
        == old.rowsForTests(
          "SELECT typeof(ZADECIMAL), ZADECIMAL FROM ZVALUE ORDER BY 1"))

    // Large files are hard links to the source's own, not copies.
    let names = try new.externalData.fileNames()
    #expect(try names == old.externalData.fileNames())
    #expect(names.count == 2)
    for name in names {
      let attributes = try FileManager.default.attributesOfItem(atPath: new.externalData.file(named: name).path)
      #expect((attributes[.referenceCount] as? NSNumber)?.intValue == 2)
    }
  }

  @Test func `two objects made from one have a file each`() throws {
    let model = ManagedObjectModel(
      name: "Files",
      entities: [
        EntityDescription(
          name: "Photo",
          attributes: [AttributeDescription(name: "data", type: .binaryData, allowsExternalBinaryDataStorage: true)])
      ])
    let test = try MigrationTest(from: model, to: model) { context in
      try context.insert("Photo").setValue(.data(Data(repeating: 1, count: 200_000)), forKey: "data")
    }
    try test.migrate(
      EntityMappingDescription(name: "One", source: "Photo", destination: "Photo"),
      EntityMappingDescription(name: "Two", source: "Photo", destination: "Photo", intendsDuplicates: true))
    let context = try test.opened()
    let photos = try context.fetch(FetchRequest(entityName: "Photo"))
    #expect(photos.map(\.description) == ["Photo/p1", "Photo/p2"])
    #expect(try context.store.externalData.fileNames().count == 2)
    try context.delete(photos[0])
    try context.save()
    #expect(photos[1]["data"].data?.count == 200_000)
  }

  @Test func `counts are derived again`() throws {
    func model(_ name: String) -> ManagedObjectModel {
      ManagedObjectModel(
        name: name,
        entities: [
          EntityDescription(
            name: "Book",
            attributes: [
              AttributeDescription(name: "pageCount", type: .integer64, derivationExpression: "pages.@count")
            ],
            relationships: [Models.toMany("pages", "Page", "book")]),
          EntityDescription(
            name: "Page", attributes: [Models.attribute("number", .integer64)],
            relationships: [Models.toOne("book", "Book", "pages")]),
        ])
    }
    let test = try MigrationTest(from: model("1"), to: model("2")) { context in
      for count in [0, 3] {
        let book = try context.insert("Book")
        for number in 0..<count {
          let page = try context.insert("Page")
          page["number"] = .integer(Int64(number))
          page[toOne: "book"] = book
        }
      }
    }
    try test.migrate(
      EntityMappingDescription(source: "Book", destination: "Book"),
      EntityMappingDescription(
        source: "Page", destination: "Page", filter: try MappingPredicate(parsing: "number > 0")))
    #expect(try test.lines("Book", "pageCount") == ["Book/p1 pageCount=0", "Book/p2 pageCount=2"])
  }

  @Test func `a derived attribute is set even if its name is a prefix of a count's name`() throws {
    func derived(_ name: String, _ type: AttributeType, _ derivation: String) -> AttributeDescription {
      AttributeDescription(name: name, type: type, derivationExpression: derivation)
    }
    let model = ManagedObjectModel(
      name: "Shelves",
      entities: [
        EntityDescription(
          name: "Shelf",
          attributes: [
            Models.attribute("title", .string), derived("name", .string, "canonical:(title)"),
            derived("name_count", .integer64, "books.@count"),
          ],
          relationships: [Models.toMany("books", "Book", "shelf")]),
        EntityDescription(name: "Book", relationships: [Models.toOne("shelf", "Shelf", "books")]),
      ])
    let test = try MigrationTest(from: model, to: model) { context in
      let shelf = try context.insert("Shelf")
      shelf["title"] = .string("\u{C9}t\u{E9}")
      try shelf.add(try context.insert("Book"), to: "books")
    }
    try test.migrate(Self.mapping(of: model))
    #expect(try test.lines("Shelf", "name", "name_count") == ["Shelf/p1 name=ete name_count=1"])
  }

  @Test func `an attribute that no trigger updates is derived after all objects are written`() throws {
    func derived(_ name: String, _ type: AttributeType, _ derivation: String) -> AttributeDescription {
      AttributeDescription(name: name, type: type, derivationExpression: derivation)
    }
    let model = ManagedObjectModel(
      name: "Derived",
      entities: [
        EntityDescription(
          name: "Book",
          attributes: [
            Models.attribute("title", .string), derived("folded", .string, "canonical:(title)"),
            derived("lengths", .integer64, "pages.@sum.length"), derived("odd", .string, "TERNARY("),
          ],
          relationships: [Models.toMany("pages", "Page", "books")]),
        EntityDescription(
          name: "Page", attributes: [Models.attribute("length", .integer64)],
          relationships: [Models.toMany("books", "Book", "pages")]),
      ])
    let test = try MigrationTest(from: model, to: model) { context in
      for (title, lengths) in [("\u{C9}t\u{E9}", [1, 2, 39]), (nil, [])] as [(String?, [Int64])] {
        let book = try context.insert("Book")
        book["title"] = title.map(Value.string) ?? .null
        for length in lengths {
          let page = try context.insert("Page")
          page["length"] = .integer(length)
          try book.add(page, to: "pages")
        }
      }
    }
    let report = try test.migrate(Self.mapping(of: model))
    #expect(
      try test.lines("Book", "folded", "lengths", "odd") == [
        "Book/p1 folded=ete lengths=42 odd=nil", "Book/p2 folded=nil lengths=0 odd=nil",
      ])
    #expect(
      report.notes.map(\.problem) == [
        "attribute 'odd' of entity 'Book' cannot be derived: its derivation expression is not supported"
      ])
  }

  @Test(.enabled(if: Corpus.isPresent, "\(Corpus.comment)"), arguments: CorpusMigrations.stores)
  func `a real store stays the same`(store: CorpusMigrations.Store) throws {
    let folder = try TemporaryFolder()
    let copy = try folder.copyStore(store.url)
    let model = try store.model()
    let manager = MigrationManager(sourceModel: model, destinationModel: model)
    let destination = folder.appending("identity.sqlite")
    try manager.migrateStore(from: copy, to: destination, with: Self.mapping(of: model))
    let difference = try StoreDifference(
      from: PersistentStore(url: copy, models: [model], mode: .readOnly),
      to: PersistentStore(url: destination, models: [model], mode: .readOnly))
    #expect(difference.isEmpty, "\(difference)")
  }
}
