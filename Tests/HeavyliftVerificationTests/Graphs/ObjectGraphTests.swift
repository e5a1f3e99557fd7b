import Foundation
import HeavyliftModel
import HeavyliftStore
import HeavyliftTestSupport
import Testing

@testable import HeavyliftVerification
import HeavyliftReports

@Suite struct ObjectGraphTests {
  /// Every type of attribute and every kind of relationship.
  static let model: ManagedObjectModel = {
    let types: [AttributeType] = [
      .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binaryData, .uuid, .uri,
      .transformable,
    ]
    var thing = EntityDescription(name: "Thing")
    thing.attributes =
      types.map { AttributeDescription(name: "\($0)", type: $0) } + [
        AttributeDescription(name: "code", type: .string, isOptional: false),
        AttributeDescription(name: "level", type: .integer16, defaultValue: .integer(7)),
        AttributeDescription(name: "place", type: .composite, compositeName: "Place"),
        AttributeDescription(name: "passing", type: .string, isTransient: true),
      ]
    thing.relationships = [
      RelationshipDescription(
        name: "box", destinationEntityName: "Box", inverseName: "things", inverseEntityName: "Box", maxCount: 1),
      RelationshipDescription(
        name: "friends", destinationEntityName: "Thing", inverseName: "friends", inverseEntityName: "Thing", maxCount: 0
      ),
      RelationshipDescription(
        name: "twin", destinationEntityName: "Thing", inverseName: "twin", inverseEntityName: "Thing", maxCount: 1),
    ]
    var special = EntityDescription(name: "Special", superentityName: "Thing")
    special.attributes = [AttributeDescription(name: "extra", type: .string)]
    var box = EntityDescription(name: "Box")
    box.relationships = [
      RelationshipDescription(
        name: "things", destinationEntityName: "Thing", inverseName: "box", inverseEntityName: "Thing", isOrdered: true,
        maxCount: 0)
    ]
    let shape = EntityDescription(name: "Shape", isAbstract: true)
    let circle = EntityDescription(name: "Circle", superentityName: "Shape")
    return ManagedObjectModel(
      name: "Things 1", entities: [thing, special, box, shape, circle],
      composites: [
        CompositeDescription(
          name: "Place",
          elements: [AttributeDescription(name: "x", type: .double), AttributeDescription(name: "y", type: .double)])
      ])
  }()

  private let everything = """
    {
      "model": "Things 1",
      "objects": {
        "Box": {
          "box": { "things": ["b", "a"] }
        },
        "Special": {
          "s": { "code": "S", "extra": "more", "friends": ["a"] }
        },
        "Thing": {
          "a": {
            "binaryData": "AAECAw==",
            "boolean": true,
            "code": "A \\"quoted\\" ü\\n",
            "date": "1999-12-31T23:59:59.25Z",
            "decimal": "-123456789012345678.25",
            "double": 0.1,
            "float": "Infinity",
            "integer16": -32768,
            "integer32": 2147483647,
            "integer64": 9223372036854775807,
            "level": null,
            "place": {"x":1.5,"y":null},
            "string": "",
            "transformable": "/w==",
            "uri": "a b",
            "uuid": "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6",
            "friends": ["b", "s"],
            "twin": "b"
          },
          "b": { "code": "B", "friends": ["a"], "twin": "a" }
        }
      }
    }

    """

  @Test func `a graph that is written to a store and read back is the same`() throws {
    let model = Self.model
    let graph = try ObjectGraph(json: everything, model: model)
    let folder = try TemporaryFolder()
    let url = folder.appending("Things.sqlite")
    let ids = try graph.build(at: url, model: model)
    let store = try PersistentStore(url: url, models: [model], mode: .readOnly)
    defer { try? store.close() }
    let names = Dictionary(uniqueKeysWithValues: ids.map { ($1, $0) })
    let read = try ObjectGraph(store, names: names)
    #expect(GraphComparison(expected: graph, found: read, model: model).differences == [])
    let text = read.json(model: model)
    let again = try ObjectGraph(json: text, model: model)
    #expect(again.json(model: model) == text)
    #expect(GraphComparison(expected: read, found: again, model: model).differences == [])
    #expect(text == everything)
  }

  @Test func `an omitted value is the default, and an omitted relationship follows from its inverse`() throws {
    let graph = try ObjectGraph(
      json: #"{"objects": {"Box": {"box": {"//": "both", "things": ["a"]}}, "Thing": {"a": {"code": "A"}}}}"#,
      model: Self.model)
    let full = try ObjectGraph(
      json: """
        {"objects": {"Box": {"x": {"things": ["y"]}},
        "Thing": {"y": {"code": "A", "level": 7, "string": null, "box": "x"}}}}
        """, model: Self.model)
    #expect(GraphComparison(expected: graph, found: full, model: Self.model).differences == [])
  }

  @Test(arguments: [
    (#"[]"#, "1:1 graph.structure: a graph is an array"),
    (#"{"object": {}}"#, "1:2 graph.unknown-member: a graph has no 'object'"),
    (#"{"model": 1}"#, "1:11 graph.structure: 'model' is a number"),
    (#"{"model": "Things 2"}"#, "1:11 graph.other-model: the graph is for model 'Things 2', not for 'Things 1'"),
    (#"{"objects": []}"#, "1:13 graph.structure: 'objects' is an array"),
    (#"{"objects": {"Thin": {}}}"#, "1:14 graph.unknown-entity: the model has no entity 'Thin'"),
    (
      #"{"objects": {"Shape": {"s": {}}}}"#,
      "1:14 graph.abstract-entity: entity 'Shape' is abstract and has no objects of its own"
    ),
    (
      #"{"objects": {"Box": {"a": {}}, "Thing": {"a": {"code": ""}}}}"#,
      "1:42 graph.name-taken: two objects are named 'a'"
    ),
    (#"{"objects": {"Box": {"a": {}, "a": {}}}}"#, "1:31 graph.repeated: duplicate name 'a'"),
    (
      #"{"objects": {"Box": {"a": {"thing": []}}}}"#,
      "1:28 graph.unknown-property: entity 'Box' has no property 'thing'"
    ),
    (
      #"{"objects": {"Thing": {"a": {"code": "", "passing": ""}}}}"#,
      "1:42 graph.not-stored: attribute 'passing' of entity 'Thing' is transient"
    ),
    (
      #"{"objects": {"Thing": {"a": {}}}}"#,
      "1:24 graph.missing-value: object 'a' has no value for its mandatory attribute 'code'"
    ),
    (
      #"{"objects": {"Thing": {"a": {"code": null}}}}"#,
      "1:38 graph.missing-value: object 'a' has no value for its mandatory attribute 'code'"
    ),
    (
      #"{"objects": {"Thing": {"a": {"code": "", "friends": ["a", "c"]}}}}"#,
      "1:53 graph.unknown-object: there is no object 'c'"
    ),
    (
      #"{"objects": {"Thing": {"a": {"code": "", "friends": ["a", "a"]}}}}"#,
      "1:59 graph.repeated-target: 'a' is listed twice in 'friends'"
    ),
    (
      #"{"objects": {"Thing": {"a": {"code": "", "box": "a"}}}}"#,
      "1:49 graph.wrong-target: relationship 'box' of entity 'Thing' leads to entity 'Box', but object 'a' is of entity 'Thing'"
    ),
    (
      #"{"objects": {"Thing": {"a": {"code": "", "box": ["b", "c"]}}}}"#,
      "1:49 graph.several-targets: relationship 'box' of entity 'Thing' leads to one object, but 2 are named"
    ),
    (
      #"{"objects": {"Thing": {"a": {"code": "", "friends": "a"}}}}"#,
      "1:53 graph.structure: relationship 'friends' of entity 'Thing' is a string"
    ),
    (
      #"{"objects": {"Thing": {"a": {"code": "", "twin": "b"}, "b": {"code": "", "twin": null}}}}"#,
      "1:50 graph.inverse-disagrees: 'twin' of 'a' leads to 'b', but 'twin' of 'b' does not lead back"
    ),
    (
      #"{"objects": {"Box": {"x": {"things": ["a"]}, "y": {"things": ["a"]}}, "Thing": {"a": {"code": ""}}}}"#,
      "1:62 graph.several-sources: 'x' and 'y' both lead to 'a', whose 'box' leads to one object"
    ),
    (
      #"{"objects": {"Thing": {"a": {"code": "", "place": {"z": 1}}}}}"#,
      "1:52 graph.unknown-element: composite attribute 'place' has no element 'z'"
    ),
    (
      #"{"objects": {"Thing": {"a": {"code": "", "binaryData": {"file": "none.bin"}}}}}"#,
      "1:65 graph.file: 'none.bin': the file cannot be read: no such file or directory"
    ),
    (
      #"{"objects": {"Thing": {"a": {"code": "", "binaryData": {"file": "/dev/zero"}}}}}"#,
      "1:65 graph.file: '/dev/zero': the file cannot be read: it is not a regular file but a device"
    ),
  ])
  func `a mistake in a graph is reported with its place`(json: String, message: String) {
    let error = #expect(throws: DiagnosticList.self) { try ObjectGraph(json: json, model: Self.model) }
    let told = error?.diagnostics.map { diagnostic in
      "\(diagnostic.location?.line ?? 0):\(diagnostic.location?.column ?? 0) \(diagnostic.code): \(diagnostic.problem)"
    }
    #expect(told == [message])
    #expect(error?.diagnostics.allSatisfy { $0.remedy?.isEmpty == false } == true)
  }

  @Test(arguments: [
    ("integer16", "32768"), ("integer16", "1.5"), ("integer32", "\"1\""), ("integer64", "9223372036854775808"),
    ("decimal", "\"1,5\""), ("decimal", "\"\""), ("decimal", "\"0x10\""), ("decimal", "true"),
    ("decimal", "\"423456789012345678901234567890123456789\""), ("double", "\"1.5\""), ("double", "1e999"),
    ("string", "1"), ("boolean", "1"), ("boolean", "\"YES\""), ("date", "0"), ("date", "\"2001-02-29T00:00:00Z\""),
    ("date", "\"2001-01-01\""), ("date", "\"2001-01-01T00:00:00+01:00\""), ("binaryData", "\"?\""),
    ("binaryData", "[1]"),
    ("uuid", "\"F81D4FAE\""), ("uri", "1"), ("transformable", "{}"), ("place", "1.5"),
  ])
  func `a value that its attribute cannot hold is reported`(name: String, value: String) {
    let json = #"{"objects": {"Thing": {"a": {"code": "", "\#(name)": \#(value)}}}}"#
    let error = #expect(throws: DiagnosticList.self) { try ObjectGraph(json: json, file: "g.json", model: Self.model) }
    let first = error?.diagnostics.first
    #expect(first?.code == "graph.wrong-value")
    #expect(first?.location == DiagnosticLocation(file: "g.json", line: 1, column: 44 + name.count + 2))
    #expect(first?.remedy?.hasPrefix("write") == true)
  }

  @Test func `all mistakes are reported together`() {
    let json = """
      { "objects": {
        "Box": { "x": { "things": ["a", "b"], "size": 1 } },
        "Thing": { "a": { "integer16": "1" } }
      } }
      """
    let error = #expect(throws: DiagnosticList.self) { try ObjectGraph(json: json, model: Self.model) }
    #expect(error?.diagnostics.map(\.code) == ["graph.unknown-property", "graph.missing-value", "graph.wrong-value"])
  }

  @Test func `a graph with open values is an expectation and cannot build a store`() throws {
    let graph = try ObjectGraph(
      json: #"{"objects": {"Thing": {"a": {"code": {"any": true}, "friends": {"any": true}}}}}"#, model: Self.model)
    let folder = try TemporaryFolder()
    let error = #expect(throws: DiagnosticList.self) {
      try graph.build(at: folder.appending("a.sqlite"), model: Self.model)
    }
    #expect(error?.diagnostics.map(\.code) == ["graph.open-value", "graph.open-value"])
    let found = try ObjectGraph(
      json: #"{"objects": {"Thing": {"a": {"code": "1", "friends": ["a"]}}}}"#, model: Self.model)
    #expect(GraphComparison(expected: graph, found: found, model: Self.model).differences == [])
  }

  @Test func `a date reads back as exactly the same double`() throws {
    var generator = SeededGenerator(seed: 20_261_121)
    for _ in 0..<20_000 {
      let scale = [1.0, 1e3, 1e6, 1e9, 1e11][Int.random(in: 0..<5, using: &generator)]
      let seconds = Double.random(in: -scale...scale, using: &generator)
      guard CalendarText(secondsSince2001: seconds) != nil else { continue }
      let text = JSONText.value(.date(Date(timeIntervalSinceReferenceDate: seconds))).dropFirst().dropLast()
      #expect(CalendarText.secondsSince2001(String(text))?.bitPattern == seconds.bitPattern, "\(text)")
    }
  }
}
