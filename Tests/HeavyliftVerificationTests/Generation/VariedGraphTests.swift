import Foundation
import HeavyliftModel
import HeavyliftStore
import HeavyliftTestSupport
import HeavyliftXML
import Testing

@testable import HeavyliftVerification

@Suite struct VariedGraphTests {
  @Test func `every attribute has its default, nil and both bounds`() {
    let graph = VariedGraph(ObjectGraphTests.model).graph
    func values(_ name: String) -> [Value?] {
      ["plain thing", "empty thing", "least thing", "most thing"].map { graph.object(named: $0)?.attributes[name] }
    }
    #expect(values("integer16") == [nil, .some(.null), .integer(-32_768), .integer(32_767)])
    #expect(values("level") == [nil, .some(.null), .integer(-32_768), .integer(32_767)])
    #expect(values("code") == ["plain code", "empty code", "", "Ærø 東京 🎻 e\u{301}\n\"quoted\""])
    #expect(values("passing") == [nil, nil, nil, nil])
    #expect(graph.objects.filter { $0.entityName == "Shape" } == [])
  }

  @Test func `a single bound is respected at both ends`() {
    let day = Date(timeIntervalSinceReferenceDate: 86_400)
    let attributes = [
      AttributeDescription(name: "dues", type: .decimal, validation: .init(minimum: .decimal(0))),
      AttributeDescription(name: "debt", type: .decimal, validation: .init(maximum: .decimal(-1))),
      AttributeDescription(name: "from", type: .date, validation: .init(minimum: .date(day))),
      AttributeDescription(name: "until", type: .date, validation: .init(maximum: .date(day))),
    ]
    let graph = VariedGraph(
      ManagedObjectModel(entities: [EntityDescription(name: "Member", attributes: attributes)])
    ).graph
    func values(_ name: String) -> [Value?] {
      ["least member", "most member"].map { graph.object(named: $0)?.attributes[name] }
    }
    #expect(values("dues") == [.decimal(0), Decimal(string: "99999999999999999.999999999").map { .decimal($0) }])
    #expect(values("debt") == [.decimal(-1), .decimal(-1)])
    #expect(values("from") == [.date(day), .date(Date(timeIntervalSinceReferenceDate: 1_170_197_648.25))])
    #expect(values("until") == [.date(Date(timeIntervalSinceReferenceDate: -3_187_296_000)), .date(day)])
  }

  @Test func `every relationship has zero, one and many targets`() throws {
    let model = ObjectGraphTests.model
    let links = GraphLinks(VariedGraph(model).graph, model: model)
    func counts(_ entity: String, _ relationship: String) -> Set<Int> {
      Set(["plain", "empty", "least", "most"].map { links.targets(of: "\($0) \(entity)", relationship).count })
    }
    #expect(links.mistakes == [])
    #expect(counts("box", "things") == [0, 1, 2])
    #expect(counts("thing", "box") == [0, 1])
    #expect(counts("thing", "friends").isSuperset(of: [0, 1]))
    #expect(counts("thing", "friends").contains { $0 > 1 })
    #expect(counts("thing", "twin").isSuperset(of: [0, 1]))
  }

  /// Real models: the store accepts the generated objects, whatever the model's rules.
  @Test(.enabled(if: Corpus.isPresent, .init(rawValue: Corpus.comment)))
  func `every model's graph builds a store`() throws {
    let folder = try TemporaryFolder()
    var (built, refused): (Int, [String]) = (0, [])
    let samples = try FileManager.default.contentsOfDirectory(
      at: Corpus.project.appending(path: "MappingModels"), includingPropertiesForKeys: nil)
    let bundles =
      Corpus.files(endingWith: ".xcdatamodeld/.xccurrentversion").map { $0.deletingLastPathComponent() }
      + samples.flatMap { sample in
        ((try? FileManager.default.contentsOfDirectory(at: sample, includingPropertiesForKeys: nil)) ?? [])
          .filter { $0.pathExtension == "xcdatamodeld" }
      }
    for (number, url) in bundles.enumerated() {
      for version in (try? ModelBundle(contentsOf: url).versions) ?? [] {
        let varied = VariedGraph(version.model)
        do {
          try varied.graph.build(at: folder.appending("\(number) \(version.name).sqlite"), model: version.model)
          let text = varied.graph.json(model: version.model)
          let read = try ObjectGraph(json: text, model: version.model)
          #expect(
            GraphComparison(expected: varied.graph, found: read, model: version.model).differences == [],
            "\(version.name)")
          built += 1
        } catch {
          refused.append("\(url.lastPathComponent) \(version.name): \(String("\(error)".prefix(600)))")
        }
      }
    }
    #expect(refused == [])
    #expect(built > 20)
  }

  /// Two entities, and both sides of a relationship between them.
  private static func pair(
    _ first: RelationshipDescription, _ second: RelationshipDescription, isUnique: Bool = false
  ) -> ManagedObjectModel {
    var (person, passport) = (EntityDescription(name: "Person"), EntityDescription(name: "Passport"))
    (person.relationships, passport.relationships) = ([first], [second])
    passport.attributes = [AttributeDescription(name: "number", type: .integer32, isOptional: false)]
    if isUnique { passport.uniquenessConstraints = [.init(["number"])] }
    return ManagedObjectModel(name: "Pair", entities: [person, passport])
  }

  private static func side(
    _ name: String, _ entity: String, _ inverse: String, isOptional: Bool = true, isOrdered: Bool = false,
    maxCount: Int = 1
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: entity, inverseName: inverse, inverseEntityName: entity,
      isOptional: isOptional, isOrdered: isOrdered, maxCount: maxCount)
  }

  private static let mandatoryPairs: [String: ManagedObjectModel] = [
    "one-to-one": pair(
      side("passport", "Passport", "owner"), side("owner", "Person", "passport", isOptional: false)),
    "one-to-one, mandatory at the side that sorts last": pair(
      side("zip", "Passport", "area"), side("area", "Person", "zip", isOptional: false)),
    "one-to-one, mandatory at both sides": pair(
      side("passport", "Passport", "owner", isOptional: false), side("owner", "Person", "passport", isOptional: false)),
    "ordered to-many": pair(
      side("passports", "Passport", "owner", isOrdered: true, maxCount: 0),
      side("owner", "Person", "passports", isOptional: false)),
    "to-many": pair(
      side("passports", "Passport", "owner", maxCount: 0), side("owner", "Person", "passports", isOptional: false)),
  ]

  @Test(arguments: mandatoryPairs.keys.sorted())
  func `a graph with a mandatory relationship can be read, and builds a store`(name: String) throws {
    let folder = try TemporaryFolder()
    let model = try #require(Self.mandatoryPairs[name])
    let varied = VariedGraph(model)
    #expect(varied.notes == [])
    #expect(varied.graph.objects.count == 8)
    let read = try ObjectGraph(json: varied.graph.json(model: model), model: model)
    try read.build(at: folder.appending("store.sqlite"), model: model)
  }

  @Test(arguments: mandatoryPairs.keys.sorted())
  func `an update adds objects next to handwritten ones`(name: String) throws {
    let folder = try TemporaryFolder()
    let model = try #require(Self.mandatoryPairs[name])
    guard name != "one-to-one, mandatory at both sides" else { return }
    let url = folder.appending("graph.json")
    let links =
      name == "ordered to-many" ? #", "passports": []"# : ""
    try Data(
      #"{ "model": "Pair", "objects": { "Person": { "most person": {\#(links.dropFirst(2))}, "mine": {\#(links.dropFirst(2))} } } }"#
        .utf8
    ).write(to: url)
    let update = try GraphUpdate(contentsOf: url, model: model)
    #expect(update.changes.contains { $0.hasPrefix("added object") }, "\(update.changes)")
    let read = try ObjectGraph(json: update.graph.json(model: model), model: model)
    try read.build(at: folder.appending("store.sqlite"), model: model)
  }

  @Test func `a graph that breaks rules is reported with line, object and property, and leaves no files`() throws {
    let folder = try TemporaryFolder()
    let model = try #require(Self.mandatoryPairs["ordered to-many"])
    let graph = try ObjectGraph(
      json: """
        { "model": "Pair", "objects": {
          "Passport": {
            "p": { "number": 1 },
            "q": { "number": 2,
                   "owner": null }
          }
        } }
        """, file: "graph.json", model: model)
    let error = #expect(throws: DiagnosticList.self) {
      try graph.build(at: folder.appending("store.sqlite"), model: model)
    }
    #expect(
      error?.diagnostics.map(\.description) == [
        """
        graph.json:3:5: error[graph.broken-rule]: 'owner' of object 'p' is mandatory but has no target
          add an object of entity 'Person', and name it in 'owner'
        """,
        """
        graph.json:5:21: error[graph.broken-rule]: 'owner' of object 'q' is mandatory but has no target
          add an object of entity 'Person', and name it in 'owner'
        """,
      ])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test func `the remedy for a missing target names an object of the graph`() throws {
    let folder = try TemporaryFolder()
    let model = try #require(Self.mandatoryPairs["ordered to-many"])
    let graph = try ObjectGraph(
      json: #"{ "model": "Pair", "objects": { "Passport": { "p": { "number": 1 } }, "Person": { "ann": {} } } }"#,
      file: "graph.json", model: model)
    let error = #expect(throws: DiagnosticList.self) {
      try graph.build(at: folder.appending("store.sqlite"), model: model)
    }
    #expect(error?.diagnostics.map(\.remedy) == [#"write its target: "owner": "ann""#])
  }

  @Test func `an update adapts a graph to a changed model, and keeps handwritten parts`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("graph.json")
    let text = """
      {
        "model": "Things 0",
        "objects": {
          "Gone": { "g": { "name": "" } },
          "Thing": { "mine": { "//": "by hand", "code": "C", "colour": "red", "level": 3 }, "most thing": { "code": "M" } }
        }
      }
      """
    try Data(text.utf8).write(to: url)
    let update = try GraphUpdate(contentsOf: url, model: ObjectGraphTests.model)
    let mine = try #require(update.graph.object(named: "mine"))
    #expect(mine.attributes == ["code": "C", "level": 3])
    #expect(mine.remark == "by hand")
    #expect(update.graph.object(named: "most thing")?.attributes["integer64"] == .integer(.max))
    #expect(update.graph.object(named: "most box") != nil)
    #expect(
      update.changes.prefix(3) == [
        "the model is now 'Things 1'", "removed entity 'Gone', which the model no longer has",
        "removed 'colour' of object 'mine', which the model no longer has",
      ])
    try Data(update.graph.json(model: ObjectGraphTests.model).utf8).write(to: url)
    #expect(try GraphUpdate(contentsOf: url, model: ObjectGraphTests.model).changes == [])
  }
}
