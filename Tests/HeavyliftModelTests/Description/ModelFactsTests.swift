import Foundation
import HeavyliftConcurrency
import Testing

@testable import HeavyliftModel

/// A model remembers what it has computed, but never for another state of itself.
@Suite struct ModelFactsTests {
  private static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Track", superentityName: "Medium", attributes: [AttributeDescription(name: "title", type: .string)],
        relationships: [
          RelationshipDescription(
            name: "album", destinationEntityName: "Album", inverseName: "tracks", inverseEntityName: "Album",
            maxCount: 1)
        ]),
      EntityDescription(name: "Medium", attributes: [AttributeDescription(name: "added", type: .date)]),
      EntityDescription(
        name: "Album",
        relationships: [
          RelationshipDescription(
            name: "tracks", destinationEntityName: "Track", inverseName: "album", inverseEntityName: "Track")
        ]),
    ])

  private func properties(_ model: ManagedObjectModel, _ entity: EntityDescription) -> [String] {
    model.allAttributes(of: entity).map(\.name) + model.allRelationships(of: entity).map(\.name)
  }

  @Test func `the properties of an entity are those that it has now`() throws {
    var model = Self.model
    let track = try #require(model.entity(named: "Track"))
    #expect(properties(model, track) == ["added", "title", "album"])
    #expect(properties(model, track) == ["added", "title", "album"])
    // A changed copy of the entity, of which the model knows nothing.
    var changed = track
    changed.attributes[0].name = "name"
    changed.relationships = []
    #expect(properties(model, changed) == ["added", "name"])
    #expect(properties(model, track) == ["added", "title", "album"])
    changed = track
    changed.superentityName = nil
    #expect(properties(model, changed) == ["title", "album"])
    #expect(properties(model, track) == ["added", "title", "album"])
    // A change of the model.
    let medium = try #require(model.entities.firstIndex { $0.name == "Medium" })
    model.entities[medium].attributes.append(AttributeDescription(name: "rating", type: .double))
    #expect(properties(model, track) == ["added", "rating", "title", "album"])
    #expect(properties(Self.model, track) == ["added", "title", "album"])
  }

  @Test func `copies of a model are indexed once, and compared once`() {
    let count = WorkCount()
    WorkCount.$current.withValue(count) {
      let model = ManagedObjectModel(name: "Music", entities: Self.model.entities)
      var copy = model
      copy.name = "Music, too"
      var newer = copy
      newer.entities[1].renamingIdentifier = "Medium"
      for old in [model, copy] {
        #expect(ModelIndex(old).properties(of: 2).map(\.name) == ["added", "album", "title"])
        #expect(ModelPair(from: old, to: newer).successors == [0, 1, 2])
        #expect(ModelPair(from: old, to: newer).match(2, 2).pairs.map(\.new) == [0, 1, 2])
      }
    }
    #expect(count[.index] == ["Music": 1, "Music, too": 1])
    #expect(count[.compare] == ["Music → Music, too": 1])
  }

  @Test func `versions with other names are distinguished without hashes`() throws {
    func version(_ name: String, _ change: (inout ManagedObjectModel) -> Void) -> ManagedObjectModel {
      var model = ManagedObjectModel(name: name, entities: Self.model.entities)
      change(&model)
      return model
    }
    // The entities are Album, Medium, Track.
    let base = version("Music") { _ in }
    let versions = [
      version("new entity") { $0.entities.append(EntityDescription(name: "Tag")) },
      version("new name") { $0.entities[1].attributes[0].name = "created" },
      version("new type") { $0.entities[1].attributes[0].type = .string },
      version("transient") { $0.entities[1].attributes[0].isTransient = true },
      version("moved") {
        $0.entities[0].attributes = $0.entities[1].attributes
        $0.entities[1].attributes = []
      },
      version("second entity of a name") { $0.entities.append(EntityDescription(name: "Track")) },
      version("new default") { $0.entities[2].attributes[0].defaultValue = .string("Untitled") },
      version("stated") {
        $0.statedVersionHashes = base.versionHashes.mapValues { _ in VersionHash(bytes: Data([1])) }
      },
      version("stated, with other names") {
        $0.entities[1].attributes[0].name = "created"
        $0.statedVersionHashes = base.versionHashes
      },
    ]
    let count = WorkCount()
    let same = WorkCount.$current.withValue(count) { versions.filter { $0.hasSameVersionHashes(as: base) } }
    #expect(same == versions.filter { $0.versionHashes == base.versionHashes })
    #expect(same.map(\.name) == ["second entity of a name", "new default", "stated, with other names"])
    let hashed = versions.filter { count[.hash][$0.title] == 1 }.compactMap(\.name)
    #expect(
      hashed == [
        "new type", "moved", "second entity of a name", "new default", "stated", "stated, with other names",
      ])
  }

  @Test func `facts are released with their model`() {
    weak var facts: ModelFacts?
    do {
      let model = ManagedObjectModel(entities: Self.model.entities)
      #expect(model.check() == [])
      for (old, new) in [(model, Self.model), (Self.model, model)] {
        #expect(ModelPair(from: old, to: new).match(0, 0).pairs.count == 1)
      }
      facts = model.facts
    }
    #expect(facts == nil)
  }

  @Test func `a check reports what is wrong now`() {
    func codes(_ change: (inout ManagedObjectModel) -> Void) -> [String] {
      var model = Self.model
      #expect(model.check() == [])
      change(&model)
      let found = model.check().map(\.code)
      #expect(Self.model.check() == [])
      return found
    }
    #expect(codes { $0.entities[0].relationships = [] } == ["model.unknown-inverse"])
    #expect(
      codes { $0.composites = [.init(name: "A", elements: []), .init(name: "A", elements: [])] } == [
        "model.duplicate-composite"
      ])
    #expect(
      codes { $0.configurations = [.init(name: "Local", entityNames: ["Nothing"])] }
        == ["model.configuration-entity"])
    #expect(
      codes { $0.fetchRequestTemplates = [.init(name: "All", entityName: "Nothing")] }
        == ["model.fetch-request-entity"])
  }

  @Test func `to-many relationships without an inverse get one, also if they lead to their own entity`() throws {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Cart",
          relationships: [
            RelationshipDescription(name: "carts", destinationEntityName: "Cart"),
            RelationshipDescription(name: "another", destinationEntityName: "Cart"),
            RelationshipDescription(name: "items", destinationEntityName: "Item"),
          ]),
        EntityDescription(name: "Item"),
      ])
    let connected = model.withImpliedInverses
    func lines(_ entity: String) throws -> [String] {
      try #require(connected.entity(named: entity)).relationships.map {
        "\($0.name) → \($0.destinationEntityName ?? "-").\($0.inverseName ?? "-")\($0.isImplied ? ", implied" : "")"
      }
    }
    #expect(
      try lines("Cart") == [
        "Cart.another → Cart.another, implied", "Cart.carts → Cart.carts, implied", "another → Cart.Cart.another",
        "carts → Cart.Cart.carts", "items → Item.Cart.items",
      ])
    #expect(try lines("Item") == ["Cart.items → Cart.items, implied"])
    #expect(connected.withImpliedInverses == connected)
  }
}
