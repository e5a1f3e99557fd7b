import HeavyliftModel
import HeavyliftTestSupport
import Testing

/// Properties that hold for any two models.
@Suite struct ModelDifferenceLawTests {
  private static let seeds = Seeds.some(of: 0..<600)

  private static func pair(_ seed: UInt64) -> (ManagedObjectModel, ManagedObjectModel) {
    var generator = ModelGenerator(seed: seed)
    let old = generator.model()
    // Sometimes two unrelated models.
    return (old, generator.chance(5) ? generator.model() : generator.changed(old))
  }

  @Test(arguments: seeds) func `a model does not differ from itself`(seed: UInt64) {
    let (old, _) = Self.pair(seed)
    // Built from scratch, so that the two share no storage.
    var copy = ManagedObjectModel(versionIdentifiers: old.versionIdentifiers)
    for entity in old.entities.reversed() { copy.entities.append(entity) }
    copy.composites = old.composites
    copy.configurations = old.configurations
    copy.fetchRequestTemplates = old.fetchRequestTemplates
    let difference = ModelDifference(from: old, to: copy)
    #expect(difference.isEmpty, "seed \(seed)")
    #expect(difference.entities.isEmpty, "seed \(seed)")
    #expect(difference.description == "no differences", "seed \(seed)")
  }

  @Test(arguments: seeds) func `the difference is empty exactly for equal models`(seed: UInt64) {
    let (old, new) = Self.pair(seed)
    #expect(ModelDifference(from: old, to: new).isEmpty == (old == new), "seed \(seed)")
  }

  @Test(arguments: seeds) func `hashes differ exactly where there is a reason`(seed: UInt64) {
    let (old, new) = Self.pair(seed)
    let difference = ModelDifference(from: old, to: new)
    let (oldHashes, newHashes) = (old.versionHashes, new.versionHashes)
    for entity in difference.entities {
      #expect(entity.oldVersionHash == entity.oldName.flatMap { oldHashes[$0] }, "seed \(seed)")
      #expect(entity.newVersionHash == entity.newName.flatMap { newHashes[$0] }, "seed \(seed)")
      let differs = entity.oldVersionHash != entity.newVersionHash
      #expect(entity.changesVersionHash == differs, "seed \(seed), \(entity.summary)\n\(difference)")
      // Nothing is stated here, so every difference has an explanation.
      #expect(!entity.versionHashReasons.contains(.unexplained), "seed \(seed), \(entity.summary)\n\(difference)")
      let marks =
        entity.changes.contains(where: \.changesVersionHash)
        || entity.properties.contains(where: \.changesVersionHash)
      #expect(!marks || differs, "seed \(seed), \(entity.summary)\n\(difference)")
    }
    // Anything that is not reported is in both models and equal.
    let told = Set(difference.entities.compactMap(\.oldName))
    for entity in old.entities where !told.contains(entity.name) {
      #expect(newHashes[entity.name] == oldHashes[entity.name], "seed \(seed), '\(entity.name)'")
    }
    let toldNew = Set(difference.entities.compactMap(\.newName))
    for entity in new.entities where !toldNew.contains(entity.name) {
      #expect(oldHashes[entity.name] == newHashes[entity.name], "seed \(seed), '\(entity.name)'")
    }
    #expect(difference.changesVersionHashes == (oldHashes != newHashes), "seed \(seed)\n\(difference)")
  }

  @Test(arguments: seeds) func `a property that is marked has a marked parameter`(seed: UInt64) {
    let (old, new) = Self.pair(seed)
    for entity in ModelDifference(from: old, to: new).entities {
      for property in entity.properties {
        #expect(!property.changes.isEmpty || property.facts != nil, "seed \(seed), \(property.summary)")
        guard property.facts == nil else { continue }
        #expect(
          property.changesVersionHash == property.changes.contains(where: \.changesVersionHash),
          "seed \(seed), \(property.summary)")
      }
    }
  }

  @Test(arguments: seeds) func `the reverse difference lists the same entities`(seed: UInt64) {
    let (old, new) = Self.pair(seed)
    let there = ModelDifference(from: old, to: new)
    let back = ModelDifference(from: new, to: old)
    #expect(there.isEmpty == back.isEmpty, "seed \(seed)")
    #expect(there.changesVersionHashes == back.changesVersionHashes, "seed \(seed)")
  }
}
