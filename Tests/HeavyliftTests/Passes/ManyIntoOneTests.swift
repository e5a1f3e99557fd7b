import Foundation
import Heavylift
import Testing

/// A one-to-many becomes a one-to-one: downgrading an account that may have several cards.
@Suite struct ManyIntoOneTests {
  private static func model(isToMany: Bool, isOrdered: Bool = false) -> ManagedObjectModel {
    ManagedObjectModel(
      name: isToMany ? "Many" : "One",
      entities: [
        EntityDescription(
          name: "Account", attributes: [Models.attribute("name", .string)],
          relationships: [
            isToMany
              ? Models.toMany("cards", "Card", "account", isOrdered: isOrdered)
              : Models.toOne("card", "Card", "account")
          ]),
        EntityDescription(
          name: "Card", attributes: [Models.attribute("number", .string), Models.attribute("isMain", .boolean)],
          relationships: [Models.toOne("account", "Account", isToMany ? "cards" : "card")]),
      ])
  }

  private static func test(cards: [[Bool]], isOrdered: Bool = false) throws -> MigrationTest {
    try MigrationTest(
      from: model(isToMany: true, isOrdered: isOrdered), to: model(isToMany: false),
      policies: PolicyRegistry(MainCard.self)
    ) { context in
      for (index, own) in cards.enumerated() {
        let account = try context.insert("Account")
        account["name"] = .string("A\(index + 1)")
        for isMain in own {
          let card = try context.insert("Card")
          card["isMain"] = .bool(isMain)
          try account.add(card, to: "cards", at: isOrdered ? 0 : nil)
        }
      }
    }
  }

  private static func mapping(
    _ properties: PropertyMappingDescription..., cards: [PropertyMappingDescription] = [], policy: String? = nil
  ) -> MappingModel {
    MappingModel(entityMappings: [
      EntityMappingDescription(source: "Account", destination: "Account", policy: policy, properties: properties),
      EntityMappingDescription(source: "Card", destination: "Card", properties: cards),
    ])
  }

  private static func expression(_ objects: String) throws -> PropertyMappingDescription {
    .relationship(
      "card",
      try MappingExpression(
        parsing: """
          FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "CardToCard", \(objects))
          """))
  }

  private static let left = PropertyMappingDescription(.relationship, name: "account", source: .unmapped)

  private static func warnings(_ mapping: MappingModel) -> [String] {
    mapping.complete(from: model(isToMany: true), to: model(isToMany: false)).check()
      .filter { $0.severity != .note }.map(\.description)
  }

  @Test(arguments: [false, true], [false, true])
  func `one of several is chosen`(isOrdered: Bool, forcesObjects: Bool) throws {
    var ways = [
      Self.mapping(try Self.expression("SUBQUERY($source.cards, $c, $c.isMain == YES)"), cards: [Self.left]),
      Self.mapping(.init(.relationship, name: "card", source: .unmapped), cards: [Self.left], policy: "MainCard"),
    ]
    // The main card was placed first.
    if isOrdered { ways.append(Self.mapping(try Self.expression("$source.cards[FIRST]"), cards: [Self.left])) }
    for way in ways {
      let test = try Self.test(cards: [[false, true], [], [false, false, true]], isOrdered: isOrdered)
      var options = MigrationOptions()
      options.forcesObjects = forcesObjects
      try test.migrate(way, options: options)
      #expect(
        try test.lines("Account", "card") == [
          "Account/p1 card=Card/p2", "Account/p2 card=nil", "Account/p3 card=Card/p5",
        ])
      #expect(
        try test.lines("Card", "account") == [
          "Card/p1 account=nil", "Card/p2 account=Account/p1", "Card/p3 account=nil", "Card/p4 account=nil",
          "Card/p5 account=Account/p3",
        ])
    }
  }

  @Test(arguments: [false, true])
  func `a single object is migrated, and several are reported`(forcesObjects: Bool) throws {
    let mapping = Self.mapping(
      .relationship("card", from: try MappingExpression(parsing: "$source.cards")), cards: [Self.left])
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    let single = try Self.test(cards: [[true], [], [false]])
    try single.migrate(mapping, options: options)
    #expect(
      try single.lines("Account", "card") == [
        "Account/p1 card=Card/p1", "Account/p2 card=nil", "Account/p3 card=Card/p2",
      ])
    let several = try Self.test(cards: [[true], [], [true, false]])
    #expect(
      several.failure { try several.migrate(mapping, options: options) }?.description == """
        error[migration.1550]: entity mapping 'AccountToAccount', property 'card', object 'Account/p3': relationship \
        'card' is to-one, but its expression gives 2 objects
          write an expression that gives one object, or none
        """)
  }

  /// Rows on both sides alone do not mean that a link would be lost.
  @Test func `an Xcode mapping is refused only for a store that would lose links`() throws {
    var one = Self.model(isToMany: false)
    one.entities[0].relationships[0].renamingIdentifier = "cards"
    let mapping = MappingModel(
      copying: .everything, unmentionedEntities: .dropped,
      entityMappings: [
        EntityMappingDescription(source: "Account", destination: "Account"),
        EntityMappingDescription(source: "Card", destination: "Card", properties: [Self.left]),
      ])
    for isLinked in [false, true] {
      let test = try MigrationTest(from: Self.model(isToMany: true), to: one) { context in
        let (account, card) = (try context.insert("Account"), try context.insert("Card"))
        if isLinked { try account.add(card, to: "cards") }
      }
      if isLinked {
        let error = test.failure { try test.migrate(mapping) }
        #expect((error?.underlying as? DiagnosticList)?.diagnostics.map(\.code) == ["mapping.many-into-one"])
      } else {
        try test.migrate(mapping)
        #expect(try test.lines("Account", "card") == ["Account/p1 card=nil"])
      }
    }
  }

  @Test func `the check reports that only the last one keeps its object`() throws {
    let warning = """
      warning[mapping.narrowed-inverse]: the migration fails if objects share a target through \
      relationship 'account' of entity mapping 'CardToCard': its inverse 'card' is to-one, but was to-many ('cards') \
      in the source
        choose one owner in the mapping of the inverse and write 'copy="no"' here, choose it in a policy, or write \
      'shared="last"' if the last owner should keep the target
      """
    #expect(Self.warnings(Self.mapping()) == [warning])
    #expect(Self.warnings(Self.mapping(cards: [.relationship("account", through: "AccountToAccount")])) == [warning])
    #expect(Self.warnings(Self.mapping(cards: [Self.left])) == [])
    #expect(Self.warnings(Self.mapping(policy: "MainCard")) == [warning])
    let test = try Self.test(cards: [[false, true], [true]])
    #expect(
      test.failure { try test.migrate(Self.mapping()) }?.problem
        == "1 link of relationship 'Card.account' would be lost: in the destination, 'Account.card' allows each object "
        + "only one owner, but in the source 1 object is shared: Account/p1 by 2 owners")
    try test.migrate(
      Self.mapping(
        cards: [PropertyMappingDescription(.relationship, name: "account", leavesSharedToLast: true)]))
    #expect(
      try test.lines("Card", "account") == [
        "Card/p1 account=nil", "Card/p2 account=Account/p1", "Card/p3 account=Account/p2",
      ])
  }
}

private final class MainCard: EntityMigrationPolicy {
  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let source = try manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [destination])[0]
    let main = source[toMany: "cards"].filter { $0["isMain"] == true }
    destination[toOne: "card"] =
      try manager.destinationInstances(
        forEntityMappingName: "CardToCard", sourceInstances: main
      ).first
  }
}
