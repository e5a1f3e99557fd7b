import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Changes of relationships that a store must not undergo in place as if only names had changed.
@Suite struct LinkShapeTests {
  struct Shape: Sendable, CustomTestStringConvertible {
    var name: String
    var old: [EntityDescription]
    var new: [EntityDescription]
    /// SQL that gives the old store what no program would write.
    var sql = ""
    /// Part of the reason why the store cannot be migrated in place; nil if it can, or if a copy fails, too.
    var refusal: String?
    var fill: @Sendable (ManagedObjectContext) throws -> Void
    var testDescription: String { name }

    var models: [ManagedObjectModel] {
      [ManagedObjectModel(name: "1", entities: old), ManagedObjectModel(name: "2", entities: new)]
    }
  }

  private static func entity(
    _ name: String, _ parent: String? = nil, _ relationships: RelationshipDescription...
  ) -> EntityDescription {
    EntityDescription(
      name: name, superentityName: parent, attributes: parent == nil ? [Models.attribute("name", .string)] : [],
      relationships: relationships)
  }

  /// An owner of a dog and a cat, and one of nothing.
  private static func pets(_ link: String, inverse: Bool = false) -> @Sendable (ManagedObjectContext) throws -> Void {
    { context in
      let (owner, dog, cat) = (try context.insert("Owner"), try context.insert("Dog"), try context.insert("Cat"))
      _ = try context.insert("Owner")
      if inverse {
        for pet in [dog, cat] { try pet.setObject(owner, forKey: link) }
      } else {
        try owner.setObject(cat, forKey: link)
        try context.insert("Owner").setObject(dog, forKey: link)
      }
    }
  }

  static let shapes: [Shape] = [
    Shape(
      name: "a to-one relationship narrows to a sub-entity",
      old: [
        entity("Owner", nil, Models.toOne("pet", "Animal")), entity("Animal"), entity("Dog", "Animal"),
        entity("Cat", "Animal"),
      ],
      new: [
        entity("Owner", nil, Models.toOne("pet", "Dog")), entity("Animal"), entity("Dog", "Animal"),
        entity("Cat", "Animal"),
      ],
      fill: pets("pet")),
    Shape(
      name: "a relationship and its inverse move to a sub-entity",
      old: [
        entity("Owner", nil, Models.toMany("pets", "Animal", "owner")),
        entity("Animal", nil, Models.toOne("owner", "Owner", "pets")), entity("Dog", "Animal"), entity("Cat", "Animal"),
      ],
      new: [
        entity("Owner", nil, Models.toMany("pets", "Dog", "owner")), entity("Animal"),
        entity("Dog", "Animal", Models.toOne("owner", "Owner", "pets")), entity("Cat", "Animal"),
      ], fill: pets("owner", inverse: true)),
    Shape(
      name: "a to-many relationship without an inverse moves to a sub-entity",
      old: [entity("Animal", nil, Models.toMany("toys", "Toy")), entity("Dog", "Animal"), entity("Toy")],
      new: [
        entity("Animal"), entity("Dog", "Animal", Models.toMany("toys", "Toy", "dog")),
        entity("Toy", nil, Models.toOne("dog", "Dog", "toys")),
      ],
      refusal: "relationship 'dog' of entity 'Toy' has a link to an object",
      fill: { context in
        for name in ["Animal", "Dog"] { try context.insert(name).add(context.insert("Toy"), to: "toys") }
      }),
    Shape(
      name: "a to-one relationship moves to a sub-entity and gets a to-one inverse",
      old: [entity("Animal", nil, Models.toOne("toy", "AToy")), entity("Dog", "Animal"), entity("AToy")],
      new: [
        entity("Animal"), entity("Dog", "Animal", Models.toOne("toy", "AToy", "dog")),
        entity("AToy", nil, Models.toOne("dog", "Dog", "toy")),
      ],
      fill: { context in
        for name in ["Animal", "Dog"] { try context.insert(name).setObject(context.insert("AToy"), forKey: "toy") }
      }),
    Shape(
      name: "an ordered one-to-many relationship to a hierarchy becomes many-to-many",
      old: [
        entity("Owner", nil, Models.toMany("pets", "Animal", "owner", isOrdered: true)),
        entity("Animal", nil, Models.toOne("owner", "Owner", "pets")), entity("Dog", "Animal"), entity("Cat", "Animal"),
      ],
      new: [
        entity("Owner", nil, Models.toMany("pets", "Animal", "owners", isOrdered: true)),
        entity("Animal", nil, renamed(Models.toMany("owners", "Owner", "pets"), "owner")), entity("Dog", "Animal"),
        entity("Cat", "Animal"),
      ],
      fill: { context in
        let owner = try context.insert("Owner")
        let names = ["Dog", "Cat", "Animal", "Cat", "Dog", "Animal"]
        try owner.setObjects(names.map { try context.insert($0) }, forKey: "pets")
      }),
    Shape(
      name: "an ordered many-to-many relationship becomes one-to-many",
      old: [
        entity("Owner", nil, Models.toMany("pets", "Pet", "owners", isOrdered: true)),
        entity("Pet", nil, Models.toMany("owners", "Owner", "pets")),
      ],
      new: [
        entity("Owner", nil, Models.toMany("pets", "Pet", "owner", isOrdered: true)),
        entity("Pet", nil, Models.toOne("owner", "Owner", "pets")),
      ],
      fill: { context in
        let pets = try (1...4).map { _ in try context.insert("Pet") }
        try context.save()
        try context.insert("Owner").setObjects([pets[2], pets[0], pets[3], pets[1]], forKey: "pets")
      }),
    Shape(
      name: "a one-to-one relationship whose links only one end has becomes one-to-many",
      old: [
        entity("Dog", nil, Models.toOne("tag", "Tag", "dog")), entity("Tag", nil, Models.toOne("dog", "Dog", "tag")),
      ],
      new: [
        entity("Dog", nil, Models.toOne("tag", "Tag", "dogs")),
        entity("Tag", nil, renamed(Models.toMany("dogs", "Dog", "tag"), "dog")),
      ], sql: "UPDATE ZDOG SET ZTAG = NULL", refusal: "has a link that its inverse does not have",
      fill: { try $0.insert("Dog").setObject($0.insert("Tag"), forKey: "tag") }),
    Shape(
      name: "targets that a minimum count needs are removed",
      old: [
        entity("Owner", nil, Models.toMany("pets", "Animal", "owner", minCount: 2)),
        entity("Animal", nil, Models.toOne("owner", "Owner", "pets")), entity("Dog", "Animal"), entity("Cat", "Animal"),
      ],
      new: [
        entity("Owner", nil, Models.toMany("pets", "Animal", "owner", minCount: 2)),
        entity("Animal", nil, Models.toOne("owner", "Owner", "pets")), entity("Dog", "Animal"),
      ],
      fill: { context in
        let owner = try context.insert("Owner")
        for name in ["Dog", "Cat"] { try context.insert(name).setObject(owner, forKey: "owner") }
      }),
    Shape(
      name: "a to-one relationship with a dangling link becomes to-many",
      old: [
        entity("Owner", nil, Models.toMany("pets", "Pet", "owner")),
        entity("Pet", nil, Models.toOne("owner", "Owner", "pets")),
      ],
      new: [
        entity("Owner", nil, Models.toMany("pets", "Pet", "owners")),
        entity("Pet", nil, renamed(Models.toMany("owners", "Owner", "pets"), "owner")),
      ], sql: "INSERT INTO ZPET (Z_PK, Z_ENT, Z_OPT, ZOWNER) SELECT 9, Z_ENT, 1, 77 FROM ZPET LIMIT 1",
      refusal: "has a link from an object that is missing",
      fill: { try $0.insert("Pet").setObject($0.insert("Owner"), forKey: "owner") }),
    Shape(
      name: "a relationship gets an inverse with a maximum count",
      old: [entity("Owner"), entity("Pet", nil, Models.toOne("owner", "Owner"))],
      new: [
        entity("Owner", nil, Models.toMany("pets", "Pet", "owner", maxCount: 2)),
        entity("Pet", nil, Models.toOne("owner", "Owner", "pets")),
      ],
      fill: { context in
        let owner = try context.insert("Owner")
        for _ in 1...3 { try context.insert("Pet").setObject(owner, forKey: "owner") }
      }),
    Shape(
      name: "the inputs of derived attributes swap their names",
      old: [derived("name", "title")], new: [derived("title", "name"), entity("Owner")],
      refusal: "must be computed anew",
      fill: { context in
        let pet = try context.insert("Pet")
        (pet["name"], pet["title"]) = ("Ása", "Éva")
      }),
    Shape(
      name: "another entity gets an attribute with the name of a derived attribute's input",
      old: [
        derived("name", "title"), EntityDescription(name: "Toy", attributes: [Models.attribute("price", .double)]),
      ],
      new: [
        derived("name", "title"),
        EntityDescription(
          name: "Toy", attributes: [Models.attribute("price", .double), Models.attribute("name", .string)]),
      ], sql: "UPDATE ZPET SET ZPLAIN = 'asa'", fill: { try $0.insert("Pet")["name"] = "Ása" }),
  ]

  private static func renamed(_ relationship: RelationshipDescription, _ old: String) -> RelationshipDescription {
    var relationship = relationship
    relationship.renamingIdentifier = old
    return relationship
  }

  /// A pet whose attributes were named otherwise in the first version, and its name in plain letters.
  private static func derived(_ first: String, _ second: String) -> EntityDescription {
    var attributes = [Models.attribute("name", .string), Models.attribute("title", .string)]
    (attributes[0].renamingIdentifier, attributes[1].renamingIdentifier) = (first, second)
    var plain = Models.attribute("plain", .string)
    plain.derivationExpression = "canonical:(name)"
    return EntityDescription(name: "Pet", attributes: attributes + [plain])
  }

  private static func make(_ shape: Shape, _ url: URL, _ model: ManagedObjectModel) throws {
    let store = try PersistentStore.create(at: url, model: model)
    let context = ManagedObjectContext(store: store)
    try shape.fill(context)
    try context.save()
    try store.database.execute(shape.sql)
    try store.close()
  }

  @Test(arguments: shapes)
  func `a store migrated in place is the same as with a copy, or is refused`(shape: Shape) throws {
    let folder = try TemporaryFolder()
    let (source, place) = (folder.appending("old.sqlite"), folder.appending("place.sqlite"))
    try Self.make(shape, source, shape.models[0])
    try FileManager.default.copyItem(at: source, to: place)
    let manager = IncrementalMigrationManager(models: shape.models, infersMissingMappings: true)
    func outcome(_ store: URL) throws -> InPlaceOutcome {
      try InPlaceOutcome(of: store, shape.models[1], migratedFrom: source)
    }
    let copied = Result {
      try manager.migrate(source, into: folder.appending("new.sqlite"))
      return try outcome(folder.appending("new.sqlite"))
    }
    do {
      try manager.migrate(place, options: .init(mode: .inPlace))
      #expect(shape.refusal == nil)
      let expected = try copied.get()
      let found = try outcome(place)
      #expect(found == expected, "\(expected.difference(found))")
    } catch let error as MigrationError {
      if let refusal = shape.refusal {
        #expect(error.kind == .notInPlace && "\(error)".contains(refusal), "\(error)")
        let planned = try manager.plan(for: place, options: .init(mode: .inPlace)).inPlace?.refusals ?? []
        #expect(planned.contains { $0.contains(refusal) }, "\(planned)")
      } else {
        #expect(throws: (any Error).self, "\(error)") { try copied.get() }
      }
    }
  }

  @Test(arguments: shapes)
  func `a hop after one with a policy gives the same store as one that writes its own`(shape: Shape) throws {
    var models = [shape.models[0]] + shape.models
    for (place, name) in ["0", "1", "2"].enumerated() {
      models[place].name = name
      if place > 0 { models[place].entities[0].attributes.append(Models.attribute("mark", .string)) }
    }
    let folder = try TemporaryFolder()
    let source = folder.appending("old.sqlite")
    try Self.make(shape, source, models[0])
    var first = try MappingModel.inferred(from: models[0], to: models[1])
    first.entityMappings[0].policyClassName = "KeepingPolicy"
    let manager = IncrementalMigrationManager(
      models: models, mappings: MappingSearch([MappingCandidate(file: "first.xml", mappingModel: first)]),
      infersMissingMappings: true,
      execution: MappingHopExecution(policies: PolicyRegistry(NoteStores.KeepingPolicy.self)))
    func outcome(composes: Bool) throws -> HopChain.Outcome {
      try HopChain.outcome(
        source, folder.appending("\(composes).sqlite"), manager, composes: composes, ignoring: ["Z_OPT"]
      ).outcome
    }
    let (written, other) = (try outcome(composes: false), try outcome(composes: true))
    #expect(written == other, "\(written.difference(other))")
  }
}
