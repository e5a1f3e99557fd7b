import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// A rule of lightweight migration: a change of the model, and what becomes of the objects.
struct LightweightRule: Sendable, CustomStringConvertible {
  /// The first cell of the rule's row in the documentation.
  var description: String
  var change: @Sendable (inout ManagedObjectModel) -> Void
  /// The objects afterwards, in the form of `LightweightRuleTests.lines`, as far as the change is about them.
  var expected: [String]

  init(_ description: String, _ expected: [String], _ change: @escaping @Sendable (inout ManagedObjectModel) -> Void) {
    (self.description, self.expected, self.change) = (description, expected, change)
  }
}

extension ManagedObjectModel {
  /// An entity, to be changed.
  fileprivate subscript(_ name: String) -> EntityDescription {
    get { entity(named: name) ?? EntityDescription(name: name) }
    set {
      if let place = entities.firstIndex(where: { $0.name == name }) {
        entities[place] = newValue
      } else {
        entities.append(newValue)
      }
    }
  }
}

/// Each documented rule, carried out in both modes.
@Suite struct LightweightRuleTests {
  private static let base = ManagedObjectModel(
    name: "1",
    entities: [
      EntityDescription(
        name: "Person",
        attributes: [
          Models.attribute("age", .integer16), Models.attribute("name", .string, isOptional: false, default: "?"),
          Models.attribute("nick", .string),
        ],
        relationships: [Models.toOne("team", "Team", "members"), Models.toMany("hobbies", "Hobby", "people")]),
      EntityDescription(
        name: "Team", attributes: [Models.attribute("title", .string)],
        relationships: [Models.toMany("members", "Person", "team")]),
      EntityDescription(
        name: "Hobby", attributes: [Models.attribute("word", .string)],
        relationships: [Models.toMany("people", "Person", "hobbies")]),
      EntityDescription(
        name: "Event", attributes: [Models.attribute("place", .string)], relationships: [Models.toOne("venue", "Venue")]
      ),
      EntityDescription(name: "Talk", superentityName: "Event", attributes: [Models.attribute("topic", .string)]),
      EntityDescription(name: "Venue"), EntityDescription(name: "Hall", superentityName: "Venue"),
    ])

  static let rules = [
    LightweightRule(
      "An attribute is added", ["Person/p1 age=36 mail=nil rank=3", "Person/p2 age=nil mail=nil rank=3"]
    ) {
      $0["Person"].attributes += [
        Models.attribute("mail", .string),
        Models.attribute("rank", .integer32, isOptional: false, default: .integer(3)),
      ]
    },
    LightweightRule("An attribute is removed", ["Person/p1 age=36 name=Ada", "Person/p2 age=nil name=Ben"]) {
      $0["Person"].attributes.removeAll { $0.name == "nick" }
    },
    LightweightRule("An attribute becomes transient", ["Person/p1 age=36 nick=nil", "Person/p2 age=nil nick=nil"]) {
      $0["Person"].edit(attribute: "nick") { $0.isTransient = true }
    },
    LightweightRule("An attribute becomes optional", ["Person/p1 name=Ada", "Person/p2 name=Ben"]) {
      $0["Person"].edit(attribute: "name") { $0.isOptional = true }
    },
    LightweightRule("An attribute becomes mandatory, with a default", ["Person/p1 nick=none", "Person/p2 nick=B"]) {
      $0["Person"].edit(attribute: "nick") { ($0.isOptional, $0.defaultValue) = (false, "none") }
    },
    LightweightRule("An attribute's type becomes wider", ["Person/p1 age=36", "Person/p2 age=nil"]) {
      $0["Person"].edit(attribute: "age") { $0.type = .integer64 }
    },
    LightweightRule("An attribute is renamed", ["Person/p1 alias=nil", "Person/p2 alias=B"]) {
      $0["Person"].edit(attribute: "nick") { ($0.name, $0.renamingIdentifier) = ("alias", "nick") }
    },
    LightweightRule(
      "A property is renamed, and a new one of another kind takes its name",
      [
        "Person/p1 alias=nil nick=nil club=Team/p1 team=nil", "Person/p2 alias=B nick=nil club=Team/p1 team=nil",
        "Team/p1 members=[Person/p1 Person/p2] nicks=[]",
      ]
    ) {
      $0["Person"].edit(relationship: "team") { ($0.name, $0.renamingIdentifier) = ("club", "team") }
      $0["Team"].edit(relationship: "members") { $0.inverseName = "club" }
      $0["Person"].attributes.append(Models.attribute("team", .string))
      $0["Person"].edit(attribute: "nick") { ($0.name, $0.renamingIdentifier) = ("alias", "nick") }
      $0["Person"].relationships.append(Models.toOne("nick", "Team", "nicks"))
      $0["Team"].relationships.append(Models.toMany("nicks", "Person", "nick"))
    },
    LightweightRule(
      "An entity is renamed",
      ["Human/p1 name=Ada team=Team/p1", "Human/p2 name=Ben team=Team/p1", "Team/p1 members=[Human/p1 Human/p2]"]
    ) {
      $0["Person"].renamingIdentifier = "Person"
      $0["Person"].name = "Human"
      for entity in ["Team", "Hobby"] {
        $0[entity].edit(relationship: entity == "Team" ? "members" : "people") {
          ($0.destinationEntityName, $0.inverseEntityName) = ("Human", "Human")
        }
      }
    },
    LightweightRule("A relationship is renamed", ["Person/p1 club=Team/p1", "Team/p1 members=[Person/p1 Person/p2]"]) {
      $0["Person"].edit(relationship: "team") { ($0.name, $0.renamingIdentifier) = ("club", "team") }
      $0["Team"].edit(relationship: "members") { $0.inverseName = "club" }
    },
    LightweightRule("A relationship is added", ["Person/p1 boss=nil", "Team/p1 bosses=[]"]) {
      $0["Person"].relationships.append(Models.toOne("boss", "Team", "bosses"))
      $0["Team"].relationships.append(Models.toMany("bosses", "Person", "boss"))
    },
    LightweightRule("A relationship is removed", ["Person/p1 team=Team/p1", "Hobby/p1 word=chess"]) {
      $0["Person"].relationships.removeAll { $0.name == "hobbies" }
      $0["Hobby"].relationships = []
    },
    LightweightRule(
      "A to-one relationship becomes to-many",
      ["Person/p1 team=[Team/p1]", "Person/p2 team=[Team/p1]", "Team/p1 members=[Person/p1 Person/p2]"]
    ) { $0["Person"].edit(relationship: "team") { $0.maxCount = 0 } },
    LightweightRule("A relationship becomes ordered", ["Team/p1 members=[Person/p1 Person/p2]"]) {
      $0["Team"].edit(relationship: "members") { $0.isOrdered = true }
    },
    LightweightRule(
      "A relationship's destination changes to another entity", ["Event/p1 venue=Hall/p1", "Talk/p2 venue=nil"]
    ) {
      $0["Event"].edit(relationship: "venue") { $0.destinationEntityName = "Hall" }
    },
    LightweightRule("An entity is added", ["Person/p1 name=Ada team=Team/p1"]) {
      $0.entities.append(EntityDescription(name: "Archive", attributes: [Models.attribute("path", .string)]))
    },
    LightweightRule("An entity is removed", ["Person/p1 name=Ada team=Team/p1"]) {
      $0.entities.removeAll { $0.name == "Hobby" }
      $0["Person"].relationships.removeAll { $0.name == "hobbies" }
    },
    LightweightRule("A parent is added", ["Person/p1 name=Ada note=nil team=Team/p1"]) {
      $0.entities.append(
        EntityDescription(name: "Being", isAbstract: true, attributes: [Models.attribute("note", .string)]))
      $0["Person"].superentityName = "Being"
    },
    LightweightRule("A sub-entity is added", ["Person/p1 name=Ada team=Team/p1", "Team/p1 title=Red"]) {
      $0.entities.append(
        EntityDescription(name: "Club", superentityName: "Team", attributes: [Models.attribute("city", .string)]))
    },
    LightweightRule("A property moves up", ["Event/p1 place=Rome topic=nil", "Talk/p2 place=Oslo topic=Sets"]) {
      $0["Event"].attributes.append(Models.attribute("topic", .string))
      $0["Talk"].attributes = []
    },
    LightweightRule("A property moves down", ["Event/p1", "Talk/p2 place=Oslo topic=Sets"]) {
      $0["Talk"].attributes.append(Models.attribute("place", .string))
      $0["Event"].attributes = [Models.attribute("size", .integer16)]
    },
    LightweightRule("An entity moves out of its hierarchy", ["Event/p1 place=Rome", "Talk/p2 place=Oslo topic=Sets"]) {
      $0["Talk"].superentityName = nil
      $0["Talk"].attributes.append(Models.attribute("place", .string))
    },
  ]

  private static func fill(_ context: ManagedObjectContext) throws {
    let team = try context.insert("Team")
    team["title"] = "Red"
    for (name, nick) in [("Ada", nil), ("Ben", "B")] as [(String, String?)] {
      let person = try context.insert("Person")
      (person["name"], person["nick"]) = (.string(name), nick.map { .string($0) } ?? .null)
      if name == "Ada" { person["age"] = 36 }
      person[toOne: "team"] = team
      try context.save()
    }
    let hobby = try context.insert("Hobby")
    hobby["word"] = "chess"
    for person in try context.fetch(FetchRequest(entityName: "Person")) { try hobby.add(person, to: "people") }
    let event = try context.insert("Event")
    event["place"] = "Rome"
    event[toOne: "venue"] = try context.insert("Hall")
    try context.save()
    let talk = try context.insert("Talk")
    (talk["place"], talk["topic"]) = ("Oslo", "Sets")
    try context.save()
  }

  /// All objects, each with the properties of `expected`'s line about it, and the names of all entities.
  private func lines(_ url: URL, _ model: ManagedObjectModel, like expected: [String]) throws -> [String] {
    let store = try PersistentStore(url: url, models: [model], mode: .readOnly)
    defer { try? store.close() }
    let context = ManagedObjectContext(store: store)
    return try expected.map { line in
      let parts = line.split(separator: " ")
      let (entity, key) = (parts[0].prefix { $0 != "/" }, parts[0].drop { $0 != "p" }.dropFirst())
      var request = FetchRequest(entityName: String(entity))
      request.includesSubentities = false
      let objects = try context.fetch(request)
      guard let object = objects.first(where: { "\($0.primaryKey)" == key || parts[0].hasSuffix("/p\($0.primaryKey)") })
      else { return "\(parts[0]) is missing" }
      // A value with spaces is a list.
      let names = line.matches(of: /(\w+)=/).map { String($0.1) }
      return ([String(parts[0])] + (try names.map { "\($0)=\(try Self.text(object, $0))" })).joined(separator: " ")
    }
  }

  private static func text(_ object: ManagedObject, _ name: String) throws -> String {
    let value: ExpressionValue = try object.value(forKey: name)
    switch value {
    case .null: return "nil"
    case .object(let object): return "\(object)"
    case .array, .set, .orderedSet:
      return "["
        + (value.elements ?? []).map { if case .object(let one) = $0 { "\(one)" } else { "?" } }.sorted()
        .joined(separator: " ") + "]"
    case .string(let text): return text
    case .integer(let number): return "\(number)"
    default: return "\(value)"
    }
  }

  private func migrated(
    _ models: [ManagedObjectModel], _ mode: IncrementalMigrationOptions.Mode, like expected: [String]
  ) throws -> (lines: [String], dump: String) {
    let folder = try TemporaryFolder()
    let url = folder.appending("People.sqlite")
    var options = PersistentStore.CreationOptions()
    options.identifier = "11111111-2222-3333-4444-555555555555"
    let store = try PersistentStore.create(at: url, model: models[0], options: options)
    try Self.fill(ManagedObjectContext(store: store))
    try store.close()
    try IncrementalMigrationManager(models: models, infersMissingMappings: true).migrate(
      url, options: .init(mode: mode))
    let last = models[models.count - 1]
    let sink = MemorySink()
    let opened = try PersistentStore(url: url, models: [last], mode: .readOnly)
    _ = try StoreDump(opened).write(to: sink)
    try opened.close()
    return (try lines(url, last, like: expected), sink.text)
  }

  @Test(arguments: rules) func `a rule gives the same objects in place and with a copy`(rule: LightweightRule) throws {
    var new = Self.base
    new.name = "2"
    rule.change(&new)
    #expect(new.check().filter { $0.severity == .error } == [])
    let copied = try migrated([Self.base, new], .copy, like: rule.expected)
    let inPlace = try migrated([Self.base, new], .inPlace, like: rule.expected)
    #expect(copied.lines == rule.expected)
    #expect(inPlace.lines == rule.expected)
    #expect(inPlace.dump == copied.dump)
  }

  @Test func `the documentation lists exactly these rules`() throws {
    let page = Corpus.project.appending(path: "Sources/Heavylift/Heavylift.docc/LightweightMigration.md")
    let rows = try MarkdownDocument(contentsOf: page).tableRows.filter { $0.count == 3 }.map { $0[0] }
    #expect(rows == Self.rules.map(\.description))
  }

  @Test(arguments: IncrementalMigrationOptions.Mode.allCases)
  func `a renaming identifier is a name for all later versions`(mode: IncrementalMigrationOptions.Mode) throws {
    var (second, third) = (Self.base, Self.base)
    (second.name, third.name) = ("2", "3")
    second["Person"].edit(attribute: "nick") { ($0.name, $0.renamingIdentifier) = ("alias", "nick") }
    third["Person"].edit(attribute: "nick") { ($0.name, $0.renamingIdentifier) = ("handle", "nick") }
    let expected = ["Person/p1 handle=nil", "Person/p2 handle=B"]
    #expect(try migrated([Self.base, second, third], mode, like: expected).lines == expected)
    #expect(try migrated([Self.base, third], mode, like: expected).lines == expected)
  }
}
