import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftTestSupport

@testable import Heavylift
@testable import HeavyliftStore

/// Two models, a store and a mapping, all generated from a seed.
struct GeneratedMigration {
  let old: ManagedObjectModel
  let new: ManagedObjectModel
  let mapping: MappingModel
  private var random: SeededGenerator
  private var photos: SeededGenerator

  private static let types: [(name: String, type: AttributeType)] = [
    ("text", .string), ("count", .integer64), ("small", .integer16), ("ratio", .double), ("when", .date),
    ("flag", .boolean), ("price", .decimal), ("ident", .uuid), ("blob", .binaryData), ("place", .uri),
  ]

  /// Expressions over the generated attributes.
  private static let expressions = [
    "$source.text", "$source.count", "$source.ratio", "$source.flag", "$source.price", "$source.when", "$source.small",
    "$source.count * 2", "$source.ratio / 2", "$source.ratio / $source.count", "uppercase:($source.text)",
    "TERNARY($source.count > 3, $source.count, 0)", "TERNARY($source.flag == YES, 'yes', $source.text)",
    "CAST($source.count, 'NSString')", "$source.when + 60", "7", "'word'", "YES", "'12'", "1.5", "nil",
    "$source.album.name", "$source.album.year + 1", "$source.tags.@count", "$source.cover.size", "$source.price + 1",
    "sqrt:($source.ratio)", "$source.ident", "$source.blob", "$source.place", "modulus:by:($source.count, 3)",
  ]

  private static let fittingExpressions: [AttributeType: [String]] = [
    .string: [
      "$source.text", "uppercase:($source.text)", "TERNARY($source.flag == YES, 'yes', $source.text)", "'word'",
      "CAST($source.count, 'NSString')", "$source.album.name", "$source.text", "nil",
    ],
    .integer64: [
      "$source.small", "$source.count * 2", "TERNARY($source.count > 3, $source.count, 0)", "'12'", "7",
      "$source.album.year + 1", "$source.tags.@count", "$source.cover.size", "$source.flag",
    ],
    .integer16: ["$source.count", "$source.small + 1", "modulus:by:($source.count, 3)", "$source.tags.@count"],
    .double: [
      "$source.ratio / 2", "$source.count", "1.5", "sqrt:($source.ratio)", "$source.ratio / $source.count",
      "$source.small",
      "$source.ratio + $source.cover.size",
    ],
    .date: ["$source.when + 60", "nil", "$source.when"], .boolean: ["YES", "$source.flag", "'no'"],
    .decimal: ["$source.price + 1", "$source.count", "1.5", "$source.flag"], .uuid: ["$source.ident"],
    .binaryData: ["$source.blob"], .uri: ["$source.place"],
  ]

  private static let filters = [
    "count > 2", "flag == YES", "text BEGINSWITH 'a'", "album != nil", "album.name == 'b'", "tags.@count > 0",
    "ratio < 0.5 OR count == nil", "ANY tags.name == 'a'", "text MATCHES '[ab].*'",
  ]

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    let isOrdered = Bool.random(using: &random)
    // Mostly values that stay in files; sometimes ones that move into the row or out of it.
    var photos = SeededGenerator(seed: seed &+ 3_000)
    let isExternal = (0..<2).map { _ in Int.random(in: 0..<4, using: &photos) > 0 }
    self.photos = photos
    old = Self.model("Old", Self.types, isOrdered: isOrdered, isExternal: isExternal[0])
    var types = Self.types
    for index in types.indices where Int.random(in: 0..<6, using: &random) == 0 {
      types[index].type = Self.widened(types[index].type)
    }
    new = Self.model("New", types, isOrdered: Int.random(in: 0..<3, using: &random) > 0, isExternal: isExternal[1])
    var mappings: [EntityMappingDescription] = []
    for entity in ["Track", "Special", "Album", "Cover", "Tag"] where Int.random(in: 0..<12, using: &random) > 0 {
      mappings.append(try Self.entityMapping(entity, entity, types, &random))
      if Int.random(in: 0..<6, using: &random) == 0 {
        mappings.append(try Self.entityMapping(entity, entity, types, &random, name: "Second\(entity)"))
      }
    }
    if Bool.random(using: &random) {
      // Splits an object into two that refer to each other, or only one to the other.
      let ends = Int.random(in: 0..<3, using: &random)
      var notes: [PropertyMappingDescription] = [
        .attribute("text", try MappingExpression(parsing: "$source.text"))
      ]
      if ends != 1 { notes.append(.relationship("track", try Self.made(through: "TrackToTrack"))) }
      mappings.append(
        EntityMappingDescription(name: "Notes", source: "Track", destination: "Note", properties: notes))
      if ends != 2, let place = mappings.firstIndex(where: { $0.name == "TrackToTrack" }) {
        mappings[place].propertyMappings.append(.relationship("note", try Self.made(through: "Notes")))
      }
    }
    if seed % 2 == 1 {
      // A policy that watches, and sets what mappings set, too.
      let names = PolicyRegistry(LawPolicy.self).names
      for place in mappings.indices where Int.random(in: 0..<3, using: &random) == 0 {
        mappings[place].policyClassName = names.first
        mappings[place].userInfo = ["way": "\(Int.random(in: 0..<5, using: &random))"]
      }
    }
    mapping = MappingModel(copying: .everything, entityMappings: mappings.shuffled(using: &random))
      .declaringLosses(of: old)
  }

  /// A chain of versions with mappings between them, and the contents of the first.
  static func chain(seed: UInt64, hops: Int) throws -> (
    models: [ManagedObjectModel], mappings: [MappingModel], first: GeneratedMigration
  ) {
    var random = SeededGenerator(seed: seed &+ 7_000)
    var photos = SeededGenerator(seed: seed &+ 4_000)
    func isExternal() -> Bool { Int.random(in: 0..<6, using: &photos) > 0 }
    var types = Self.types
    var models = [model("V0", types, isOrdered: false, isExternal: isExternal())]
    var mappings: [MappingModel] = []
    for hop in 1...hops {
      let old = Dictionary(types.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
      for index in types.indices where Int.random(in: 0..<12, using: &random) == 0 {
        types[index].type = widened(types[index].type)
      }
      let computable = Set(types.filter { $0.type == old[$0.name] }.map(\.name))
      let next = model("V\(hop)", types, isOrdered: false, isExternal: isExternal())
      models.append(constrained(next, &random))
      var entities: [EntityMappingDescription] = []
      for entity in ["Track", "Special", "Album", "Cover", "Tag"] where Int.random(in: 0..<20, using: &random) > 0 {
        // Mostly mappings that SQL can run: a chain of others is written hop by hop, and tests little here.
        let isWild = Int.random(in: 0..<60, using: &random) == 0
        entities.append(
          isWild
            ? try entityMapping(entity, entity, types, &random)
            : try tameMapping(entity, types, computable, &random))
        if Int.random(in: 0..<30, using: &random) == 0 {
          entities.append(try tameMapping(entity, types, [], &random, name: "Second\(entity)", isAlone: true))
        }
      }
      // Both ends of a relationship, or neither.
      let pairs = [("album", "tracks"), ("cover", "owner"), ("partner", "partner")]
      for (name, inverse) in pairs where Int.random(in: 0..<20, using: &random) == 0 {
        for place in entities.indices {
          let isTrack = ["Track", "Special"].contains(entities[place].sourceEntityName)
          let isOther = entities[place].sourceEntityName == ["album": "Album", "cover": "Cover"][name]
          guard isTrack || isOther else { continue }
          entities[place].propertyMappings.append(
            PropertyMappingDescription(.relationship, name: isTrack ? name : inverse, source: .unmapped))
        }
      }
      mappings.append(
        MappingModel(
          source: ModelReference(name: "V\(hop - 1)"), destination: ModelReference(name: "V\(hop)"),
          copying: .everything, entityMappings: entities.shuffled(using: &random)
        ).declaringLosses(of: models[hop - 1]))
    }
    return (models, mappings, try GeneratedMigration(seed: seed))
  }

  /// Copies, constants, computed values and filters that only use the object itself.
  private static func tameMapping(
    _ entity: String, _ types: [(name: String, type: AttributeType)], _ same: Set<String>,
    _ random: inout SeededGenerator, name: String? = nil, isAlone: Bool = false
  ) throws -> EntityMappingDescription {
    let computed: [String: [String]] = [
      "text": ["uppercase:($source.text)", "TERNARY($source.flag == YES, 'it''s ?', $source.text)", "'word'", "nil"],
      "count": ["TERNARY($source.count > 3, $source.count, 0)", "$source.count * 2", "7", "nil"],
      "ratio": ["$source.ratio / 2", "sqrt:($source.ratio)", "1.5", "0.1", "$source.ratio * -1"],
      "when": ["$source.when + 60", "$source.when"], "flag": ["YES", "$source.flag"],
      "small": ["$source.small + 1", "modulus:by:($source.small, 3)"], "price": ["$source.price", "1.5"],
    ]
    var properties: [PropertyMappingDescription] = []
    if ["Track", "Special"].contains(entity) {
      for (name, _) in types where same.contains(name) && Int.random(in: 0..<5, using: &random) == 0 {
        guard let text = computed[name]?.randomElement(using: &random) else { continue }
        let parsed = try MappingExpression(parsing: text.replacing("''", with: ""))
        properties.append(.attribute(name, parsed))
      }
    }
    if isAlone {
      let relationships = [
        "Track": [
          "album", "cover", "tags", "origin", "likes", "partner", "note", "next", "previous", "parent", "children",
        ], "Album": ["tracks"],
        "Cover": ["owner"], "Tag": ["tracks"],
      ]
      for name in relationships[entity == "Special" ? "Track" : entity] ?? [] {
        properties.append(PropertyMappingDescription(.relationship, name: name, source: .unmapped))
      }
    }
    var filter: MappingPredicate?
    if ["Track", "Special"].contains(entity), Int.random(in: 0..<4, using: &random) == 0 {
      let filters = ["small > 0", "text BEGINSWITH 'a'", "text != nil", "album != nil", "text MATCHES '[ab].*'"]
      filter = try MappingPredicate(parsing: filters.randomElement(using: &random) ?? "TRUEPREDICATE")
    }
    return EntityMappingDescription(
      name: name, source: entity, destination: entity, filter: filter, properties: properties)
  }

  /// Adds rules to some attributes.
  private static func constrained(_ model: ManagedObjectModel, _ random: inout SeededGenerator) -> ManagedObjectModel {
    var model = model
    for entity in model.entities.indices where model.entities[entity].superentityName == nil {
      for place in model.entities[entity].attributes.indices where Int.random(in: 0..<250, using: &random) == 0 {
        model.entities[entity].attributes[place].isOptional = false
      }
      if Int.random(in: 0..<120, using: &random) == 0, let place = model.entities[entity].relationships.indices.last {
        model.entities[entity].relationships[place].isOptional = false
      }
      if Int.random(in: 0..<120, using: &random) == 0, let name = model.entities[entity].attributes.first?.name {
        model.entities[entity].uniquenessConstraints = [.init([name])]
      }
    }
    return model
  }

  private static func made(through name: String) throws -> MappingExpression {
    try MappingExpression(
      parsing: "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', '\(name)', $source)")
  }

  /// A type that can hold all values of another, or most.
  private static func widened(_ type: AttributeType) -> AttributeType {
    switch type {
    case .integer16: .integer64
    case .integer64: .double
    case .boolean: .integer16
    case .double: .decimal
    default: type
    }
  }

  private static func entityMapping(
    _ source: String, _ destination: String, _ types: [(name: String, type: AttributeType)],
    _ random: inout SeededGenerator, name: String? = nil
  ) throws -> EntityMappingDescription {
    var properties: [PropertyMappingDescription] = []
    let isTrack = source == "Track" || source == "Special"
    if isTrack {
      for (name, type) in types where Int.random(in: 0..<4, using: &random) == 0 {
        // Mostly an expression of the attribute's type: a migration that fails tests little.
        let fitting = Int.random(in: 0..<25, using: &random) == 0 ? nil : fittingExpressions[type]
        let text = (fitting ?? expressions).randomElement(using: &random) ?? "nil"
        properties.append(.attribute(name, try MappingExpression(parsing: text)))
      }
    }
    let relationships: [String: [String]] = [
      "Track": [
        "album", "cover", "tags", "origin", "likes", "partner", "next", "previous", "parent", "children", "friends",
      ],
      "Album": ["tracks"], "Cover": ["owner"],
      "Tag": ["tracks"],
    ]
    for name in relationships[isTrack ? "Track" : source] ?? [] where Int.random(in: 0..<6, using: &random) == 0 {
      properties.append(PropertyMappingDescription(.relationship, name: name, source: .unmapped))
    }
    var filter: MappingPredicate?
    if isTrack, Int.random(in: 0..<3, using: &random) == 0 {
      filter = try MappingPredicate(parsing: filters.randomElement(using: &random) ?? "TRUEPREDICATE")
    }
    return EntityMappingDescription(
      name: name, source: source, destination: destination, filter: filter, properties: properties)
  }

  private static func model(
    _ name: String, _ types: [(name: String, type: AttributeType)], isOrdered: Bool, isExternal: Bool
  ) -> ManagedObjectModel {
    var photo = Models.attribute("photo", .binaryData)
    photo.allowsExternalBinaryDataStorage = isExternal
    let defaults: [AttributeType: Value] = [
      .string: "none", .integer64: 5, .date: .date(Date(timeIntervalSince1970: 0)),
    ]
    return ManagedObjectModel(
      name: name,
      entities: [
        EntityDescription(
          name: "Track",
          attributes: types.map { Models.attribute($0.name, $0.type) }
            + [
              photo, Models.attribute("fresh\(name)", .string, default: defaults[.string] ?? .null),
              Models.attribute("date\(name)", .date, default: defaults[.date] ?? .null),
            ],
          relationships: [
            Models.toOne("album", "Album", "tracks"), Models.toOne("cover", "Cover", "owner"),
            Models.toMany("tags", "Tag", "tracks", isOrdered: isOrdered), Models.toOne("origin", "Tag"),
            Models.toMany("likes", "Tag"),
            Models.toOne("partner", "Track", "partner"), Models.toOne("note", "Note", "track"),
            Models.toOne("next", "Track", "previous"), Models.toOne("previous", "Track", "next"),
            Models.toOne("parent", "Track", "children"),
            Models.toMany("children", "Track", "parent", isOrdered: isOrdered),
            Models.toMany("friends", "Track", "friends", isOrdered: isOrdered),
          ]),
        EntityDescription(
          name: "Note", attributes: [Models.attribute("text", .string)],
          relationships: [Models.toOne("track", "Track", "note")]),
        EntityDescription(name: "Special", superentityName: "Track", attributes: [Models.attribute("extra", .string)]),
        EntityDescription(
          name: "Album", attributes: [Models.attribute("name", .string), Models.attribute("year", .integer32)],
          relationships: [Models.toMany("tracks", "Track", "album", isOrdered: isOrdered)]),
        EntityDescription(
          name: "Cover", attributes: [Models.attribute("size", .integer32)],
          relationships: [Models.toOne("owner", "Track", "cover")]),
        EntityDescription(
          name: "Tag", attributes: [Models.attribute("name", .string)],
          relationships: [Models.toMany("tracks", "Track", "tags")]),
      ])
  }

  /// Fills a store.
  mutating func fill(_ context: ManagedObjectContext) throws {
    var (tracks, albums, covers, tags): ([ManagedObject], [ManagedObject], [ManagedObject], [ManagedObject]) =
      ([], [], [], [])
    let words = ["a", "b", "ab", "é", "", "12", "B"]
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let album = try context.insert("Album")
      album["name"] = .string(words.randomElement(using: &random) ?? "")
      if Bool.random(using: &random) { album["year"] = .integer(.random(in: 1990...2020, using: &random)) }
      albums.append(album)
      let tag = try context.insert("Tag")
      tag["name"] = .string(words.randomElement(using: &random) ?? "")
      tags.append(tag)
      let cover = try context.insert("Cover")
      cover["size"] = .integer(.random(in: 0...9, using: &random))
      covers.append(cover)
    }
    for count in 0..<Int.random(in: 0...12, using: &random) {
      let track = try context.insert(Int.random(in: 0..<3, using: &random) == 0 ? "Special" : "Track")
      for (name, type) in Self.types where Int.random(in: 0..<4, using: &random) > 0 {
        track[name] = value(type, words)
        if name == "blob" {
          // Sizes on both sides of the threshold for external files.
          let size = [0, 5, 102_399, 102_400, 102_401, 102_500].randomElement(using: &photos) ?? 0
          track["photo"] = .data(Data(repeating: UInt8(count), count: size))
        }
      }
      if Bool.random(using: &random) { try track.setObject(albums.randomElement(using: &random), forKey: "album") }
      if Bool.random(using: &random) { try track.setObject(covers.randomElement(using: &random), forKey: "cover") }
      if Bool.random(using: &random) { try track.setObject(tags.randomElement(using: &random), forKey: "origin") }
      for name in ["tags", "likes"] {
        for tag in tags where Bool.random(using: &random) { try track.add(tag, to: name) }
      }
      for name in ["partner", "next", "parent"] where Bool.random(using: &random) {
        try track.setObject(tracks.randomElement(using: &random), forKey: name)
      }
      for friend in tracks.shuffled(using: &random) where Int.random(in: 0..<4, using: &random) == 0 {
        try track.add(friend, to: "friends")
      }
      tracks.append(track)
    }
    // Shuffles lists, so that keys do not imply their order.
    for (objects, name) in [(albums, "tracks"), (tags, "tracks"), (tracks, "children"), (tracks, "friends")] {
      for object in objects {
        try object.setObjects(object.objects(forKey: name).shuffled(using: &random), forKey: name)
      }
    }
    try context.save()
    for track in tracks where Int.random(in: 0..<5, using: &random) == 0 {
      // A relationship without an inverse keeps its link to a deleted target.
      try context.delete(track)
    }
  }

  private mutating func value(_ type: AttributeType, _ words: [String]) -> Value {
    switch type {
    case .string: .string(words.randomElement(using: &random) ?? "")
    case .uri: .uri("x:\(Int.random(in: 0..<9, using: &random))")
    case .integer64, .integer16: .integer(.random(in: -2...9, using: &random))
    case .double: .double([0, 0.25, 3, -1.5, 1e300, .infinity].randomElement(using: &random) ?? 0)
    case .date: .date(Date(timeIntervalSinceReferenceDate: .random(in: 0...3, using: &random).rounded()))
    case .boolean: .bool(.random(using: &random))
    case .decimal:
      .decimal(
        ["0", "1.10", "12345678901234567890.5"].randomElement(using: &random).flatMap { Decimal(string: $0) } ?? 0)
    case .uuid:
      .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, .random(in: 0...9, using: &random))))
    default: .data(Data((0..<Int.random(in: 0...3, using: &random)).map { UInt8($0) }))
    }
  }
}

extension MappingModel {
  /// The mapping with the answers that the check demands of generated models: attributes that end with a version are
  /// dropped, and second mappings duplicate objects intentionally.
  func declaringLosses(of old: ManagedObjectModel) -> MappingModel {
    var mapping = self
    for place in mapping.entityMappings.indices {
      mapping.entityMappings[place].intendsDuplicates = true
      let ends = [
        mapping.entityMappings[place].sourceEntityName, mapping.entityMappings[place].destinationEntityName,
      ]
      guard ends.allSatisfy({ ["Track", "Special"].contains($0) }) else { continue }
      mapping.entityMappings[place].droppedProperties = ["fresh", "date"].map {
        DroppedProperty($0 + (old.name ?? ""))
      }
    }
    return mapping
  }
}
