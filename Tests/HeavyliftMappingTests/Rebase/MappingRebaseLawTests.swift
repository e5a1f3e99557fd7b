import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftTestSupport
import Testing

/// Laws for every rebased mapping.
@Suite struct MappingRebaseLawTests {
  static let seeds = Seeds.some(of: 0..<60)

  private struct World {
    var generator: MappingGenerator
    var source: ManagedObjectModel
    var destination: ManagedObjectModel
    var mapping: MappingModel

    init(_ seed: UInt64) throws {
      generator = MappingGenerator(seed: seed)
      source = generator.model()
      destination = source
      for place in destination.entities.indices where generator.chance(2) {
        destination.entities[place].attributes.append(
          AttributeDescription(name: generator.propertyName(), type: .string))
      }
      mapping = try generator.mapping(from: source, to: destination)
      if generator.chance(2) { mapping.source = ModelReference(pinning: source, name: "Old") }
      if generator.chance(2) { mapping.destination = ModelReference(pinning: destination, name: "New") }
    }
  }

  @Test(arguments: seeds) func `onto the same models nothing changes`(seed: UInt64) throws {
    let world = try World(seed)
    let rebase = MappingRebase(
      world.mapping, source: .unchanged(world.source), destination: .unchanged(world.destination))
    #expect(rebase.mappingModel == world.mapping, "seed \(seed)\n\(rebase.changes)")
    #expect(rebase.changes.isEmpty, "seed \(seed)")
    #expect(rebase.conflicts.isEmpty, "seed \(seed)")
    #expect(rebase.notes.isEmpty, "seed \(seed)")
    #expect(rebase.mappingModel.openConflicts.isEmpty, "seed \(seed)")
  }

  @Test(arguments: seeds) func `without the old models nothing changes either while every name is there`(
    seed: UInt64
  ) throws {
    let world = try World(seed)
    let rebase = MappingRebase(
      world.mapping, source: ModelEdit(from: nil, to: world.source),
      destination: ModelEdit(from: nil, to: world.destination))
    #expect(rebase.mappingModel == world.mapping, "seed \(seed)\n\(rebase.changes)")
    #expect(rebase.conflicts.isEmpty, "seed \(seed) \(rebase.conflicts)")
  }

  @Test(arguments: seeds) func `over renames a mapping means the same`(seed: UInt64) throws {
    var world = try World(seed)
    let olds = ModelRenaming(of: world.source, suffix: "s", &world.generator)
    let news = ModelRenaming(of: world.destination, suffix: "d", &world.generator)
    let (source, destination) = (olds.renamed(world.source), news.renamed(world.destination))
    let rebase = MappingRebase(
      world.mapping, source: ModelEdit(from: world.source, to: source),
      destination: ModelEdit(from: world.destination, to: destination))
    #expect(rebase.conflicts.isEmpty, "seed \(seed)\n\(DiagnosticList(rebase.conflicts))")

    let before = world.mapping.complete(from: world.source, to: world.destination)
    let after = rebase.mappingModel.complete(from: source, to: destination)
    let names = Dictionary(
      zip(before.entityMappings.map(\.name), after.entityMappings.map(\.name)), uniquingKeysWith: { first, _ in first })
    try #require(before.entityMappings.count == after.entityMappings.count)
    for (old, new) in zip(before.entityMappings, after.entityMappings) {
      #expect(new.sourceEntityName == old.sourceEntityName.map(olds.entity), "seed \(seed)")
      #expect(new.destinationEntityName == old.destinationEntityName.map(news.entity), "seed \(seed)")
      #expect(
        new.filter?.description == old.filter.map { olds.renamed($0.description, mappings: names) }, "seed \(seed)")
      #expect(new.policyClassName == old.policyClassName && new.userInfo == old.userInfo, "seed \(seed)")
      for property in old.attributeMappings + old.relationshipMappings {
        let expected = property.valueExpression.map { olds.renamed($0.description, mappings: names) }
        let found = new.propertyMapping(named: news.property(property.name))
        #expect(found != nil, "seed \(seed) \(property.name)")
        #expect(
          found?.valueExpression?.description == expected,
          "seed \(seed) \(old.name).\(property.name)\n\(rebase.changes)")
      }
    }
  }

  @Test(arguments: seeds) func `rebasing back restores the mapping`(seed: UInt64) throws {
    var world = try World(seed)
    let renaming = ModelRenaming(of: world.source, suffix: "s", &world.generator)
    let renamed = renaming.renamed(world.source)
    let there = MappingRebase(
      world.mapping, source: ModelEdit(from: world.source, to: renamed),
      destination: .unchanged(world.destination))
    let back = MappingRebase(
      there.mappingModel, source: ModelEdit(from: renamed, to: world.source),
      destination: .unchanged(world.destination))
    #expect(back.conflicts.isEmpty, "seed \(seed)\n\(DiagnosticList(back.conflicts))")
    let before = world.mapping.complete(from: world.source, to: world.destination)
    let after = back.mappingModel.complete(from: world.source, to: world.destination)
    for (old, new) in zip(before.entityMappings, after.entityMappings) {
      #expect(old.filter == new.filter, "seed \(seed)")
      #expect(
        old.attributeMappings.map(\.valueExpression) == new.attributeMappings.map(\.valueExpression), "seed \(seed)")
      #expect(
        old.relationshipMappings.map(\.valueExpression) == new.relationshipMappings.map(\.valueExpression),
        "seed \(seed)")
    }
  }
}
