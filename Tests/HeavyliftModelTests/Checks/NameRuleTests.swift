import HeavyliftModel
import Testing

@Suite struct NameRuleTests {
  static let cases: [RuleCase] = [
    RuleCase(
      "a tidy model", .of("Book", AttributeDescription(name: "title", type: .string)),
      .of("Ähre", AttributeDescription(name: "größe2_b", type: .string))),
    RuleCase(
      "empty names everywhere",
      ManagedObjectModel(
        entities: [
          EntityDescription(
            name: "",
            attributes: [AttributeDescription(name: "", type: .string, markup: .line(3, ("name", "")))],
            fetchedProperties: [
              FetchedPropertyDescription(
                name: "", fetchRequest: FetchRequestDescription(name: "", entityName: ""), markup: .line(4))
            ],
            fetchIndexes: [
              FetchIndexDescription(name: "", elements: [.init(propertyName: "")], markup: .line(5))
            ], markup: .line(2, ("name", "")))
        ],
        composites: [
          CompositeDescription(
            name: "", elements: [AttributeDescription(name: "", type: .string, markup: .line(7))], markup: .line(6))
        ],
        configurations: [ConfigurationDescription(name: "", entityNames: [], markup: .line(8))],
        fetchRequestTemplates: [FetchRequestDescription(name: "", entityName: "", markup: .line(9))]),
      says: "contents:2:10: error[model.empty-name]: an entity has no name\n  give it a name",
      "contents:3:10: error[model.empty-name]: an attribute of entity '' has no name\n  give it a name",
      "contents:4:5: error[model.empty-name]: a fetched property of entity '' has no name\n  give it a name",
      "contents:5:5: error[model.empty-name]: a fetch index of entity '' has no name\n  give it a name",
      "contents:6:5: error[model.empty-name]: a composite type has no name\n  give it a name",
      "contents:7:5: error[model.empty-name]: an element of composite '' has no name\n  give it a name",
      "contents:8:5: error[model.empty-name]: a configuration has no name\n  give it a name",
      "contents:9:5: error[model.empty-name]: a fetch request template has no name\n  give it a name"),
    RuleCase(
      "names that are no identifiers",
      .of("My Book", AttributeDescription(name: "1st", type: .string, markup: .line(3, ("name", "1st")))),
      .of("Page", AttributeDescription(name: "a.b", type: .string), AttributeDescription(name: "_x", type: .string)),
      says: """
        contents:3:10: error[model.illegal-name]: attribute '1st' of entity 'My Book' has a name that starts with a digit
          start with a letter, followed by letters, digits and underscores
        """,
      """
      warning[model.illegal-name]: attribute '_x' of entity 'Page' has a name that starts with an underscore, which \
      Xcode does not accept
        start with a letter, followed by letters, digits and underscores
      """,
      """
      error[model.illegal-name]: attribute 'a.b' of entity 'Page' has a name with '.' in it
        start with a letter, followed by letters, digits and underscores
      """,
      """
      error[model.illegal-name]: entity 'My Book' has a name with a space in it
        start with a letter, followed by letters, digits and underscores
      """),
    RuleCase(
      "a name that commands the terminal", .of("B\u{1B}[2J"),
      says: """
        error[model.illegal-name]: entity 'B\\u{1b}[2J' has a name with '\\u{1b}' in it
          start with a letter, followed by letters, digits and underscores
        """),
    RuleCase(
      "reserved names",
      .of(
        "Book", AttributeDescription(name: "description", type: .string, markup: .line(3, ("name", "description"))),
        AttributeDescription(name: "deleted", type: .boolean), AttributeDescription(name: "hashValue", type: .string)),
      says: """
        contents:3:10: error[model.reserved-name]: attribute 'description' of entity 'Book' has the same name as a method \
        of every managed object
          choose another name, and keep 'description' as its renaming identifier
        """,
      """
      warning[model.reserved-name]: attribute 'deleted' of entity 'Book' has the same name as a method of every \
      managed object
        choose another name, and keep 'deleted' as its renaming identifier
      """),
    RuleCase(
      "an entity twice",
      EntityDescription(name: "Book", markup: .line(2, ("name", "Book"))),
      EntityDescription(name: "Book", markup: .line(7, ("name", "Book"))),
      says: """
        contents:7:10: error[model.duplicate-entity]: entity 'Book' is declared more than once; the first is on line 2
          rename or remove one of them
        """),
    RuleCase(
      "entities that differ in case", .of("BOOK"), .of("Book"), .of("Shelf"), .of("book", parent: "Shelf"),
      says: """
        error[model.entity-names-differ-in-case]: entity 'Book' differs from entity 'BOOK' only in case, so both would \
        have table 'ZBOOK'
          rename one of them
        """,
      """
      warning[model.entity-names-differ-in-case]: entity 'book' differs from entity 'BOOK' only in case
        rename one of them
      """),
    RuleCase(
      "a property twice",
      EntityDescription(
        name: "Book",
        attributes: [
          AttributeDescription(name: "page", type: .string), AttributeDescription(name: "title", type: .string),
          AttributeDescription(name: "title", type: .date),
        ],
        relationships: [.toOne("page", "Book", inverse: "page")]),
      says: """
        error[model.duplicate-property]: attribute 'title' of entity 'Book' is declared more than once
          rename or remove one of them
        """,
      """
      error[model.duplicate-property]: relationship 'page' of entity 'Book' has the same name as an attribute of the \
      same entity
        rename or remove one of them
      """,
      """
      error[model.unknown-inverse]: relationship 'page' of entity 'Book' has inverse 'page', which is an attribute of \
      entity 'Book'
        name a relationship that leads back
      """),
    RuleCase(
      "properties that differ in case",
      .of(
        "Book", AttributeDescription(name: "name", type: .string), AttributeDescription(name: "Name", type: .string),
        AttributeDescription(name: "NAME", type: .string, isTransient: true)),
      says: """
        warning[model.property-names-differ-in-case]: attribute 'name' of entity 'Book' differs from 'Name' only in \
        case, so both would have column 'ZNAME'
          rename one of them
        """),
    RuleCase(
      "renaming identifiers",
      EntityDescription(
        name: "Author",
        attributes: [
          AttributeDescription(name: "a", type: .string, renamingIdentifier: "x"),
          AttributeDescription(
            name: "b", type: .string, renamingIdentifier: "x", markup: .line(9, ("elementID", "x"))),
          AttributeDescription(name: "c", type: .string, renamingIdentifier: "c"),
        ]),
      EntityDescription(name: "Writer", renamingIdentifier: "Author"),
      says: """
        contents:9:10: warning[model.ambiguous-renaming]: attribute 'b' of entity 'Author' has the same renaming \
        identifier 'x' as 'a'
          keep the identifier only on the entity or property that was renamed
        """,
      """
      warning[model.ambiguous-renaming]: entity 'Writer' has renaming identifier 'Author', but 'Author' still exists
        keep the identifier only on the entity or property that was renamed
      """),
  ]

  @Test(arguments: cases) func `a check of names`(_ example: RuleCase) { example.check() }
}
