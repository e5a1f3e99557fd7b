import HeavyliftModel
import Testing

@Suite struct HierarchyRuleTests {
  static let cases: [RuleCase] = [
    RuleCase(
      "an unknown parent",
      EntityDescription(
        name: "Novel", superentityName: "Bok", uniquenessConstraints: [.init(["inheritedPerhaps"])],
        markup: .line(4, ("name", "Novel"), ("parentEntity", "Bok"))),
      .of("Book"),
      says: """
        contents:4:20: error[model.unknown-parent]: entity 'Novel' inherits from entity 'Bok', which the model does not have
          did you mean 'Book'?
        """),
    RuleCase(
      "a cycle of parents", .of("Atlas", parent: "Map"), .of("Globe", parent: "Atlas"), .of("Map", parent: "Globe"),
      .of("Chart", parent: "Map"),
      says: """
        error[model.parent-cycle]: entity 'Atlas' inherits from itself: 'Atlas' → 'Map' → 'Globe' → 'Atlas'
          clear the parent of one of them
        """),
    RuleCase(
      "its own parent", .of("Atlas", parent: "Atlas"),
      says: """
        error[model.parent-cycle]: entity 'Atlas' is its own parent
          clear its parent
        """),
    RuleCase(
      "a long cycle",
      ManagedObjectModel(entities: (10..<30).map { .of("E\($0)", parent: "E\($0 == 29 ? 10 : $0 + 1)") }),
      says: """
        error[model.parent-cycle]: entity 'E10' inherits from itself: 'E10' → 'E11' → 'E12' → 'E13' → 'E14' → 'E15' → \
        'E16' → 'E17' → 'E18' → … → 'E10'
          clear the parent of one of them
        """),
    RuleCase(
      "an overridden property", .of("Book", AttributeDescription(name: "title", type: .string)),
      .of("Print", parent: "Book"),
      .of(
        "Novel", AttributeDescription(name: "title", type: .string, markup: .line(8, ("name", "title"))),
        parent: "Print"),
      says: """
        contents:8:10: warning[model.overridden-property]: attribute 'title' of entity 'Novel' hides the one that is \
        inherited from entity 'Book'
          remove it and use the inherited one, or rename it
        """),
    RuleCase(
      "an abstract entity that nothing inherits from",
      EntityDescription(name: "Thing", isAbstract: true, markup: .line(2, ("isAbstract", "YES"))),
      EntityDescription(name: "Base", isAbstract: true), .of("Leaf", parent: "Base"),
      says: """
        contents:2:10: note[model.abstract-without-subentities]: entity 'Thing' is abstract and has no sub-entities, so \
        it has no objects
          make it concrete, or let another entity inherit from it
        """),
  ]

  @Test(arguments: cases) func `a check of inheritance`(_ example: RuleCase) { example.check() }
}
