import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import Testing

/// Mistakes in Xcode's mapping models that do no harm, and their remedies.
@Suite struct XcodeSeverityTests {
  /// Players of teams, each team with a captain.
  private static let model = ManagedObjectModel(
    name: "League",
    entities: [
      EntityDescription(
        name: "Player", attributes: [AttributeDescription(name: "name", type: .string)],
        relationships: [
          RelationshipDescription(name: "team", destinationEntityName: "Team", inverseName: "players", maxCount: 1)
        ]),
      EntityDescription(
        name: "Team", attributes: [AttributeDescription(name: "name", type: .string)],
        relationships: [
          RelationshipDescription(name: "players", destinationEntityName: "Player", inverseName: "team")
        ]),
    ])

  private static func through(_ mapping: String, _ objects: String) throws -> MappingExpression {
    try MappingExpression(
      parsing:
        "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', '\(mapping)', \(objects))")
  }

  private static func entity(
    _ source: String?, _ destination: String, _ name: MappingExpression, _ link: (String, MappingExpression?)
  ) -> EntityMappingDescription {
    var mapping = EntityMappingDescription(source: source, destination: destination)
    mapping.propertyMappings = [
      .init(.attribute, name: "name", source: .expression(name)),
      .init(.relationship, name: link.0, source: link.1.map { .expression($0) } ?? .unmapped),
    ]
    return mapping
  }

  private static func check(
    _ mappings: [EntityMappingDescription], isXcodes: Bool, counts: [String: Int]? = nil
  ) -> [Diagnostic] {
    var mapping = MappingModel(entityMappings: mappings)
    if isXcodes { (mapping.copying, mapping.unmentionedEntities) = (.listed, .dropped) }
    return mapping.complete(from: model, to: model).check(MappingCheckEnvironment(objectCounts: counts))
  }

  private static let players = "$source.players"

  @Test func `a relationship through an unrelated entity mapping is a warning where the inverse fills it`() throws {
    let name = try MappingExpression(parsing: "$source.name")
    func check(isXcodes: Bool, teamIsFilled: Bool, counts: [String: Int]? = nil) throws -> [String] {
      let team = try teamIsFilled ? Self.through("TeamToTeam", "$source.team") : nil
      return Self.check(
        [
          Self.entity("Player", "Player", name, ("team", team)),
          Self.entity("Team", "Team", name, ("players", try Self.through("TeamToTeam", Self.players))),
        ], isXcodes: isXcodes, counts: counts
      ).filter { $0.code == "mapping.unrelated-entity-mapping" }.map { "\($0.severity): \($0.problem)" }
    }
    let problem =
      "relationship 'players' of entity mapping 'TeamToTeam' refers to entity mapping 'TeamToTeam', which creates 'Team' "
      + "objects instead of 'Player' objects"
    let takes =
      "relationship 'players' of entity mapping 'TeamToTeam' refers to entity mapping 'TeamToTeam', which expects 'Team' "
      + "objects but gets 'Player' objects"
    let found = try check(isXcodes: true, teamIsFilled: true)
    #expect(!found.isEmpty)
    for text in found {
      #expect(text.hasPrefix("warning: "))
      #expect([problem, takes].contains { text.contains($0) })
      #expect(text.hasSuffix("; its inverse 'team' fills it"))
    }
    #expect(
      try check(isXcodes: true, teamIsFilled: false, counts: ["Player": 3, "Team": 1]).allSatisfy {
        $0.hasPrefix("error: ")
      })
    #expect(try check(isXcodes: false, teamIsFilled: true).allSatisfy { $0.hasPrefix("error: ") })
  }

  @Test func `an expression that Core Data never evaluates is a warning`() throws {
    let bare = try MappingExpression(parsing: "name")
    func check(source: String?, isXcodes: Bool) -> [String] {
      Self.check([Self.entity(source, "Team", bare, ("players", nil))], isXcodes: isXcodes)
        .filter { $0.code == "expression.bare-key" }.map { "\($0.severity): \($0.problem)" }
    }
    let problem = "key path 'name' does not start at an object"
    #expect(
      check(source: nil, isXcodes: true) == [
        "warning: \(problem); it is never evaluated, because the entity mapping has no source entity"
      ])
    #expect(check(source: "Team", isXcodes: true) == ["error: \(problem)"])
    #expect(check(source: nil, isXcodes: false) == ["error: \(problem)"])
  }

  @Test func `a remedy that Xcode's file cannot hold says to convert the mapping first`() {
    var mapping = MappingModel(
      copying: .listed, unmentionedEntities: .dropped, entityMappings: [.init(source: "Team", destination: "Team")])
    mapping.entityMappings[0].propertyMappings = [.init(.relationship, name: "players")]
    func remedies(_ mapping: MappingModel) -> [String] {
      mapping.complete(from: Self.model, to: Self.model).check().filter { $0.code == "mapping.no-fitting-mapping" }
        .compactMap(\.remedy)
    }
    let remedy =
      "write '<entity-mapping source=\"Player\" destination=\"Player\"/>', or 'copy=\"no\"' to discard the relationship"
    #expect(remedies(mapping) == ["convert the mapping with 'heavylift convert' first, then \(remedy)"])
  }

  @Test func `leaving a mandatory property out is not offered`() {
    var model = Self.model
    model.entities[1].relationships[0].isOptional = false
    model.entities[1].relationships[0].minCount = 1
    var mapping = MappingModel(
      copying: .listed, unmentionedEntities: .dropped, entityMappings: [.init(source: "Team", destination: "Team")])
    mapping.entityMappings[0].propertyMappings = [.init(.relationship, name: "players")]
    let remedies = mapping.complete(from: model, to: model).check().compactMap(\.remedy)
    #expect(!remedies.isEmpty)
    #expect(!remedies.contains { $0.contains("copy=") }, "\(remedies)")
  }
}
