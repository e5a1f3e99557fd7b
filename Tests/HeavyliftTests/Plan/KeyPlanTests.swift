import Testing

@testable import Heavylift
@testable import HeavyliftEngine

@Suite struct KeyPlanTests {
  private let model = ManagedObjectModel(
    entities: [
      EntityDescription(name: "Animal"), EntityDescription(name: "Cat", superentityName: "Animal"),
      EntityDescription(name: "Dog", superentityName: "Animal"), EntityDescription(name: "Plant"),
    ])

  private func plan(
    _ mappings: [(String?, String?)], _ highest: [String: Int64] = ["Animal": 100, "Plant": 10]
  ) throws -> KeyPlan {
    let mapping = MappingModel(
      unmentionedEntities: .dropped,
      entityMappings: mappings.enumerated().map {
        EntityMappingDescription(name: "\($0)", source: $1.0, destination: $1.1)
      })
    return try KeyPlan(
      mappings: mapping.complete(from: model, to: model).entityMappings, source: model, destination: model,
      highestKeys: highest)
  }

  @Test func `entities of one hierarchy share a key range`() throws {
    let plan = try plan([("Cat", "Cat"), ("Dog", "Dog"), ("Plant", "Plant")])
    #expect(plan.rules == [0: KeyRule(offset: 0), 1: KeyRule(offset: 0), 2: KeyRule(offset: 0)])
    #expect(plan.firstFreeKeys == ["Animal": 101, "Plant": 11])
    #expect(plan.reservedKeys == ["Animal": 100, "Plant": 10])
  }

  @Test func `a repeated entity, or one of another hierarchy, gets the next range`() throws {
    let plan = try plan([("Cat", "Dog"), ("Plant", "Cat"), ("Cat", "Cat"), ("Dog", "Cat"), (nil, "Cat"), ("Dog", nil)])
    #expect(
      plan.rules == [
        0: KeyRule(offset: 0), 1: KeyRule(offset: 100), 2: KeyRule(offset: 110), 3: KeyRule(offset: 0),
      ])
    #expect(plan.firstFreeKeys == ["Animal": 211])
  }

  @Test func `only the first range keeps its keys in every store, even an empty one`() throws {
    let mappings = [("Cat", "Dog"), ("Plant", "Cat"), ("Cat", "Cat"), ("Dog", "Cat"), ("Plant", "Plant")]
    let plan = try plan(mappings, ["Animal": 0, "Plant": 0])
    #expect(plan.rules.values.allSatisfy { $0.offset == 0 })
    #expect(plan.firstRanges == [0, 3, 4])
  }

  @Test func `running out of keys is an error`() throws {
    #expect(throws: Diagnostic.self) { try plan([("Cat", "Cat"), ("Cat", "Dog")], ["Animal": Int64.max - 5]) }
    #expect(throws: Diagnostic.self) { try plan([("Cat", "Cat")], ["Animal": .max]) }
  }
}
