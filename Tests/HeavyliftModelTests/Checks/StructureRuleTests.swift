import HeavyliftModel
import Testing

@Suite struct StructureRuleTests {
  private static let book = EntityDescription.of(
    "Book", AttributeDescription(name: "title", type: .string),
    AttributeDescription(name: "draft", type: .string, isTransient: true),
    relationships: [.toMany("related", "Book", inverse: "related"), .toOne("twin", "Book", inverse: "twin")])

  private static func model(_ change: (inout EntityDescription) -> Void) -> ManagedObjectModel {
    var novel = EntityDescription.of("Novel", AttributeDescription(name: "genre", type: .string), parent: "Book")
    change(&novel)
    return ManagedObjectModel(entities: [book, novel])
  }

  static let cases: [RuleCase] = [
    RuleCase(
      "uniqueness constraints",
      model {
        $0.uniquenessConstraints = [
          .init([], markup: .line(1)), .init(["gener"], markup: .line(2)), .init(["draft"], markup: .line(3)),
          .init(["related"], markup: .line(4)), .init(["genre", "genre"], markup: .line(5)),
          .init(["title"], markup: .line(6)), .init(["genre"], markup: .line(7)),
        ]
      },
      says: """
        contents:1:5: error[model.uniqueness-constraint]: a uniqueness constraint of entity 'Novel' has no properties
          name the properties that must be unique together, or remove the constraint
        """,
      """
      contents:2:5: error[model.uniqueness-constraint]: a uniqueness constraint of entity 'Novel' includes 'gener', which \
      the entity does not have
        did you mean 'genre'?
      """,
      """
      contents:3:5: error[model.uniqueness-constraint]: a uniqueness constraint of entity 'Novel' includes 'draft', which \
      is transient
        use a stored attribute or to-one relationship
      """,
      """
      contents:4:5: error[model.uniqueness-constraint]: a uniqueness constraint of entity 'Novel' includes 'related', which \
      is a to-many relationship
        use a stored attribute or to-one relationship
      """,
      """
      contents:5:5: warning[model.uniqueness-constraint]: a uniqueness constraint of entity 'Novel' has 'genre' twice
        remove one of them
      """,
      """
      contents:6:5: warning[model.uniqueness-constraint]: a uniqueness constraint of entity 'Novel' includes 'title', which \
      is inherited from entity 'Book'
        declare the constraint in entity 'Book'
      """,
      """
      contents:7:5: warning[model.uniqueness-constraint]: a uniqueness constraint of entity 'Novel' on 'genre' is \
      declared more than once
        remove one of them
      """),
    RuleCase(
      "fetch indexes",
      model {
        $0.fetchIndexes = [
          FetchIndexDescription(name: "good", elements: [.init(propertyName: "twin"), .init(propertyName: "title")]),
          FetchIndexDescription(name: "good", elements: [.init(propertyName: nil, expression: "length(title)")]),
          FetchIndexDescription(name: "none", elements: [], markup: .line(3)),
          FetchIndexDescription(
            name: "bad",
            elements: [
              .init(propertyName: "titel", markup: .line(4, ("property", "titel"))), .init(propertyName: nil),
              .init(propertyName: "related"), .init(propertyName: "relatde", markup: .line(5, ("property", "relatde"))),
            ]),
        ]
      },
      says: """
        contents:3:5: warning[model.fetch-index]: fetch index 'none' of entity 'Novel' has no elements
          name the properties to index, or remove the index
        """,
      """
      contents:4:10: error[model.fetch-index]: fetch index 'bad' of entity 'Novel' includes 'titel', which the entity does \
      not have
        did you mean 'title'?
      """,
      """
      contents:5:10: error[model.fetch-index]: fetch index 'bad' of entity 'Novel' includes 'relatde', which the entity \
      does not have
        available: 'genre', 'title', 'twin'
      """,
      """
      error[model.duplicate-fetch-index]: fetch index 'good' of entity 'Novel' is declared more than once
        rename or remove one of them
      """,
      """
      warning[model.fetch-index]: fetch index 'bad' of entity 'Novel' has an element with neither a property nor an \
      expression
        name a property, or remove the element
      """,
      """
      warning[model.fetch-index]: fetch index 'bad' of entity 'Novel' includes 'related', which is a to-many relationship
        use a stored attribute or to-one relationship
      """),
    RuleCase(
      "compound indexes", model { $0.compoundIndexes = [["title", "gen"], ["draft"]] },
      says: """
        warning[model.compound-index]: a compound index of entity 'Novel' includes 'draft', which is transient
          use a stored attribute or to-one relationship
        """,
      """
      warning[model.compound-index]: a compound index of entity 'Novel' includes 'gen', which the entity does not have
        available: 'genre', 'title', 'twin'
      """),
    RuleCase(
      "configurations",
      ManagedObjectModel(
        entities: [book],
        configurations: [
          ConfigurationDescription(name: "Cloud", entityNames: ["Book", "Boko"], markup: .line(3)),
          ConfigurationDescription(name: "Cloud", entityNames: [], markup: .line(5, ("name", "Cloud"))),
        ]),
      says: """
        contents:3:5: warning[model.configuration-entity]: configuration 'Cloud' has entity 'Boko', which the model does \
        not have
          did you mean 'Book'?
        """,
      """
      contents:5:10: error[model.duplicate-configuration]: configuration 'Cloud' is declared more than once
        rename one of them, or put all entities into the other
      """),
    RuleCase(
      "fetch requests",
      ManagedObjectModel(
        entities: [
          EntityDescription(
            name: "Book",
            fetchedProperties: [
              FetchedPropertyDescription(name: "none", fetchRequest: nil, markup: .line(2)),
              FetchedPropertyDescription(
                name: "recent", fetchRequest: FetchRequestDescription(name: "f", entityName: "Magazine"),
                markup: .line(3)),
            ])
        ],
        fetchRequestTemplates: [
          FetchRequestDescription(name: "all", entityName: nil, markup: .line(5)),
          FetchRequestDescription(
            name: "all", entityName: "Book", fetchLimit: -1, markup: .line(6, ("name", "all"), ("fetchLimit", "-1"))),
        ]),
      says: """
        contents:2:5: warning[model.fetched-property-without-request]: fetched property 'none' of entity 'Book' has no \
        fetch request, so it is always empty
          give it a fetch request, or remove it
        """,
      """
      contents:3:5: error[model.fetch-request-entity]: fetched property 'recent' of entity 'Book' fetches entity \
      'Magazine', which the model does not have
        available: 'Book'
      """,
      """
      contents:5:5: error[model.fetch-request-entity]: fetch request template 'all' does not say which entity it fetches
        name the entity to fetch
      """,
      """
      contents:6:10: error[model.duplicate-fetch-request]: fetch request template 'all' is declared more than once
        rename or remove one of them
      """,
      """
      contents:6:20: error[model.fetch-request-limits]: fetch request template 'all' has a fetchLimit of -1
        write a count of 0 or more; 0 means no limit
      """),
  ]

  @Test(arguments: cases) func `a check of constraints, indexes, configurations and fetches`(_ example: RuleCase) {
    example.check()
  }
}
