import HeavyliftModel
import HeavyliftTestSupport
import Testing

/// Properties of a check that hold for every model.
@Suite struct GeneratedModelCheckTests {
  @Test(arguments: Seeds.some(of: 0..<300))
  func `a check does not depend on the order of the model`(seed: UInt64) {
    var generator = ModelGenerator(seed: seed)
    let model = generator.model()
    var shuffled = ManagedObjectModel(versionIdentifiers: model.versionIdentifiers)
    shuffled.entities = model.entities.shuffled(using: &generator.random)
    shuffled.composites = model.composites
    shuffled.configurations = model.configurations
    shuffled.fetchRequestTemplates = model.fetchRequestTemplates
    #expect(shuffled.check() == model.check(), "seed \(seed)")
  }

  /// Compares the check with a plain walk over the model.
  @Test(arguments: Seeds.some(of: 0..<300))
  func `there is an error exactly where a plain reading finds one`(seed: UInt64) {
    var generator = ModelGenerator(seed: seed)
    let model = generator.model()
    let names = Set(model.entities.map(\.name))
    let codes = Set(model.check().map(\.code))
    #expect(
      codes.contains("model.unknown-parent")
        == model.entities.contains { $0.superentityName.map { !names.contains($0) } ?? false }, "seed \(seed)")
    #expect(
      codes.contains("model.parent-cycle")
        == model.entities.contains { entity in
          model.lineage(of: entity).last?.superentityName.map(names.contains) ?? false
        }, "seed \(seed)")
    #expect(
      codes.contains("model.unknown-destination")
        == model.entities.contains { entity in
          entity.relationships.contains { $0.destinationEntityName.map { !names.contains($0) } ?? false }
        }, "seed \(seed)")
    #expect(
      codes.contains("model.missing-inverse")
        == model.entities.contains { $0.relationships.contains { $0.inverseName == nil } }, "seed \(seed)")
  }
}
