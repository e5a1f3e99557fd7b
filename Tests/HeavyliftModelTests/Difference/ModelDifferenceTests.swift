import Foundation
import HeavyliftModel
import Testing

@Suite struct ModelDifferenceTests {
  private static let library1 = ManagedObjectModel(
    versionIdentifiers: ["1"],
    entities: [
      EntityDescription(
        name: "Book",
        attributes: [
          AttributeDescription(name: "pages", type: .integer16), AttributeDescription(name: "isbn", type: .string),
        ],
        relationships: [
          RelationshipDescription(name: "author", destinationEntityName: "Author", inverseName: "books", maxCount: 1)
        ]),
      EntityDescription(name: "Novel", superentityName: "Book"),
      EntityDescription(
        name: "Author", attributes: [AttributeDescription(name: "fullName", type: .string)],
        relationships: [RelationshipDescription(name: "books", destinationEntityName: "Book", inverseName: "author")]),
      EntityDescription(name: "Cache"), EntityDescription(name: "Shelf"),
    ],
    configurations: [ConfigurationDescription(name: "Cloud", entityNames: ["Book", "Cache"])])

  private static let library2: ManagedObjectModel = {
    var book = library1.entities[1]
    book.attributes[1].type = .integer32
    book.attributes[0] = AttributeDescription(
      name: "code", type: .string, isOptional: false, renamingIdentifier: "isbn")
    book.attributes.append(AttributeDescription(name: "year", type: .integer16, defaultValue: 2000))
    book.relationships[0].deleteRule = .deny
    book.userInfo = ["table": "books"]
    var author = library1.entities[0]
    author.name = "Writer"
    author.renamingIdentifier = "Author"
    author.attributes = []
    var library2 = ManagedObjectModel(
      versionIdentifiers: ["2"],
      entities: [book, author, library1.entities[3], EntityDescription(name: "Tag"), EntityDescription(name: "Shelf")],
      composites: [CompositeDescription(name: "Place", elements: [])],
      configurations: [ConfigurationDescription(name: "Cloud", entityNames: ["Book", "Tag"])])
    library2.versionID = "b"
    return library2
  }()

  @Test func `all differences are listed as a table`() {
    #expect(
      ModelDifference(from: Self.library1, to: Self.library2).description == """
        model
            itself  userDefinedModelVersionIdentifier  "1" → "2"
            itself  versionID                          none → "b"

        entity 'Book': 7 changes; its version hash changes
            itself                 userInfo.table  none → "books"
          * attribute 'code'       name            "isbn" → "code"
          * attribute 'code'       optional        YES → NO
            attribute 'code'       elementID       none → "isbn"
          * attribute 'pages'      attributeType   Integer 16 → Integer 32
          * attribute 'year'       added           Integer 16, optional, default 2000
            relationship 'author'  deletionRule    Nullify → Deny

        entity 'Cache': removed

        entity 'Novel': no change of its own; its version hash changes
          * parent 'Book'  its version hash

        entity 'Tag': added

        entity 'Writer': renamed from 'Author', 3 changes; its version hash changes
          * itself                name       "Author" → "Writer"
            itself                elementID  none → "Author"
          * attribute 'fullName'  removed    String, optional

        composite 'Place': added

        configuration 'Cloud': 2 changes
            itself  memberEntity  "Cache" → none
            itself  memberEntity  none → "Tag"

        * changes the version hash
        """)
  }

  @Test func `there is always a reason why two hashes differ`() {
    let difference = ModelDifference(from: Self.library1, to: Self.library2)
    #expect(
      difference.versionHashReasons(forEntity: "Book").map(\.description) == [
        "attribute 'code': name: \"isbn\" → \"code\", optional: YES → NO",
        "attribute 'pages': attributeType: Integer 16 → Integer 32", "attribute 'year': added",
      ])
    #expect(
      difference.versionHashReasons(forEntity: "Novel").map(\.description) == [
        "the version hash of its parent, entity 'Book', differs"
      ])
    #expect(difference.versionHashReasons(forEntity: "Cache").map(\.description) == ["the entity was removed"])
    #expect(difference.versionHashReasons(forEntity: "Tag").map(\.description) == ["the entity was added"])
    // By its old name and by its new one.
    #expect(
      difference.versionHashReasons(forEntity: "Author").map(\.description) == [
        "name: \"Author\" → \"Writer\"", "attribute 'fullName': removed",
      ])
    #expect(difference.versionHashReasons(forEntity: "Shelf") == [])
  }

  @Test func `stated hashes that differ for no known reason are reported as such`() throws {
    let model = ManagedObjectModel(entities: [EntityDescription(name: "Book")])
    var stated = model
    stated.statedVersionHashes["Book"] = VersionHash(bytes: Data(repeating: 7, count: 32))
    let difference = ModelDifference(from: model, to: stated)
    #expect(difference.isEmpty)
    #expect(difference.changesVersionHashes)
    #expect(
      difference.description == """
        entity 'Book': no change of its own; its version hash changes
          * the recorded hashes differ, but no known difference explains why

        * changes the version hash
        """)
  }

  @Test func `equal stated hashes override different facts`() {
    var old = ManagedObjectModel(entities: [EntityDescription(name: "Book")])
    old.statedVersionHashes["Book"] = VersionHash(bytes: Data(repeating: 7, count: 32))
    var new = old
    new.entities[0].isAbstract = true
    #expect(
      ModelDifference(from: old, to: new).description == """
        entity 'Book': 1 change; its version hash is unchanged
            itself  isAbstract  NO → YES
        """)
  }

  @Test func `a property that replaces an identical inherited one changes no hash`() throws {
    let title = AttributeDescription(name: "title", type: .string)
    let old = ManagedObjectModel(entities: [
      EntityDescription(name: "Book", attributes: [title]), EntityDescription(name: "Novel", superentityName: "Book"),
    ])
    var new = old
    new.entities[1].attributes = [title]
    #expect(old.versionHashes == new.versionHashes)
    #expect(
      ModelDifference(from: old, to: new).description == """
        entity 'Novel': 1 change; its version hash is unchanged
            attribute 'title'  added  String, optional
        """)
  }

  @Test func `values with the same text are distinguished`() {
    func model(_ value: Value) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Book", attributes: [AttributeDescription(name: "a", type: .decimal, defaultValue: value)])
      ])
    }
    let table: [(Value, Value, String)] = [
      (1, .decimal(1), "1 (an integer) → 1 (a decimal)"), (1, 1.0, "1 → 1.0"), ("1", 1, "\"1\" → 1"),
      (.null, "", "none → \"\""), (.bool(true), .string("YES"), "YES → \"YES\""),
      (
        .data(Data([1, 2])), .data(Data(repeating: 255, count: 20)),
        "2 bytes, 0102 → 20 bytes, \(String(repeating: "f", count: 32))…"
      ),
      (.uri("a:b"), .date(Date(timeIntervalSinceReferenceDate: 5)), "<a:b> → 5.0 seconds since 2001"),
      (.composite(["x": 1, "a": .null]), .null, "{a: none, x: 1} → none"),
    ]
    for (old, new, expected) in table {
      let difference = ModelDifference(from: model(old), to: model(new))
      #expect(
        difference.entities.flatMap(\.properties).flatMap(\.changes).map(\.description) == ["defaultValue: \(expected)"]
      )
    }
  }

  @Test func `the order of fetch indexes is a fact, too`() {
    let indexes = ["a", "b"].map { FetchIndexDescription(name: $0, elements: []) }
    func model(_ indexes: [FetchIndexDescription]) -> ManagedObjectModel {
      ManagedObjectModel(entities: [EntityDescription(name: "Book", fetchIndexes: indexes)])
    }
    #expect(
      ModelDifference(from: model(indexes), to: model(indexes.reversed())).description == """
        entity 'Book': 1 change; its version hash is unchanged
            itself  order of fetch indexes  'a' and 'b' → 'b' and 'a'
        """)
  }

  /// The hash concatenates some texts without a separator: letters that move from one to the next do not change it.
  @Test func `facts that are concatenated in the hash are not blamed`() {
    func model(destination: String, inverse: String, modifier: String, constraints: [[String]]) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Book",
          relationships: [
            RelationshipDescription(name: "r", destinationEntityName: destination, inverseName: inverse)
          ], uniquenessConstraints: constraints.map { .init($0) }, versionHashModifier: modifier)
      ])
    }
    let old = model(destination: "A", inverse: "Ab", modifier: "2", constraints: [["p"]])
    let new = model(destination: "AA", inverse: "b", modifier: "2p", constraints: [])
    #expect(old.versionHashes == new.versionHashes)
    #expect(
      ModelDifference(from: old, to: new).description == """
        entity 'Book': 4 changes; its version hash is unchanged
            itself            versionHashModifier    "2" → "2p"
            itself            uniquenessConstraints  (p) → none
            relationship 'r'  destinationEntity      "A" → "AA"
            relationship 'r'  inverseName            "Ab" → "b"
        """)
  }

  @Test(.timeLimit(.minutes(10))) func `ten thousand entities are compared quickly`() {
    func model(_ type: AttributeType) -> ManagedObjectModel {
      ManagedObjectModel(
        entities: (0..<10_000).map {
          EntityDescription(name: "E\($0)", attributes: [AttributeDescription(name: "a", type: type)])
        })
    }
    let difference = ModelDifference(from: model(.string), to: model(.date))
    #expect(difference.entities.count == 10_000)
    #expect(difference.entities.allSatisfy { $0.versionHashReasons.count == 1 })
  }

  @Test(.timeLimit(.minutes(10))) func `broken models are compared, too`() {
    let twice = ManagedObjectModel(entities: [
      EntityDescription(name: "Book", superentityName: "Book"), EntityDescription(name: "Book", isAbstract: true),
    ])
    let once = ManagedObjectModel(entities: [EntityDescription(name: "Book", superentityName: "Nowhere")])
    #expect(
      ModelDifference(from: once, to: twice).description == """
        entity 'Book': 1 change; its version hash is unchanged
            itself  parentEntity  "Nowhere" → "Book"

        entity 'Book': added

        * changes the version hash
        """)
  }
}
