import HeavyliftMapping
import HeavyliftModel

/// The mapping files among those that are checked. Files for the same two models run one after the other into one store.
struct CheckedPasses {
  private struct Models: Hashable {
    var source: [String: VersionHash]
    var destination: [String: VersionHash]

    init(_ models: MappedModels) {
      source = models.source.model.versionHashes
      destination = models.destination.model.versionHashes
    }
  }

  private var passes: [Models: [MappingModel]] = [:]

  /// Adds a mapping for a pair of models; returns its number among those for the same pair.
  mutating func add(_ mapping: MappingModel, for models: MappedModels) -> Int {
    let key = Models(models)
    passes[key, default: []].append(mapping)
    return passes[key, default: []].count - 1
  }

  /// The mapping of that number with everything that it leaves unsaid, among all for the same models.
  func complete(_ number: Int, for models: MappedModels) -> CompleteMappingModel? {
    let completes = passes[Models(models)]?.complete(from: models.source.model, to: models.destination.model)
    return completes.flatMap { $0.indices.contains(number) ? $0[number] : nil }
  }
}
