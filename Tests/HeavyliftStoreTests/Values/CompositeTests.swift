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

  @Test func `a composite comes back as it went in, element by element`() throws {
    let test = try TestStore(Self.model)
    let stop = try test.insert(
      "Stop", ["place": .composite(["floor": 2, "latitude": 1, "name": .composite(["short": "x"])])])
    try test.context.save()
    #expect(
      try test.rows("SELECT ZPLACE_FLOOR, ZPLACE_LATITUDE, ZPLACE_NAME_LONG, ZPLACE_NAME_SHORT FROM ZSTOP")
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

  @Test(
    arguments: [
      (
        .composite(["flor": 2]),
        """
        error[object.unknown-element]: composite attribute of entity 'Stop' has no element 'place.flor'
          did you mean 'floor'?
        """
      ),
      (
        .composite(["floor": "two"]),
        """
        error[object.wrong-type]: attribute 'place.floor' of entity 'Stop' is Integer 16 and cannot hold a string
          convert the value to Integer 16 without losing anything, and set that
        """
      ),
      (
        .composite(["name": .composite(["short": 1])]),
        """
        error[object.wrong-type]: attribute 'place.name.short' of entity 'Stop' is String and cannot hold an integer
          convert the value to String without losing anything, and set that
        """
      ),
      (
        "here",
        """
        error[object.wrong-type]: attribute 'place' of entity 'Stop' is Composite and cannot hold a string
          convert the value to Composite without losing anything, and set that
        """
      ),
    ] as [(Value, String)]) func `what a composite cannot hold is refused`(value: Value, expected: String) throws
  {
    let test = try TestStore(Self.model)
    let stop = try test.insert("Stop")
    #expect(message { try stop.setValue(value, forKey: "place") } == expected)
    #expect(stop["place"] == .null)
  }
}
