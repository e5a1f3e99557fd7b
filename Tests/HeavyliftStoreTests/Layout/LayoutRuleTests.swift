import HeavyliftModel
import HeavyliftSQLite
import Testing

@testable import HeavyliftStore

/// Every rule of the layout, each with a minimal model and the whole resulting DDL.
struct LayoutRuleTests {
  struct Case: Sendable, CustomStringConvertible {
    var description: String
    var entities: [EntityDescription]
    var composites: [CompositeDescription] = []
    var ddl: [String]
    var omissions: [String] = []
    var assumptions: [String] = []
  }

  static func entity(
    _ name: String, under parent: String? = nil, _ attributes: [AttributeDescription] = [],
    _ relationships: [RelationshipDescription] = []
  ) -> EntityDescription {
    EntityDescription(name: name, superentityName: parent, attributes: attributes, relationships: relationships)
  }

  static func attribute(_ name: String, _ type: AttributeType) -> AttributeDescription {
    AttributeDescription(name: name, type: type)
  }

  static func toOne(_ name: String, _ destination: String, _ inverse: String?) -> RelationshipDescription {
    RelationshipDescription(name: name, destinationEntityName: destination, inverseName: inverse, maxCount: 1)
  }

  static func toMany(
    _ name: String, _ destination: String, _ inverse: String?, ordered: Bool = false
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: destination, inverseName: inverse, isOrdered: ordered, maxCount: 0)
  }

  static let keys = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"

  static let cases: [Case] = [
    Case(
      description: "columns of every type: integers first, then each kind by name",
      entities: [
        entity(
          "All",
          [
            attribute("zi", .integer16), attribute("ai", .boolean), attribute("mi", .integer32),
            attribute("Bi", .integer64), attribute("bin", .binaryData), attribute("tr", .transformable),
            attribute("u", .uuid), attribute("uri", .uri), attribute("s", .string), attribute("dec", .decimal),
            attribute("z", .double), attribute("f", .float), attribute("a", .date),
          ])
      ],
      ddl: [
        "CREATE TABLE ZALL ( \(keys), ZBI INTEGER, ZAI INTEGER, ZMI INTEGER, ZZI INTEGER, ZA TIMESTAMP, ZF FLOAT, "
          + "ZZ FLOAT, ZDEC DECIMAL, ZS VARCHAR, ZURI VARCHAR, ZU BLOB, ZTR BLOB, ZBIN BLOB )"
      ]),
    Case(
      description: "transient attributes and relationships have no column",
      entities: [
        EntityDescription(
          name: "A", attributes: [AttributeDescription(name: "t", type: .string, isTransient: true)],
          relationships: [
            RelationshipDescription(name: "r", destinationEntityName: "A", isTransient: true, maxCount: 1),
            RelationshipDescription(name: "rs", destinationEntityName: "A", isTransient: true),
          ])
      ],
      ddl: ["CREATE TABLE ZA ( \(keys) )"]),
    Case(
      description: "a hierarchy shares the table of its root, in order of entity numbers",
      entities: [
        entity("Root", [attribute("name", .string), attribute("count", .integer16)]),
        entity("Beta", under: "Root", [attribute("size", .integer32), attribute("text", .string)]),
        entity("alpha", under: "Root", [attribute("height", .double), attribute("age", .integer32)]),
        entity("Leaf", under: "alpha", [attribute("flag", .boolean), attribute("data", .binaryData)]),
      ],
      ddl: [
        "CREATE TABLE ZROOT ( \(keys), ZCOUNT INTEGER, ZAGE INTEGER, ZFLAG INTEGER, ZSIZE INTEGER, ZNAME VARCHAR, "
          + "ZHEIGHT FLOAT, ZDATA BLOB, ZTEXT VARCHAR )",
        "CREATE INDEX ZROOT_Z_ENT_INDEX ON ZROOT (Z_ENT)",
      ]),
    Case(
      description: "siblings with the same property name: the later ones are counted",
      entities: [
        entity("R"), entity("A", under: "R", [attribute("name", .string), attribute("n", .integer16)]),
        entity("B", under: "R", [attribute("name", .string), attribute("n", .integer16)]),
        entity("C", under: "R", [attribute("name", .integer16), attribute("name1", .string)]),
      ],
      ddl: [
        "CREATE TABLE ZR ( \(keys), ZN INTEGER, ZN1 INTEGER, ZNAME INTEGER, ZNAME1 VARCHAR, ZNAME2 VARCHAR, "
          + "ZNAME11 VARCHAR )",
        "CREATE INDEX ZR_Z_ENT_INDEX ON ZR (Z_ENT)",
      ]),
    Case(
      description: "names that differ only in case do not clash",
      entities: [
        entity("A", [attribute("URL", .string), attribute("url", .string)]), entity("a", [attribute("x", .date)]),
      ],
      ddl: [
        "CREATE TABLE ZA ( \(keys), ZURL VARCHAR, ZURL1 VARCHAR )", "CREATE TABLE ZA1 ( \(keys), ZX TIMESTAMP )",
      ]),
    Case(
      description: "names that the store itself uses are reserved",
      entities: [
        entity("_PRIMARYKEY", [attribute("_pk", .integer64), attribute("_ent", .string), attribute("_OPT", .date)]),
        entity("_metadata"), entity("_ModelCache"),
      ],
      ddl: [
        "CREATE TABLE Z_METADATA1 ( \(keys) )", "CREATE TABLE Z_MODELCACHE1 ( \(keys) )",
        "CREATE TABLE Z_PRIMARYKEY1 ( \(keys), Z_PK1 INTEGER, Z_OPT1 TIMESTAMP, Z_ENT1 VARCHAR )",
      ]),
    Case(
      description: "a to-one whose destination has sub-entities has a second column",
      entities: [
        entity("A", [], [toOne("base", "Base", "a"), toOne("leaf", "Leaf", nil)]),
        entity("Base", [], [toOne("a", "A", "base")]), entity("Leaf", under: "Base"),
      ],
      ddl: [
        "CREATE TABLE ZA ( \(keys), ZBASE INTEGER, Z2_BASE INTEGER, ZLEAF INTEGER )",
        "CREATE TABLE ZBASE ( \(keys), ZA INTEGER )", "CREATE INDEX ZA_ZBASE_INDEX ON ZA (ZBASE)",
        "CREATE INDEX ZA_ZLEAF_INDEX ON ZA (ZLEAF)", "CREATE INDEX ZBASE_ZA_INDEX ON ZBASE (ZA)",
        "CREATE INDEX ZBASE_Z_ENT_INDEX ON ZBASE (Z_ENT)",
      ]),
    Case(
      description: "a to-one with an ordered inverse has an order key, after all integers of the table",
      entities: [
        entity("List", [], [toMany("items", "Item", "list", ordered: true), toMany("tags", "Item", "tagOf")]),
        entity("Item", [attribute("x", .double)], [toOne("list", "List", "items"), toOne("tagOf", "List", "tags")]),
        entity("Special", under: "Item", [attribute("n", .integer16)]),
      ],
      ddl: [
        "CREATE TABLE ZITEM ( \(keys), ZLIST INTEGER, ZTAGOF INTEGER, ZN INTEGER, Z_FOK_LIST INTEGER, ZX FLOAT )",
        "CREATE TABLE ZLIST ( \(keys) )", "CREATE INDEX ZITEM_ZLIST_INDEX ON ZITEM (ZLIST)",
        "CREATE INDEX ZITEM_ZTAGOF_INDEX ON ZITEM (ZTAGOF)", "CREATE INDEX ZITEM_Z_ENT_INDEX ON ZITEM (Z_ENT)",
      ]),
    Case(
      description: "a many-to-many is named by the end that is visited first, in order of entity names",
      entities: [
        entity("B", [], [toMany("as", "A", "bs", ordered: true)]), entity("A", [], [toMany("bs", "B", "as")]),
      ],
      ddl: [
        "CREATE TABLE ZA ( \(keys) )", "CREATE TABLE ZB ( \(keys) )",
        "CREATE TABLE Z_1BS ( Z_1AS INTEGER, Z_2BS INTEGER, Z_FOK_1AS INTEGER, PRIMARY KEY (Z_1AS, Z_2BS) )",
        "CREATE INDEX Z_1BS_Z_2BS_INDEX ON Z_1BS (Z_2BS, Z_1AS)",
      ]),
    Case(
      description: "a many-to-many that is ordered both ways has two order keys",
      entities: [
        entity("A", [], [toMany("bs", "B", "as", ordered: true)]),
        entity("B", [], [toMany("as", "A", "bs", ordered: true)]),
      ],
      ddl: [
        "CREATE TABLE ZA ( \(keys) )", "CREATE TABLE ZB ( \(keys) )",
        "CREATE TABLE Z_1BS ( Z_1AS INTEGER, Z_2BS INTEGER, Z_FOK_1AS INTEGER, Z_FOK_2BS INTEGER, "
          + "PRIMARY KEY (Z_1AS, Z_2BS) )",
        "CREATE INDEX Z_1BS_Z_2BS_INDEX ON Z_1BS (Z_2BS, Z_1AS)",
      ]),
    Case(
      description: "the names decide, not the numbers: 'Z' comes before 'a'",
      entities: [
        entity("a", [], [toMany("zs", "Z", "as")]), entity("Z", [], [toMany("as", "a", "zs")]),
      ],
      ddl: [
        "CREATE TABLE ZA ( \(keys) )", "CREATE TABLE ZZ ( \(keys) )",
        "CREATE TABLE Z_2AS ( Z_2ZS INTEGER, Z_1AS INTEGER, PRIMARY KEY (Z_2ZS, Z_1AS) )",
        "CREATE INDEX Z_2AS_Z_1AS_INDEX ON Z_2AS (Z_1AS, Z_2ZS)",
      ]),
    Case(
      description: "an inherited relationship is visited at a sub-entity, and has its declarer's number",
      entities: [
        entity("Root", [], [toMany("tags", "Tag", "roots")]), entity("A", under: "Root"),
        entity("B", [], [toMany("tags", "Tag", "bs")]),
        entity("Tag", [], [toMany("roots", "Root", "tags"), toMany("bs", "B", "tags")]),
      ],
      ddl: [
        "CREATE TABLE ZB ( \(keys) )", "CREATE TABLE ZROOT ( \(keys) )", "CREATE TABLE ZTAG ( \(keys) )",
        "CREATE TABLE Z_1TAGS ( Z_1BS INTEGER, Z_4TAGS1 INTEGER, PRIMARY KEY (Z_1BS, Z_4TAGS1) )",
        "CREATE TABLE Z_2TAGS ( Z_2ROOTS INTEGER, Z_4TAGS INTEGER, PRIMARY KEY (Z_2ROOTS, Z_4TAGS) )",
        "CREATE INDEX ZROOT_Z_ENT_INDEX ON ZROOT (Z_ENT)",
        "CREATE INDEX Z_1TAGS_Z_4TAGS1_INDEX ON Z_1TAGS (Z_4TAGS1, Z_1BS)",
        "CREATE INDEX Z_2TAGS_Z_4TAGS_INDEX ON Z_2TAGS (Z_4TAGS, Z_2ROOTS)",
      ]),
    Case(
      description: "columns of one name in one turn are numbered in any order, and so is an order key",
      entities: [
        entity("A", [], [toMany("x", "C", "one", ordered: true), toMany("X", "C", "two")]),
        entity("C", [], [toMany("one", "A", "x"), toMany("two", "A", "X")]),
      ],
      ddl: [
        "CREATE TABLE ZA ( \(keys) )", "CREATE TABLE ZC ( \(keys) )",
        "CREATE TABLE Z_1X ( Z_1TWO INTEGER, Z_2X INTEGER, PRIMARY KEY (Z_1TWO, Z_2X) )",
        "CREATE TABLE Z_1X1 ( Z_1ONE INTEGER, Z_2X1 INTEGER, Z_FOK_2X1 INTEGER, PRIMARY KEY (Z_1ONE, Z_2X1) )",
        "CREATE INDEX Z_1X_Z_2X_INDEX ON Z_1X (Z_2X, Z_1TWO)",
        "CREATE INDEX Z_1X1_Z_2X1_INDEX ON Z_1X1 (Z_2X1, Z_1ONE)",
      ],
      assumptions: [
        "relationships 'X' of entity 'A', 'x' of entity 'A' have columns named Z_2X, numbered in an unknown order",
        "two join tables would be named Z_1X",
        "column Z_2X1 of join table Z_1X1 has both a number in its name and an order column",
      ]),
    Case(
      description: "both ends on one entity: the later name names the table",
      entities: [entity("P", [], [toMany("parents", "P", "kids"), toMany("kids", "P", "parents")])],
      ddl: [
        "CREATE TABLE ZP ( \(keys) )",
        "CREATE TABLE Z_1PARENTS ( Z_1KIDS INTEGER, Z_1PARENTS INTEGER, PRIMARY KEY (Z_1KIDS, Z_1PARENTS) )",
        "CREATE INDEX Z_1PARENTS_Z_1PARENTS_INDEX ON Z_1PARENTS (Z_1PARENTS, Z_1KIDS)",
      ],
      assumptions: [
        "relationship 'kids' of entity 'P' and its inverse 'parents' share a join table that could be named after "
          + "either"
      ]),
    Case(
      description: "a many-to-many that is its own inverse",
      entities: [entity("P", [], [toMany("friends", "P", "friends")])],
      ddl: [
        "CREATE TABLE ZP ( \(keys) )",
        "CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_1FRIENDS, REFLEXIVE) )",
        "CREATE INDEX Z_1FRIENDS_REFLEXIVE_INDEX ON Z_1FRIENDS (REFLEXIVE, Z_1FRIENDS)",
      ]),
    Case(
      description:
        "a to-many without an inverse is a column of its targets, behind their own whole numbers and to-ones",
      entities: [
        entity("A", [], [toMany("bs", "B", nil)]),
        entity("B", [attribute("n", .integer16), attribute("s", .string)], [toOne("z", "A", nil)]),
      ],
      ddl: [
        "CREATE TABLE ZA ( \(keys) )",
        "CREATE TABLE ZB ( \(keys), ZN INTEGER, ZZ INTEGER, Z1BS INTEGER, ZS VARCHAR )",
        "CREATE INDEX ZB_ZZ_INDEX ON ZB (ZZ)", "CREATE INDEX ZB_Z1BS_INDEX ON ZB (Z1BS)",
      ]),
    Case(
      description: "an ordered to-many without an inverse has its order key right after it",
      entities: [entity("P", [], [toMany("ps", "P", nil, ordered: true), toOne("q", "P", nil)])],
      ddl: [
        "CREATE TABLE ZP ( \(keys), ZQ INTEGER, Z1PS INTEGER, Z_FOK_1PS INTEGER )",
        "CREATE INDEX ZP_ZQ_INDEX ON ZP (ZQ)", "CREATE INDEX ZP_Z1PS_INDEX ON ZP (Z1PS)",
      ]),
    Case(
      description: "owners without an inverse are in order of their numbers; two of one owner are in any order",
      entities: [
        entity("C", [], [toMany("bs", "B", nil)]), entity("A", [], [toMany("y", "B", nil), toMany("x", "B", nil)]),
        entity("B"), entity("Sub", under: "B", [attribute("n", .integer16)]),
      ],
      ddl: [
        "CREATE TABLE ZA ( \(keys) )",
        "CREATE TABLE ZB ( \(keys), ZN INTEGER, Z1X INTEGER, Z1Y INTEGER, Z4BS INTEGER )",
        "CREATE TABLE ZC ( \(keys) )", "CREATE INDEX ZB_Z1X_INDEX ON ZB (Z1X)",
        "CREATE INDEX ZB_Z1Y_INDEX ON ZB (Z1Y)", "CREATE INDEX ZB_Z4BS_INDEX ON ZB (Z4BS)",
        "CREATE INDEX ZB_Z_ENT_INDEX ON ZB (Z_ENT)",
      ],
      assumptions: ["relationships 'x' and 'y' of entity 'A' have columns in table ZB in an unknown order"]),
    Case(
      description: "an inherited inverse: the table has the numbers of the entities that declare the relationships",
      entities: [
        entity("Base", [], [toMany("tags", "Tag", "bases")]), entity("Sub", under: "Base"),
        entity("Tag", [], [toMany("bases", "Base", "tags")]),
      ],
      ddl: [
        "CREATE TABLE ZBASE ( \(keys) )", "CREATE TABLE ZTAG ( \(keys) )",
        "CREATE TABLE Z_1TAGS ( Z_1BASES INTEGER, Z_3TAGS INTEGER, PRIMARY KEY (Z_1BASES, Z_3TAGS) )",
        "CREATE INDEX ZBASE_Z_ENT_INDEX ON ZBASE (Z_ENT)",
        "CREATE INDEX Z_1TAGS_Z_3TAGS_INDEX ON Z_1TAGS (Z_3TAGS, Z_1BASES)",
      ]),
    Case(
      description: "a relationship of a sub-entity has the sub-entity's number",
      entities: [
        entity("Base"), entity("Sub", under: "Base", [], [toMany("tags", "Tag", "subs")]),
        entity("Tag", [], [toMany("subs", "Sub", "tags")]),
      ],
      ddl: [
        "CREATE TABLE ZBASE ( \(keys) )", "CREATE TABLE ZTAG ( \(keys) )",
        "CREATE TABLE Z_2TAGS ( Z_2SUBS INTEGER, Z_3TAGS INTEGER, PRIMARY KEY (Z_2SUBS, Z_3TAGS) )",
        "CREATE INDEX ZBASE_Z_ENT_INDEX ON ZBASE (Z_ENT)",
        "CREATE INDEX Z_2TAGS_Z_3TAGS_INDEX ON Z_2TAGS (Z_3TAGS, Z_2SUBS)",
      ]),
    Case(
      description: "uniqueness, fetch indexes, the old flag and compound indexes",
      entities: [
        EntityDescription(
          name: "A",
          attributes: [
            attribute("a", .string), attribute("b", .string),
            AttributeDescription(name: "old", type: .string, isIndexed: true),
          ],
          uniquenessConstraints: [.init(["a"]), .init(["a", "b"])],
          fetchIndexes: [
            FetchIndexDescription(name: "byA", elements: [.init(propertyName: "a")]),
            FetchIndexDescription(
              name: "byBoth", elements: [.init(propertyName: "b", isAscending: false), .init(propertyName: "a")]),
          ], compoundIndexes: [["b", "old"]])
      ],
      ddl: [
        "CREATE TABLE ZA ( \(keys), ZA VARCHAR, ZB VARCHAR, ZOLD VARCHAR )",
        "CREATE INDEX Z_A_a ON ZA (ZA COLLATE BINARY ASC)", "CREATE INDEX Z_A_old ON ZA (ZOLD COLLATE BINARY ASC)",
        "CREATE INDEX Z_A_byA ON ZA (ZA COLLATE BINARY ASC)",
        "CREATE INDEX Z_A_byBoth ON ZA (ZB COLLATE BINARY DESC, ZA COLLATE BINARY ASC)",
        "CREATE INDEX Z_A_b_old ON ZA (ZB COLLATE BINARY ASC, ZOLD COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_A_UNIQUE_a ON ZA (ZA COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_A_UNIQUE_a_b ON ZA (ZA COLLATE BINARY ASC, ZB COLLATE BINARY ASC)",
      ]),
    Case(
      description: "an index of a sub-entity over an inherited property and a to-one",
      entities: [
        entity("Base", [attribute("name", .string)]),
        EntityDescription(
          name: "Sub", superentityName: "Base", relationships: [toOne("next", "Sub", nil)],
          uniquenessConstraints: [.init(["name", "next"])]),
      ],
      ddl: [
        "CREATE TABLE ZBASE ( \(keys), ZNEXT INTEGER, ZNAME VARCHAR )",
        "CREATE INDEX ZBASE_ZNEXT_INDEX ON ZBASE (ZNEXT)", "CREATE INDEX ZBASE_Z_ENT_INDEX ON ZBASE (Z_ENT)",
        "CREATE UNIQUE INDEX Z_Sub_UNIQUE_name_next ON ZBASE (ZNAME COLLATE BINARY ASC, ZNEXT COLLATE BINARY ASC)",
      ]),
    Case(
      description: "a composite has a column for each element",
      entities: [
        EntityDescription(
          name: "A",
          attributes: [
            AttributeDescription(name: "at", type: .composite, compositeName: "Place"), attribute("b", .binaryData),
          ])
      ],
      composites: [
        CompositeDescription(
          name: "Place",
          elements: [
            attribute("lat", .double), attribute("floor", .integer16),
            AttributeDescription(name: "name", type: .composite, compositeName: "Name"),
          ]), CompositeDescription(name: "Name", elements: [attribute("short", .string)]),
      ],
      ddl: [
        "CREATE TABLE ZA ( \(keys), ZFLOOR INTEGER, ZLAT FLOAT, ZSHORT VARCHAR, ZB BLOB )"
      ]),
    Case(
      description: "parts that cannot be laid out are reported",
      entities: [
        EntityDescription(
          name: "A", attributes: [attribute("u", .undefined), attribute("o", .objectID)],
          relationships: [toOne("nowhere", "Nothing", nil), toMany("nobody", "Nothing", nil)],
          fetchIndexes: [
            FetchIndexDescription(
              name: "part", elements: [.init(propertyName: "u")], partialIndexPredicate: "u == nil"),
            FetchIndexDescription(name: "space", elements: [.init(propertyName: "u", collationType: .rTree)]),
          ])
      ],
      ddl: ["CREATE TABLE ZA ( \(keys) )"],
      omissions: [
        "relationship 'nowhere' of entity 'A' leads to an entity that is not in the store",
        "attribute 'o' of entity 'A' has the type Object ID, which a store cannot hold",
        "attribute 'u' of entity 'A' has the type Undefined, which a store cannot hold",
        "relationship 'nobody' of entity 'A' leads to an entity that is not in the store",
        "index 'part' of entity 'A' is partial, spatial, or on an expression",
        "index 'space' of entity 'A' is partial, spatial, or on an expression",
      ]),
    Case(
      description: "non-ASCII names are uppercased, too",
      entities: [entity("Straße", [attribute("größe", .double)])],
      ddl: ["CREATE TABLE \"ZSTRASSE\" ( \(keys), ZGRÖSSE FLOAT )".replacing("\"", with: "")]),
  ]

  @Test(arguments: cases) func `a rule`(rule: Case) throws {
    let layout = PhysicalLayout(model: ManagedObjectModel(entities: rule.entities, composites: rule.composites))
    let ddl = (layout.tables + layout.joinTables).map(\.sql) + layout.indexes.map(\.sql) + layout.triggers.map(\.sql)
    #expect(ddl == rule.ddl)
    #expect(layout.omissions.map(\.problem) == rule.omissions)
    #expect(layout.assumptions.map(\.problem) == rule.assumptions)
    // SQLite accepts it.
    let database = try Database.inMemory()
    try layout.create(in: database)
  }

  @Test func `entities are numbered depth first, without regard to case`() {
    let model = ManagedObjectModel(entities: [
      Self.entity("b"), Self.entity("A"), Self.entity("C"), Self.entity("z", under: "A"), Self.entity("M", under: "A"),
      Self.entity("a2", under: "M"), Self.entity("_x"),
    ])
    #expect(EntityNumbers(model: model).names == ["_x", "A", "M", "a2", "z", "b", "C"])
    #expect(
      PhysicalLayout(model: model).entities.map { "\($0.number) \($0.name) \($0.superNumber) \($0.rootNumber)" }
        == ["1 _x 0 1", "2 A 0 2", "3 M 2 2", "4 a2 3 2", "5 z 2 2", "6 b 0 6", "7 C 0 7"])
    #expect(PhysicalLayout(model: model).entity(named: "A")?.numbersWithSubentities == [2, 3, 4, 5])
  }

  @Test func `a cyclic or broken hierarchy does not cause an endless loop`() {
    let cycle = ManagedObjectModel(entities: [Self.entity("A", under: "B"), Self.entity("B", under: "A")])
    #expect(PhysicalLayout(model: cycle).entities.isEmpty)
    let own = ManagedObjectModel(entities: [Self.entity("A", under: "A"), Self.entity("B", under: "Missing")])
    #expect(PhysicalLayout(model: own).entities.map(\.name) == ["A", "B"])
  }
}
