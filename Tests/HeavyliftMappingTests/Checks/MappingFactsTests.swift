import HeavyliftConcurrency
import HeavyliftExpression
import HeavyliftModel
import Testing

@testable import HeavyliftMapping

/// The facts about a mapping are worked out once, and released with it.
struct MappingFactsTests {
  private static let library = ManagedObjectModel(
    name: "Library",
    entities: [
      EntityDescription(
        name: "Book",
        attributes: [
          AttributeDescription(name: "pages", type: .integer32), AttributeDescription(name: "title", type: .string),
        ])
    ])

  private static var newer: ManagedObjectModel {
    var model = library
    model.name = "Library 2"
    model.entities[0].attributes[1].name = "heading"
    return model
  }

  /// A mapping that calls a function.
  private func mapping() throws -> MappingModel {
    let value = try MappingExpression(parsing: #"FUNCTION($manager, "shorten:", $source.title)"#)
    return MappingModel(entityMappings: [
      EntityMappingDescription(source: "Book", destination: "Book", properties: [.attribute("heading", value)])
    ])
  }

  @Test func `checks with the same code are one check`() throws {
    let (mapping, count) = (try mapping(), WorkCount())
    WorkCount.$current.withValue(count) {
      let complete = mapping.complete(from: Self.library, to: Self.newer)
      let copy = complete
      let unknown = complete.check()
      #expect(copy.check() == unknown)
      #expect(count[.check] == ["Library → Library 2": 1])
      // Other functions, other findings.
      var environment = MappingCheckEnvironment(policies: [:], managerFunctions: [:])
      #expect(complete.check(environment) != unknown)
      _ = copy.check(environment)
      #expect(count[.check] == ["Library → Library 2": 2])
      // A file is only a location.
      environment.file = "1-2.xml"
      #expect(copy.check(environment).allSatisfy { $0.location?.file == "1-2.xml" })
      #expect(count[.check] == ["Library → Library 2": 2])
    }
  }

  @Test func `facts are released with their mapping`() throws {
    weak var facts: MappingFacts?
    do {
      let complete = try MappingModel.inferred(from: Self.library, to: Self.newer)
        .complete(from: Self.library, to: Self.newer)
      #expect(complete.check().map(\.code).contains("mapping.possible-renaming"))
      #expect([complete].losses.map(\.property) == ["title"])
      #expect(complete.explanation().entityMappings.count == 1)
      facts = complete.facts
    }
    #expect(facts == nil)
  }
}
