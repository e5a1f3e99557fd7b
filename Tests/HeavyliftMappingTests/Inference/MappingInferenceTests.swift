import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import Testing

/// Everything that lightweight migration infers or refuses.
@Suite struct MappingInferenceTests {
  private static let old = ManagedObjectModel(
    name: "Music 1",
    entities: [
      EntityDescription(name: "Item", attributes: [AttributeDescription(name: "title", type: .string)]),
      EntityDescription(
        name: "Track", superentityName: "Item",
        attributes: [
          AttributeDescription(name: "rating", type: .integer16),
          AttributeDescription(name: "seconds", type: .integer32, isOptional: false),
        ],
        relationships: [
          RelationshipDescription(
            name: "album", destinationEntityName: "Album", inverseName: "tracks", inverseEntityName: "Album",
            maxCount: 1)
        ]),
      EntityDescription(
        name: "Album",
        relationships: [
          RelationshipDescription(
            name: "tracks", destinationEntityName: "Track", inverseName: "album", inverseEntityName: "Track")
        ]),
      EntityDescription(name: "Cache"), EntityDescription(name: "Base", isAbstract: true),
    ])

  /// Returns the model after a change to one of its entities.
  private static func edited(
    _ name: String, _ change: (inout EntityDescription) -> Void
  ) -> ManagedObjectModel {
    var model = old
    model.name = "Music 2"
    let place = model.entities.firstIndex { $0.name == name } ?? 0
    var entity = model.entities[place]
    change(&entity)
    model.entities[place] = entity
    return model
  }

  /// Returns a line for each entity mapping with its properties.
  private static func lines(_ mapping: MappingModel) -> [String] {
    mapping.entityMappings.map { mapping in
      let properties = mapping.propertyMappings.map { property in
        switch property.source {
        case .expression(let expression): "\(property.name) = \(expression)"
        case .unmapped: "\(property.name) unmapped"
        default: "\(property.name) ?"
        }
      }
      let type = mapping.givenType.map { " \($0.word)" } ?? ""
      return (["\(mapping.name)\(type)"] + properties).joined(separator: ", ")
    }
  }

  private static let whole = ["AlbumToAlbum", "CacheToCache", "ItemToItem", "TrackToTrack"]

  static let inferred: [(String, ManagedObjectModel, [String])] = [
    ("nothing", old, whole),
    (
      "an optional attribute, and one with a default",
      edited("Track") {
        $0.attributes.append(AttributeDescription(name: "added", type: .date))
        $0.attributes.append(AttributeDescription(name: "kind", type: .string, isOptional: false, defaultValue: "x"))
      }, whole
    ),
    ("a removed attribute", edited("Track") { $0.attributes.remove(at: 0) }, whole),
    ("an attribute that became optional", edited("Track") { $0.attributes[1].isOptional = true }, whole),
    (
      "an attribute that became mandatory, with a default",
      edited("Track") {
        $0.attributes[0].isOptional = false; $0.attributes[0].defaultValue = 3
      },
      [
        "AlbumToAlbum", "CacheToCache", "ItemToItem",
        "TrackToTrack, rating = TERNARY($source.rating != nil, $source.rating, 3)",
      ]
    ),
    ("a wider attribute", edited("Track") { $0.attributes[1].type = .integer64 }, whole),
    (
      "a renamed attribute",
      edited("Track") {
        $0.attributes[1].name = "length"; $0.attributes[0].renamingIdentifier = "seconds"
      }, whole
    ),
    (
      "a renamed attribute that leaves its name to a relationship",
      edited("Track") {
        $0.attributes[0].renamingIdentifier = "rating"; $0.attributes[0].name = "stars"
        $0.relationships.append(RelationshipDescription(name: "rating", destinationEntityName: "Cache"))
      }, ["AlbumToAlbum", "CacheToCache", "ItemToItem", "TrackToTrack, rating unmapped"]
    ),
    (
      "a relationship to many",
      edited("Track") {
        $0.relationships[0].maxCount = 0; $0.relationships[0].isOrdered = true
      }, whole
    ),
    (
      "a mandatory relationship to many without a minimum, new or as it became",
      edited("Album") {
        $0.relationships[0].isOptional = false
        $0.relationships.append(
          RelationshipDescription(name: "covers", destinationEntityName: "Item", isOptional: false))
      }, whole
    ),
    (
      "a renamed relationship",
      {
        var model = edited("Album") {
          $0.relationships[0].name = "songs"
          $0.relationships[0].renamingIdentifier = "tracks"
        }
        model.entities[4].relationships[0].inverseName = "songs"
        return model
      }(), whole
    ),
    (
      "a removed relationship",
      {
        var model = edited("Album") { $0.relationships = [] }
        model.entities[4].relationships = []
        return model
      }(), whole
    ),
    (
      "an optional relationship",
      edited("Cache") { $0.relationships = [RelationshipDescription(name: "tracks", destinationEntityName: "Track")] },
      whole
    ),
    (
      "a renamed entity",
      edited("Cache") {
        $0.name = "Store"; $0.renamingIdentifier = "Cache"
      },
      ["AlbumToAlbum", "ItemToItem", "CacheToStore", "TrackToTrack"]
    ),
    (
      "an entity removed and another one added", edited("Cache") { $0.name = "Store" },
      ["AlbumToAlbum", "ItemToItem", "Store add", "TrackToTrack", "RemoveCache remove"]
    ),
    (
      "an attribute that moved up",
      {
        var model = edited("Track") { $0.attributes.remove(at: 0) }
        model.entities[3].attributes.append(AttributeDescription(name: "rating", type: .integer16))
        return model
      }(), whole
    ),
    ("an entity that left its hierarchy", edited("Track") { $0.superentityName = nil }, whole),
    (
      "a new parent",
      {
        var model = edited("Item") { $0.superentityName = "Thing" }
        model.entities.append(EntityDescription(name: "Thing", isAbstract: true))
        return model
      }(), whole
    ),
    (
      "an entity that became concrete", edited("Base") { $0.isAbstract = false },
      ["AlbumToAlbum", "Base add", "CacheToCache", "ItemToItem", "TrackToTrack"]
    ),
    (
      "an attribute that no store holds",
      edited("Track") {
        $0.attributes.append(AttributeDescription(name: "shown", type: .string, isOptional: false, isTransient: true))
      }, whole
    ),
  ]

  @Test(arguments: inferred.indices) func `simple changes are inferred`(row: Int) throws {
    let (name, new, expected) = Self.inferred[row]
    let mapping = try MappingModel.inferred(from: Self.old, to: new)
    #expect(Self.lines(mapping) == expected, "\(name)")
    #expect(mapping.source == ModelReference(name: "Music 1"))
    #expect(mapping.destination == ModelReference(name: new.name))
    let check = mapping.complete(from: Self.old, to: new).check()
    #expect(!check.hasErrors, "\(name)\n\(DiagnosticList(check))")
  }

  static let refused: [(ManagedObjectModel, String)] = [
    (
      edited("Track") { $0.attributes[1].type = .string },
      """
      error[inference.attribute-type]: attribute 'seconds' of entity 'Track' has type String, but its source 'seconds' \
      has type Integer 32
        write a mapping file with an expression that converts the value
      """
    ),
    (
      edited("Track") { $0.attributes[1].type = .integer16 },
      """
      error[inference.attribute-type]: attribute 'seconds' of entity 'Track' has type Integer 16, but its source \
      'seconds' has type Integer 32
        write a mapping file with an expression that converts the value
      """
    ),
    (
      edited("Track") { $0.attributes[0].isOptional = false },
      """
      error[inference.mandatory-attribute]: attribute 'rating' of entity 'Track' has become mandatory and has no default \
      value for objects whose 'rating' is empty
        give it a default value, make it optional, or set its value in a mapping file
      """
    ),
    (
      edited("Item") { $0.attributes.append(AttributeDescription(name: "date", type: .date, isOptional: false)) },
      """
      error[inference.mandatory-attribute]: attribute 'date' of entity 'Item' is new and mandatory, and has no default value
        give it a default value, make it optional, or set its value in a mapping file
      """
    ),
    (
      edited("Album") { $0.relationships[0].maxCount = 1 },
      """
      error[inference.many-into-one]: relationship 'tracks' of entity 'Album' is to-one, but its source 'tracks' is \
      to-many
        write a mapping file with an expression that chooses one
      """
    ),
    (
      edited("Track") { $0.relationships[0].isOptional = false },
      """
      error[inference.mandatory-relationship]: relationship 'album' of entity 'Track' has become mandatory, and objects \
      whose 'album' is empty have no target for it
        make it optional, or write a mapping file that gives it a target
      """
    ),
    (
      edited("Album") {
        $0.relationships[0].isOptional = false
        $0.relationships[0].minCount = 1
      },
      """
      error[inference.mandatory-relationship]: relationship 'tracks' of entity 'Album' has become mandatory, and objects \
      whose 'tracks' is empty have no target for it
        make it optional, or write a mapping file that gives it a target
      """
    ),
    (
      edited("Cache") {
        $0.relationships = [
          RelationshipDescription(name: "item", destinationEntityName: "Item", isOptional: false, maxCount: 1)
        ]
      },
      """
      error[inference.mandatory-relationship]: relationship 'item' of entity 'Cache' is new and mandatory
        make it optional, or write a mapping file that gives it a target
      """
    ),
    (
      edited("Track") {
        $0.relationships = []
        $0.attributes.append(AttributeDescription(name: "album", type: .string))
      },
      """
      error[inference.other-kind]: attribute 'album' of entity 'Track' was relationship 'album'
        write a mapping file, or rename the property and remove its renaming identifier
      """
    ),
    (
      edited("Cache") { $0.isAbstract = true },
      """
      error[inference.abstract-entity]: entity 'Cache' is abstract, but its source entity 'Cache' may have objects
        write a mapping file that handles its objects
      """
    ),
    (
      edited("Album") { $0.superentityName = "Item" },
      """
      error[inference.merged-hierarchies]: entity 'Item' merges hierarchies that were separate: those of 'Album' \
      and 'Item'
        keep the hierarchies separate, or write a mapping file
      """
    ),
    (
      ManagedObjectModel(entities: [EntityDescription(name: "Setting")]),
      """
      error[inference.unrelated-models]: the models have no entity in common, so all objects would be removed
        check whether both are versions of one model; if so, write a mapping file, or give renamed entities their old \
      names as renaming identifiers
      """
    ),
  ]

  @Test(arguments: refused.indices) func `other changes are refused`(row: Int) {
    let (new, expected) = Self.refused[row]
    #expect(Self.message(to: new) == expected)
  }

  @Test func `a relationship that leads to another entity is asked about, and inferred for stores whose links fit`()
    throws
  {
    func questions(_ change: (inout EntityDescription) -> Void) throws -> [String] {
      let new = Self.edited("Album", change)
      let mapping = try MappingModel.inferred(from: Self.old, to: new)
      #expect(Self.lines(mapping) == Self.whole)
      #expect(!mapping.complete(from: Self.old, to: new).check().hasErrors)
      return MappingModel.inferring(from: Self.old, to: new).refusals.map(\.description)
    }
    #expect(
      try questions { $0.relationships[0].destinationEntityName = "Cache" } == [
        """
        error[inference.other-destination]: relationship 'tracks' of entity 'Album' leads to entity 'Cache', but its \
        source 'tracks' leads to entity 'Track': objects of entity 'Track' do not become 'Cache' objects
          to drop the links to those objects, write '<relationship name="tracks" copy="no"/>' in the entity mapping of a mapping file; \
        to keep them, write an entity mapping that creates 'Cache' objects from 'Track' objects
        """
      ])
    func model(_ target: String, isOptional: Bool = true) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Shelf",
          relationships: [
            RelationshipDescription(name: "best", destinationEntityName: target, isOptional: isOptional, maxCount: 1)
          ]),
        EntityDescription(name: "Item"), EntityDescription(name: "Book", superentityName: "Item"),
        EntityDescription(name: "Box", superentityName: "Item"),
        EntityDescription(name: "Atlas", superentityName: "Book"),
        EntityDescription(name: "Other"),
      ])
    }
    let narrowed = MappingModel.inferring(from: model("Item"), to: model("Box")).refusals
    #expect(
      narrowed.map(\.remedy).first??.hasPrefix(
        "to drop the links to those objects, write '<relationship name=\"best\" mapping=\"BoxToBox\"/>'")
        == true)
    let several = MappingModel.inferring(from: model("Item"), to: model("Book")).refusals
    #expect(
      several.map(\.remedy).first??.hasPrefix(
        "to drop the links to those objects, write 'losses=\"intended\"' in the entity mapping") == true)
    let mandatory = MappingModel.inferring(
      from: model("Item", isOptional: false), to: model("Other", isOptional: false)
    ).refusals
    #expect(
      mandatory.map(\.remedy) == [
        "to keep them, write an entity mapping that creates 'Other' objects from 'Item' objects"
      ])
    #expect(throws: Never.self) { try MappingModel.inferred(from: model("Book"), to: model("Item")) }
  }

  @Test func `relationships that exchange their inverses are refused`() {
    func model(_ inverses: [String]) -> ManagedObjectModel {
      func relationship(_ name: String, _ entity: String, _ inverse: String) -> RelationshipDescription {
        RelationshipDescription(
          name: name, destinationEntityName: entity, inverseName: inverse, inverseEntityName: entity, maxCount: 1)
      }
      let owners = zip(["a", "b"], inverses)
      return ManagedObjectModel(entities: [
        EntityDescription(name: "Person", relationships: owners.map { relationship($0, "House", $1) }),
        EntityDescription(name: "House", relationships: owners.map { relationship($1, "Person", $0) }),
      ])
    }
    let error = #expect(throws: DiagnosticList.self) {
      try MappingModel.inferred(from: model(["x", "y"]), to: model(["y", "x"]))
    }
    #expect(error?.diagnostics.count == 4)
    #expect(
      error?.diagnostics.first { $0.problem.contains("'b' of") }?.description == """
        error[inference.other-inverse]: relationship 'b' of entity 'Person' has the inverse 'x', but its source 'b' has \
        the inverse 'y': setting one of them would change the links of the other
          write a mapping file that says which links are kept
        """)
    #expect(throws: Never.self) { try MappingModel.inferred(from: model(["x", "y"]), to: model(["x", "y"])) }
  }

  @Test func `an identifier of a new property must not name one that still exists`() {
    let rating = AttributeDescription(name: "stars", type: .integer16, renamingIdentifier: "rating")
    #expect(
      Self.message(to: Self.edited("Track") { $0.attributes.append(rating) }) == """
        error[inference.ambiguous-renaming]: attribute 'stars' of entity 'Track' has renaming identifier 'rating', but \
        'rating' still exists: it is not clear which of them is the old one
          remove the identifier, or write a mapping file
        """)
    var other = rating
    other.name = "score"
    #expect(
      Self.message(to: Self.edited("Track") { $0.attributes = [other, rating, $0.attributes[1]] }).hasPrefix(
        """
        error[inference.ambiguous-renaming]: attribute 'stars' of entity 'Track' has renaming identifier 'rating', but \
        'score' has it, too: it is not clear which of them is the old one
        """))
    #expect(
      Self.message(to: Self.edited("Track") { $0.attributes[0] = rating }).hasPrefix("inferred"), "a usual renaming")
    let relationship = RelationshipDescription(name: "rating", destinationEntityName: "Album", maxCount: 1)
    let left = Self.edited("Track") {
      $0.attributes[0] = rating
      $0.relationships.append(relationship)
    }
    #expect(Self.message(to: left).hasPrefix("inferred"), "a renamed attribute can leave its name to a relationship")
  }

  @Test func `a part that is renamed again is the old one, even if a new part has the first name`() throws {
    func model(_ attribute: AttributeDescription, _ others: AttributeDescription...) -> ManagedObjectModel {
      ManagedObjectModel(entities: [EntityDescription(name: "Track", attributes: others + [attribute])])
    }
    let second = model(AttributeDescription(name: "stars", type: .integer16, renamingIdentifier: "rating"))
    let third = model(
      AttributeDescription(name: "score", type: .integer16, renamingIdentifier: "rating"),
      AttributeDescription(name: "rating", type: .integer16))
    let complete = try MappingModel.inferred(from: second, to: third).complete(from: second, to: third)
    let origins = complete.entityMappings[0].attributeMappings.map { ($0.name, $0.valueExpression?.description) }
    #expect(origins.map(\.0) == ["rating", "score"])
    #expect(origins.map(\.1) == [nil, "$source.stars"])
    let back = model(AttributeDescription(name: "rating", type: .integer16))
    #expect(
      try MappingModel.inferred(from: second, to: back).complete(from: second, to: back).entityMappings[0]
        .attributeMappings.map { $0.valueExpression?.description } == ["$source.stars"], "renamed back")
  }

  @Test func `an identifier of a new entity must not name one that still exists`() {
    var model = Self.edited("Cache") { _ in }
    model.entities.append(EntityDescription(name: "Memory", renamingIdentifier: "Cache"))
    #expect(
      Self.message(to: model) == """
        error[inference.ambiguous-renaming]: entity 'Memory' has renaming identifier 'Cache', but 'Cache' still exists: it \
        is not clear which of them is the old one
          remove the identifier, or write a mapping file
        """)
    model.entities.removeAll { $0.name == "Cache" }
    #expect(Self.message(to: model).hasPrefix("inferred"))
  }

  private static func message(to new: ManagedObjectModel) -> String {
    do {
      return "inferred \(lines(try MappingModel.inferred(from: old, to: new)))"
    } catch {
      return error.description
    }
  }

  @Test func `all reasons are reported together`() {
    var new = Self.edited("Track") {
      $0.attributes[0].type = .string
      $0.attributes[1].type = .string
    }
    new.entities[2].isAbstract = true
    do {
      _ = try MappingModel.inferred(from: Self.old, to: new)
      Issue.record("inferred")
    } catch {
      #expect(
        error.diagnostics.map(\.code).sorted() == [
          "inference.abstract-entity", "inference.attribute-type", "inference.attribute-type",
        ])
    }
  }

  @Test func `Core Data infers types with the same column type that are at least as wide`() {
    let numbers: [AttributeType] = [.boolean, .integer16, .integer32, .integer64, .decimal, .float, .double]
    let types = numbers + [.string, .date, .uri, .uuid, .binaryData, .transformable]
    var widened: [String] = []
    for old in types {
      for new in types where old != new {
        let entity = { (type: AttributeType) in
          ManagedObjectModel(entities: [
            EntityDescription(name: "E", attributes: [AttributeDescription(name: "a", type: type)])
          ])
        }
        if MappingModel.inferring(from: entity(old), to: entity(new)).refusals.isEmpty {
          widened.append("\(old.modelName) → \(new.modelName)")
          #expect(AttributeCopy(from: old, to: new) == .exact)
        }
      }
    }
    #expect(
      widened == [
        "Boolean → Integer 16", "Boolean → Integer 32", "Boolean → Integer 64", "Integer 16 → Integer 32",
        "Integer 16 → Integer 64", "Integer 32 → Integer 64", "Float → Double",
      ])
  }
}
