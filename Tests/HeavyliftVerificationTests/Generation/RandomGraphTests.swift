import Foundation
import Heavylift
import HeavyliftMapping
import HeavyliftTestSupport
import HeavyliftVerification
import HeavyliftXML
import Testing

/// A graph generated from a seed is valid for its model.
struct RandomGraphTests {
  /// A model with everything that makes graphs hard: mandatory ends, bounds, uniqueness, order, a hierarchy, and an
  /// entity related to itself.
  private static let strict = ManagedObjectModel(
    name: "Strict",
    entities: [
      EntityDescription(
        name: "Team",
        attributes: [
          AttributeDescription(
            name: "name", type: .string, isOptional: false, validation: .init(minimumLength: 2, maximumLength: 4)),
          AttributeDescription(name: "rank", type: .integer16, validation: .init(minimum: 1, maximum: 3)),
        ],
        relationships: [
          RelationshipDescription(
            name: "members", destinationEntityName: "Person", inverseName: "team", isOptional: false, isOrdered: true,
            minCount: 2, maxCount: 3),
          RelationshipDescription(
            name: "captain", destinationEntityName: "Person", inverseName: "leads", isOptional: false, maxCount: 1),
        ], uniquenessConstraints: [.init(["rank"])]),
      EntityDescription(
        name: "Person", attributes: [AttributeDescription(name: "name", type: .string, isOptional: false)],
        relationships: [
          RelationshipDescription(
            name: "team", destinationEntityName: "Team", inverseName: "members", isOptional: false, maxCount: 1),
          RelationshipDescription(name: "leads", destinationEntityName: "Team", inverseName: "captain", maxCount: 1),
          RelationshipDescription(name: "friends", destinationEntityName: "Person", inverseName: "friends"),
          RelationshipDescription(name: "spouse", destinationEntityName: "Person", inverseName: "spouse", maxCount: 1),
        ]),
      EntityDescription(name: "Coach", superentityName: "Person", attributes: [.init(name: "since", type: .date)]),
    ])

  private static func samples() throws -> [ManagedObjectModel] {
    try ["Bank/Bank", "Fitness/Fitness", "Music/Music", "Points/Points", "Songbook/Classic", "Songbook/Songbook"]
      .flatMap {
        try ModelBundle(contentsOf: Corpus.project.appending(path: "MappingModels/\($0).xcdatamodeld")).versions.map(
          \.model)
      }
  }

  @Test func `every graph builds a store with objects and relationships`() throws {
    let folder = try TemporaryFolder()
    for model in try Self.samples() + [Self.strict] {
      let name = model.name ?? ""
      var (objects, links, nils) = (0, 0, 0)
      for seed in UInt64(0)..<25 {
        let graph = RandomGraph(model, seed: seed, objectsPerEntity: 6).graph
        let url = folder.appending("\(name) \(seed).sqlite")
        #expect(throws: Never.self, "\(name), seed \(seed)") { try graph.build(at: url, model: model) }
        objects += graph.objects.count
        links += graph.objects.map { $0.relationships.values.map(\.count).reduce(0, +) }.reduce(0, +)
        nils += graph.objects.map { $0.attributes.values.count(where: \.isNull) }.reduce(0, +)
      }
      let hasLinks = model.entities.contains { !$0.relationships.isEmpty }
      let hasOptional = model.entities.flatMap(\.attributes).contains { $0.isOptional && $0.type != .transformable }
      #expect(objects > 20 && (links > 20) == hasLinks && (nils > 0) == hasOptional, "\(name)")
    }
  }

  @Test func `a mandatory to-many without a minimum is sometimes empty`() {
    let model = ManagedObjectModel(
      name: "Shelves",
      entities: [
        EntityDescription(
          name: "Shelf",
          relationships: [
            RelationshipDescription(
              name: "books", destinationEntityName: "Book", inverseName: "shelves", isOptional: false)
          ]),
        EntityDescription(
          name: "Book",
          relationships: [
            RelationshipDescription(
              name: "shelves", destinationEntityName: "Shelf", inverseName: "books", isOptional: false)
          ]),
      ])
    let counts = (UInt64(0)..<10).flatMap { seed in
      RandomGraph(model, seed: seed, objectsPerEntity: 4).graph.objects.filter { $0.entityName == "Shelf" }
        .map { $0.relationships["books"]?.count ?? 0 }
    }
    #expect(Set(counts).isSuperset(of: [0, 1, 2]))
  }

  @Test func `the same seed gives the same graph, and other seeds give others`() {
    func graph(_ seed: UInt64) -> ObjectGraph { RandomGraph(Self.strict, seed: seed, objectsPerEntity: 6).graph }
    #expect(graph(7) == graph(7))
    #expect(Set((0..<20).map { graph($0).json(model: Self.strict) }).count > 10)
  }

  @Test func `attributes have the given values, also in sub-entities`() {
    let graph = RandomGraph(Self.strict, seed: 1, objectsPerEntity: 6, values: ["Person.name": ["Ann", "Bob"]]).graph
    let people = graph.objects.filter { $0.entityName != "Team" }
    #expect(!people.isEmpty)
    #expect(Set(people.map(\.attributes["name"])).isSubset(of: ["Ann", "Bob"]))
  }

  // MARK: Many objects

  @Test func `many objects obey the rules, and are as many as wanted`() throws {
    let folder = try TemporaryFolder()
    // More than are shuffled for each object.
    for model in try Self.samples() {
      let graph = RandomGraph(model, seed: 4, count: 1_001).graph
      #expect(graph.objects.count == 1_001, "\(model.name ?? "")")
      #expect(graph == RandomGraph(model, seed: 4, count: 1_001).graph)
      #expect(graph != RandomGraph(model, seed: 5, count: 1_001).graph)
      let url = folder.appending("\(model.name ?? "").sqlite")
      #expect(throws: Never.self, "\(model.name ?? "")") { try graph.build(at: url, model: model) }
    }
  }

  @Test func `one-to-one ends that are mandatory find the targets that have room`() throws {
    func side(_ name: String, _ other: String) -> EntityDescription {
      EntityDescription(
        name: name,
        relationships: [
          RelationshipDescription(
            name: other.lowercased(), destinationEntityName: other, inverseName: name.lowercased(), isOptional: false,
            maxCount: 1)
        ], uniquenessConstraints: [])
    }
    let model = ManagedObjectModel(name: "Pairs", entities: [side("Left", "Right"), side("Right", "Left")])
    let graph = RandomGraph(model, seed: 1, count: 1_000).graph
    #expect(graph.objects.count == 1_000)
    let folder = try TemporaryFolder()
    try graph.build(at: folder.appending("Pairs.sqlite"), model: model)
  }

  @Test func `values of unique attributes differ`() throws {
    let model = ManagedObjectModel(
      name: "Users",
      entities: [
        EntityDescription(
          name: "User",
          attributes: [
            AttributeDescription(name: "login", type: .string, isOptional: false),
            AttributeDescription(name: "number", type: .integer64, isOptional: false),
          ], uniquenessConstraints: [.init(["login"]), .init(["number"])])
      ])
    let graph = RandomGraph(model, seed: 1, count: 2_000).graph
    #expect(graph.objects.count == 2_000)
    #expect(Set(graph.objects.map { $0.attributes["login"] }).count == 2_000)
  }

  @Test func `half of the objects have values that a mapping's filter mentions`() throws {
    let model = ManagedObjectModel(
      name: "Old",
      entities: [EntityDescription(name: "Track", attributes: [AttributeDescription(name: "kind", type: .string)])])
    let mapping = try MappingReader.read(
      text: """
        <mapping-model><entity-mapping source="Track" destination="Track" where="kind == 'live'"/></mapping-model>
        """
    ).validMappingModel()
    let graph = RandomGraph(model, seed: 1, count: 1_000, mappings: [mapping.complete(from: model, to: model)]).graph
    let count = graph.objects.count { $0.attributes["kind"] == "live" }
    #expect((300...700).contains(count), "\(count)")
  }
}
