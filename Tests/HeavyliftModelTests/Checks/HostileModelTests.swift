import HeavyliftModel
import HeavyliftTestSupport
import Testing

/// Models that no person writes: whatever a file holds, a check ends soon.
@Suite struct HostileModelTests {
  private static let count = 10_000

  /// The limit catches an endless loop and a walk of the model for every entity, not a slow machine: each of these
  /// takes seconds.
  @Test(.timeLimit(.minutes(10)))
  func `all but the first of ten thousand entities of one name are reported`() {
    let model = ManagedObjectModel(
      entities: (0..<Self.count).map { _ in
        EntityDescription.of(
          "Book", AttributeDescription(name: "title", type: .string),
          relationships: [.toOne("next", "Book", inverse: "next")], parent: "Book")
      })
    let found = model.check()
    #expect(found.filter { $0.code == "model.duplicate-entity" }.count == Self.count - 1)
    #expect(found.filter { $0.code == "model.parent-cycle" }.map(\.problem) == ["entity 'Book' is its own parent"])
  }

  @Test(.timeLimit(.minutes(10)))
  func `overrides in a hierarchy of ten thousand levels are reported`() {
    let model = ManagedObjectModel(
      entities: (0..<Self.count).map { level in
        var entity = EntityDescription.of(
          "E\(level)", AttributeDescription(name: "a", type: .string),
          AttributeDescription(name: "b\(level)", type: .string), parent: level == 0 ? nil : "E\(level - 1)")
        entity.uniquenessConstraints = [.init(["b0", "nowhere\(level)"])]
        return entity
      })
    let found = model.check()
    #expect(found.filter { $0.code == "model.overridden-property" }.count == Self.count - 1)
    // Each one names something that does not exist, and all but the first something inherited.
    #expect(found.filter { $0.code == "model.uniqueness-constraint" }.count == 2 * Self.count - 1)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a cycle of ten thousand parents is reported once`() {
    let model = ManagedObjectModel(
      entities: (0..<Self.count).map { .of("E\($0)", parent: "E\(($0 + 1) % Self.count)") })
    #expect(model.check().map(\.code) == ["model.parent-cycle"])
  }

  @Test(.timeLimit(.minutes(10)))
  func `ten thousand wrong names are reported, the first of them with a suggestion`() {
    let model = ManagedObjectModel(
      entities: (0..<Self.count).map {
        .of("Entity\($0)", relationships: [.toOne("r", "Entidy\($0)", inverse: nil)])
      })
    let found = model.check().filter { $0.code == "model.unknown-destination" }
    #expect(found.count == Self.count)
    #expect(found.first?.remedy == "did you mean 'Entity0'?")
    #expect(found.last?.remedy == "name an existing entity")
  }

  @Test(.timeLimit(.minutes(10)))
  func `composites nested a thousand deep do not recurse`() {
    let model = ManagedObjectModel(
      composites: (0..<Self.count).map { level in
        CompositeDescription(
          name: "C\(level)",
          elements: [
            AttributeDescription(name: "next", type: .composite, compositeName: "C\((level + 1) % Self.count)")
          ])
      })
    #expect(model.check().map(\.code) == ["model.composite-cycle"])
  }

  @Test(.timeLimit(.minutes(10)))
  func `a name of a megabyte is shortened and not compared`() {
    let name = String(repeating: "x", count: 1 << 20)
    let model = ManagedObjectModel(entities: [.of(name, parent: name + "y")])
    let shown = String(repeating: "x", count: 80) + "…"
    #expect(
      model.check().map(\.description) == [
        """
        error[model.unknown-parent]: entity '\(shown)' inherits from entity '\(shown)', which the model does not have
          name an existing entity
        """
      ])
  }

  @Test(.timeLimit(.minutes(10)))
  func `a pattern of a hundred thousand brackets is refused`() {
    let pattern = String(repeating: "(", count: 100_000)
    let attribute = AttributeDescription(
      name: "a", type: .string, validation: AttributeValidation(regularExpression: pattern))
    #expect(
      ManagedObjectModel(entities: [.of("Book", attribute)]).check().map(\.code)
        == ["model.invalid-regular-expression"])
  }

  /// The index gives the same answers as the model's own walks, for models of every shape.
  @Test(arguments: Seeds.some(of: 0..<200))
  func `the index finds what a walk finds`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let names = (0..<8).map { "E\($0)" }
    let properties = ["a", "b", "c"]
    let model = ManagedObjectModel(
      entities: names.map { name in
        EntityDescription(
          name: name, superentityName: Bool.random(using: &random) ? names.randomElement(using: &random) : nil,
          attributes: properties.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            .map { AttributeDescription(name: $0, type: .string) })
      })
    let index = ModelIndex(model)
    for (number, entity) in model.entities.enumerated() {
      let lineage = model.lineage(of: entity)
      // In a cycle the index drops one link, and reports the rest as unknown.
      let isCyclic = lineage.last?.superentityName != nil
      for name in properties where !isCyclic {
        let walked = lineage.first { $0.attribute(named: name) != nil }?.name
        let found = index.property(named: name, of: number).map { model.entities[$0.declaredBy].name }
        #expect(found == walked, "seed \(seed): '\(name)' of '\(entity.name)'")
      }
      for (other, ancestor) in model.entities.enumerated() where !isCyclic {
        let related =
          model.entity(entity, isKindOf: ancestor.name)
          || (model.lineage(of: ancestor).last?.superentityName == nil && model.entity(ancestor, isKindOf: entity.name))
        if model.lineage(of: ancestor).last?.superentityName == nil {
          #expect(index.areRelated(number, other) == related, "seed \(seed)")
        }
      }
    }
  }

  @Test func `every rule has a code of its own`() {
    let codes = ModelRules.all.map { type(of: $0).code }
    #expect(Set(codes).count == codes.count)
    #expect(codes.allSatisfy { $0.wholeMatch(of: /model\.[a-z]+(-[a-z]+)*/) != nil })
  }
}
