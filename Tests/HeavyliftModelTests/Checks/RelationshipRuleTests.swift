import HeavyliftModel
import Testing

@Suite struct RelationshipRuleTests {
  static let cases: [RuleCase] = [
    RuleCase(
      "every kind that is right",
      .of(
        "Book",
        relationships: [
          .toMany("tags", "Tag", inverse: "books", isOrdered: true), .toOne("cover", "Cover", inverse: "book"),
          .toMany("similar", "Book", inverse: "similar"), .toMany("chapters", "Chapter", inverse: "book"),
        ]),
      .of("Tag", relationships: [.toMany("books", "Book", inverse: "tags", isOrdered: true)]),
      .of("Cover", relationships: [.toOne("book", "Book", inverse: "cover", deleteRule: .deny)]),
      .of("Part", relationships: [.toOne("book", "Book", inverse: "chapters")]), .of("Chapter", parent: "Part")),
    RuleCase(
      "an unknown destination",
      .of(
        "Book",
        relationships: [
          .toOne("author", "Autor", inverse: "books", markup: .line(7, ("destinationEntity", "Autor"))),
          .toOne("shelf", nil, inverse: nil, markup: .line(8)),
        ]),
      .of("Author"),
      says: """
        contents:7:10: error[model.unknown-destination]: relationship 'author' of entity 'Book' leads to entity 'Autor', \
        which the model does not have
          did you mean 'Author'?
        """,
      """
      contents:8:5: error[model.missing-destination]: relationship 'shelf' of entity 'Book' has no destination entity
        name the entity that it leads to
      """,
      """
      contents:8:5: warning[model.missing-inverse]: relationship 'shelf' of entity 'Book' has no inverse
        add a relationship that leads back
      """),
    RuleCase(
      "no inverse", .of("Book", relationships: [.toOne("author", "Author", inverse: nil)]), .of("Author"),
      says: """
        warning[model.missing-inverse]: relationship 'author' of entity 'Book' has no inverse
          add a relationship that leads back from entity 'Author'
        """),
    RuleCase(
      "unknown inverses",
      .of(
        "Book",
        relationships: [
          .toOne("author", "Author", inverse: "book", markup: .line(7, ("inverseName", "book"))),
          RelationshipDescription(
            name: "editor", destinationEntityName: "Author", inverseName: "name", inverseEntityName: "Writer",
            maxCount: 1),
        ]),
      .of(
        "Author", AttributeDescription(name: "name", type: .string),
        relationships: [.toMany("books", "Author", inverse: "books")]),
      says: """
        contents:7:10: error[model.unknown-inverse]: relationship 'author' of entity 'Book' has inverse 'book', which \
        entity 'Author' does not have
          did you mean 'books'?
        """,
      """
      error[model.unknown-inverse]: relationship 'editor' of entity 'Book' has inverse 'name', which is an attribute of \
      entity 'Author'
        name a relationship that leads back
      """,
      """
      error[model.unknown-inverse]: relationship 'editor' of entity 'Book' has its inverse in entity 'Writer', which the \
      model does not have
        available: 'Author', 'Book'
      """),
    RuleCase(
      "inverses that disagree",
      .of(
        "Book",
        relationships: [
          .toOne("author", "Author", inverse: "books"), .toOne("editor", "Author", inverse: "books"),
          .toOne("owner", "Author", inverse: "owned"), .toOne("shop", "Author", inverse: "shops"),
        ]),
      .of(
        "Author",
        relationships: [
          .toMany("books", "Book", inverse: "author"), .toMany("owned", "Book", inverse: nil),
          .toMany("shops", "Author", inverse: "shop"),
        ]),
      says: """
        warning[model.inverse-disagrees]: relationship 'editor' of entity 'Book' has inverse 'books' of entity 'Author', \
        whose own inverse is 'author'
          make the two relationships name each other; this changes the version hash, so do it in a new version of the \
        model
        """,
      """
      warning[model.inverse-disagrees]: relationship 'owner' of entity 'Book' has inverse 'owned' of entity 'Author', which \
      has no inverse itself
        make the two relationships name each other; this changes the version hash, so do it in a new version of the \
      model
      """,
      """
      warning[model.inverse-disagrees]: relationship 'shop' of entity 'Book' has inverse 'shops' of entity 'Author', which \
      leads to entity 'Author' instead of entity 'Book'
        make the two relationships name each other; this changes the version hash, so do it in a new version of the \
      model
      """,
      """
      warning[model.missing-inverse]: relationship 'owned' of entity 'Author' has no inverse
        add a relationship that leads back from entity 'Book'
      """,
      """
      error[model.unknown-inverse]: relationship 'shops' of entity 'Author' has inverse 'shop', which entity 'Author' \
      does not have
        did you mean 'shops'?
      """),
    RuleCase(
      "three relationships that name each other in a circle, as in a shipped model",
      .of(
        "Book",
        relationships: [
          .toOne("original", "Book", inverse: "copies"), .toMany("copies", "Book", inverse: "first"),
          .toOne("first", "Book", inverse: "original"),
        ]),
      says: """
        warning[model.inverse-disagrees]: relationship 'copies' of entity 'Book' has inverse 'first' of entity 'Book', \
        whose own inverse is 'original'
          make the two relationships name each other; this changes the version hash, so do it in a new version of the \
        model
        """,
      """
      warning[model.inverse-disagrees]: relationship 'first' of entity 'Book' has inverse 'original' of entity 'Book', \
      whose own inverse is 'copies'
        make the two relationships name each other; this changes the version hash, so do it in a new version of the \
      model
      """,
      """
      warning[model.inverse-disagrees]: relationship 'original' of entity 'Book' has inverse 'copies' of entity 'Book', \
      whose own inverse is 'first'
        make the two relationships name each other; this changes the version hash, so do it in a new version of the \
      model
      """),
    RuleCase(
      "an inverse in another entity than the destination",
      .of(
        "Book",
        relationships: [
          RelationshipDescription(
            name: "author", destinationEntityName: "Author", inverseName: "books", inverseEntityName: "Shelf",
            maxCount: 1)
        ]),
      .of("Author"), .of("Shelf", relationships: [.toMany("books", "Book", inverse: "author")]),
      says: """
        warning[model.inverse-disagrees]: relationship 'books' of entity 'Shelf' has inverse 'author' of entity 'Book', \
        which leads to entity 'Author' instead of entity 'Shelf'
          make the two relationships name each other; this changes the version hash, so do it in a new version of the \
        model
        """,
      """
      warning[model.inverse-entity-mismatch]: relationship 'author' of entity 'Book' leads to entity 'Author', but its \
      inverse is in entity 'Shelf'
        make entity 'Author' both the destination and the entity of the inverse
      """),
    RuleCase(
      "counts",
      .of(
        "Book",
        relationships: [
          RelationshipDescription(
            name: "a", destinationEntityName: "Book", inverseName: "a", minCount: 3, maxCount: 2,
            markup: .line(3, ("minCount", "3"), ("maxCount", "2"))),
          RelationshipDescription(
            name: "b", destinationEntityName: "Book", inverseName: "b", minCount: -1, maxCount: 5_000_000_000,
            markup: .line(4, ("minCount", "-1"), ("maxCount", "5000000000"))),
          RelationshipDescription(name: "c", destinationEntityName: "Book", inverseName: "c", minCount: 3),
        ]),
      says: """
        contents:3:10: error[model.relationship-counts]: relationship 'a' of entity 'Book' must have at least 3 and at \
        most 2 objects, which is impossible
          lower minCount or raise maxCount; a maxCount of 0 means no limit
        """,
      """
      contents:4:10: error[model.relationship-counts]: relationship 'b' of entity 'Book' has a minCount of -1
        write a count of 0 or more; a maxCount of 0 means no limit
      """,
      """
      contents:4:20: error[model.relationship-counts]: relationship 'b' of entity 'Book' has a maxCount of 5000000000, \
      which does not fit in 32 bits
        write a count of 0 or more; a maxCount of 0 means no limit
      """),
    RuleCase(
      "to-many in one way and to-one in another",
      .of(
        "Book",
        relationships: [
          .toOne("a", "Book", inverse: "a", isOrdered: true, markup: .line(3, ("name", "a"), ("toMany", "YES"))),
          .toMany("b", "Book", inverse: "b", markup: .line(4, ("name", "b"))),
          .toMany("c", "Book", inverse: "c", markup: .line(5, ("name", "c"), ("toMany", "YES"))),
        ]),
      says: """
        contents:3:5: warning[model.ordered-to-one]: relationship 'a' of entity 'Book' is ordered, although it leads \
        to at most one object
          make it unordered; this changes the version hash, so do it in a new version of the model
        """,
      """
      contents:3:20: warning[model.cardinality-disagrees]: relationship 'a' of entity 'Book' is marked toMany, but its \
      maxCount of 1 makes it to-one
        remove toMany to make it to-one, or maxCount to make it to-many
      """,
      """
      contents:4:5: warning[model.cardinality-disagrees]: relationship 'b' of entity 'Book' is not marked toMany, but \
      its maxCount makes it to-many
        write maxCount="1" to make it to-one, or toMany="YES" to make it to-many
      """),
    RuleCase(
      "delete rules",
      .of(
        "Book",
        relationships: [
          .toMany("pages", "Page", inverse: "book", deleteRule: .cascade),
          .toOne("cover", "Page", inverse: "coverOf", deleteRule: .cascade),
          .toMany("notes", "Page", inverse: "noteOf", deleteRule: .nullify),
          .toMany("twins", "Book", inverse: "twins", deleteRule: .cascade),
          .toOne(
            "odd", "Page", inverse: "oddOf", deleteRule: .noAction, markup: .line(9, ("deletionRule", "No Action"))),
        ]),
      .of(
        "Page",
        relationships: [
          .toOne("book", "Book", inverse: "pages", deleteRule: .cascade),
          .toOne("coverOf", "Book", inverse: "cover", deleteRule: .cascade),
          .toOne("noteOf", "Book", inverse: "notes", isOptional: false), .toOne("oddOf", "Book", inverse: "odd"),
        ]),
      says: """
        contents:9:10: warning[model.no-action-delete-rule]: relationship 'odd' of entity 'Book' has delete rule No \
        Action, which can leave references to deleted objects
          choose Nullify, Cascade or Deny
        """,
      """
      warning[model.cascade-both-ways]: relationship 'book' of entity 'Page' and its inverse 'pages' of entity 'Book' \
      both cascade, so deleting one object deletes all connected objects
        set one of the two to Nullify
      """,
      """
      note[model.nullified-mandatory-inverse]: relationship 'notes' of entity 'Book' nullifies on deletion, but its \
      inverse 'noteOf' of entity 'Page' is mandatory
        choose Cascade or Deny, make the inverse optional, or set another target before each deletion
      """),
    RuleCase(
      "many-to-many that cascades both ways",
      .of("Book", relationships: [.toMany("tags", "Tag", inverse: "books", deleteRule: .cascade)]),
      .of("Tag", relationships: [.toMany("books", "Book", inverse: "tags", deleteRule: .cascade)]),
      says: """
        warning[model.cascade-both-ways]: relationship 'tags' of entity 'Book' and its inverse 'books' of entity 'Tag' \
        both cascade, so deleting one object deletes all connected objects
          set one of the two to Nullify
        """),
    RuleCase(
      "a relationship across configurations",
      ManagedObjectModel(
        entities: [
          .of("Book", relationships: [.toOne("author", "Author", inverse: "books")]),
          .of("Author", relationships: [.toMany("books", "Book", inverse: "author")]),
          .of("Free", relationships: [.toMany("free", "Free", inverse: "free")]),
        ],
        configurations: [
          ConfigurationDescription(name: "Cloud", entityNames: ["Author"]),
          ConfigurationDescription(name: "Local", entityNames: ["Book"]),
        ]),
      says: """
        warning[model.relationship-across-configurations]: relationship 'author' of entity 'Book' leads to entity \
        'Author', but no configuration contains both entities
          put both entities in one configuration, or replace the relationship with a fetched property
        """,
      """
      warning[model.relationship-across-configurations]: relationship 'books' of entity 'Author' leads to entity 'Book', \
      but no configuration contains both entities
        put both entities in one configuration, or replace the relationship with a fetched property
      """),
  ]

  @Test(arguments: cases) func `a check of relationships`(_ example: RuleCase) { example.check() }
}
