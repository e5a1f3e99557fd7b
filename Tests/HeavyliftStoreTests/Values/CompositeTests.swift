import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

struct CompositeTests {
  static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Stop",
        attributes: [AttributeDescription(name: "place", type: .composite, compositeName: "Place")])
    ],
    composites: [
      CompositeDescription(
        name: "Place",
        elements: [
          Models.attribute("floor", .integer16), Models.attribute("latitude", .double),
          AttributeDescription(name: "name", type: .composite, compositeName: "Name"),
        ]),
      CompositeDescription(
        name: "Name", elements: [Models.attribute("long", .string), Models.attribute("short", .string)]),
    ])

  @Test func `a composite reads back as it was written, element by element`() throws {
    let test = try TestStore(Self.model)
    let stop = try test.insert(
      "Stop", ["place": .composite(["floor": 2, "latitude": 1, "name": .composite(["short": "x"])])])
    try test.context.save()
    #expect(
      try test.rows("SELECT ZFLOOR, ZLATITUDE, ZLONG, ZSHORT FROM ZSTOP")
        == ["2 1.0r - x"])
    test.context.refresh(stop)
    #expect(
      stop["place"]
        == .composite(["floor": 2, "latitude": 1.0, "name": .composite(["long": nil, "short": "x"])]))
    stop["place"] = .composite(["latitude": 0.5])
    try test.context.save()
    try test.reopen()
    #expect(
      try test.fetch("Stop")[0]["place"] == .composite(["floor": nil, "latitude": 0.5, "name": nil]))
    try test.fetch("Stop")[0]["place"] = nil
    try test.context.save()
    #expect(try test.fetch("Stop")[0]["place"] == .null)
  }

  @Test func `an element is not given an integer out of its range`() throws {
    let test = try TestStore(Self.model)
    let stop = try test.insert("Stop", ["place": .composite(["floor": 32_767])])
    let error = #expect(throws: Diagnostic.self) {
      try stop.setValue(.composite(["floor": 32_768]), forKey: "place")
    }
    #expect(
      error?.description.contains(
        "attribute 'place.floor' of entity 'Stop' has type Integer 16 and cannot hold an integer out of its range")
        == true)
    #expect(stop["place"] == .composite(["floor": 32_767]))
  }

  @Test func `elements have columns like attributes, where the composite's name comes, and named after themselves`()
    throws
  {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Book",
          attributes: [
            AttributeDescription(name: "author", type: .composite, compositeName: "Author"),
            AttributeDescription(name: "publisher", type: .composite, compositeName: "Author"),
            Models.attribute("id", .uuid), Models.attribute("lent", .boolean), Models.attribute("price", .decimal),
            Models.attribute("rating", .double), Models.attribute("subtitle", .string),
            Models.attribute("about", .string),
          ])
      ],
      composites: [
        CompositeDescription(
          name: "Author",
          elements: [
            Models.attribute("name", .string), Models.attribute("id", .uuid), Models.attribute("born", .date),
            AttributeDescription(name: "home", type: .composite, compositeName: "Home"),
            Models.attribute("books", .integer32), Models.attribute("alias", .string),
          ]),
        CompositeDescription(
          name: "Home", elements: [Models.attribute("zip", .string), Models.attribute("floor", .integer16)]),
      ])
    let layout = PhysicalLayout(model: model)
    #expect(
      layout.tables[0].columns.dropFirst(3).map { "\($0.name) \($0.declaredType)" } == [
        "ZFLOOR INTEGER", "ZBOOKS INTEGER", "ZLENT INTEGER", "ZFLOOR1 INTEGER", "ZBOOKS1 INTEGER", "ZBORN TIMESTAMP",
        "ZBORN1 TIMESTAMP", "ZRATING FLOAT", "ZPRICE DECIMAL", "ZABOUT VARCHAR", "ZNAME VARCHAR", "ZZIP VARCHAR",
        "ZALIAS VARCHAR", "ZNAME1 VARCHAR", "ZZIP1 VARCHAR", "ZALIAS1 VARCHAR", "ZSUBTITLE VARCHAR", "ZID BLOB",
        "ZID1 BLOB", "ZID2 BLOB",
      ])
    let publisher = layout.entities[0].attributes.first { $0.name == "publisher" }
    #expect(
      publisher?.elements.map { "\($0.name) \($0.column)" } == [
        "name ZNAME1", "id ZID2", "born ZBORN1", "home ", "books ZBOOKS1", "alias ZALIAS1",
      ])
    #expect(publisher?.elements[3].elements.map(\.column) == ["ZZIP1", "ZFLOOR1"])
  }

  @Test func `predicates reach elements, in SQL too`() throws {
    let test = try TestStore(Self.model)
    for (floor, short) in [(1, "a"), (2, "b"), (3, "b")] as [(Int64, String)] {
      _ = try test.insert(
        "Stop", ["place": .composite(["floor": .integer(floor), "name": .composite(["short": .string(short)])])])
    }
    _ = try test.insert("Stop")
    try test.context.save()
    for (predicate, count) in [
      ("place.floor > 1", 2), ("place.name.short == 'b'", 2), ("place.floor == nil", 1), ("place.floor + 1 == 2", 1),
      ("place.name.short BEGINSWITH 'a'", 1), ("place == nil", 1),
    ] {
      var request = FetchRequest(entityName: "Stop")
      request.predicate = try MappingPredicate(parsing: predicate)
      #expect(try test.context.fetch(request).count == count, "\(predicate)")
    }
    let translator = try test.store.translator(forEntity: "Stop", rowVariables: ["source"], variables: [:])
    #expect(try translator.translate(MappingPredicate(parsing: "place.name.short == 'b'")).sql == "t0.ZSHORT IS ?")
  }

  @Test(
    arguments: [
      (
        .composite(["flor": 2]),
        """
        error[object.unknown-element]: entity 'Stop' has no composite element 'place.flor'
          did you mean 'floor'?
        """
      ),
      (
        .composite(["floor": "two"]),
        """
        error[object.wrong-type]: attribute 'place.floor' of entity 'Stop' has type Integer 16 and cannot hold a string
          convert the value to Integer 16 without loss, then set it
        """
      ),
      (
        .composite(["name": .composite(["short": 1])]),
        """
        error[object.wrong-type]: attribute 'place.name.short' of entity 'Stop' has type String and cannot hold an integer
          convert the value to String without loss, then set it
        """
      ),
      (
        "here",
        """
        error[object.wrong-type]: attribute 'place' of entity 'Stop' has type Composite and cannot hold a string
          convert the value to Composite without loss, then set it
        """
      ),
    ] as [(Value, String)]) func `a composite refuses values that it cannot hold`(value: Value, expected: String) throws
  {
    let test = try TestStore(Self.model)
    let stop = try test.insert("Stop")
    #expect(message { try stop.setValue(value, forKey: "place") } == expected)
    #expect(stop["place"] == .null)
  }

  /// A store cannot represent a composite whose elements are all nil, such as a SwiftData struct of optionals.
  @Test(arguments: [(true, [String]()), (false, ["place"])])
  func `a mandatory composite is missing only if an element of it is mandatory`(
    elementIsOptional: Bool, missing: [String]
  ) throws {
    var model = Self.model
    model.entities[0].attributes[0].isOptional = false
    model.composites[1].elements[0].isOptional = elementIsOptional
    let test = try TestStore(model)
    #expect(try test.insert("Stop").validate().flatMap(\.propertyNames) == missing)
  }

  @Test func `constraints and indexes are over the columns of elements`() throws {
    var model = Self.model
    model.entities[0].uniquenessConstraints = [
      .init(["place.name.short", "place.floor"])
    ]
    model.entities[0].fetchIndexes = [
      FetchIndexDescription(name: "byLatitude", elements: [.init(propertyName: "place.latitude")])
    ]
    #expect(model.check() == [])
    let layout = PhysicalLayout(model: model)
    #expect(
      layout.indexes.map(\.sql) == [
        "CREATE INDEX Z_Stop_byLatitude ON ZSTOP (ZLATITUDE COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX \"Z_Stop_UNIQUE_place.name.short_place.floor\" ON ZSTOP (ZSHORT COLLATE BINARY ASC, "
          + "ZFLOOR COLLATE BINARY ASC)",
      ])
    #expect(layout.omissions == [])
  }
}
