import HeavyliftModel

/// Reduces a store that breaks a law to what is needed to break it: removes objects (half of them at a time, then
/// fewer, finally one by one), then values of the remaining objects.
struct LawShrinking {
  /// The smallest store that was found.
  private(set) var least: (graph: ObjectGraph, mistakes: [String])
  private let law: MigrationLaw
  private let trial: LawTrial
  private let options: MigrationLawOptions
  /// The number of attempts left; each checks the law on another store.
  private var attempts = 60

  init(_ law: MigrationLaw, _ trial: LawTrial, _ options: MigrationLawOptions) {
    (self.law, self.trial, self.options) = (law, trial, options)
    least = (trial.graph, trial.mistakes(against: law))
    var count = trial.graph.objects.count / 2
    while count > 0 {
      var place = 0
      while place < least.graph.objects.count {
        let gone = Set(least.graph.objects[place..<min(place + count, least.graph.objects.count)].map(\.name))
        if !take(least.graph.without(gone)) { place += count }
      }
      count /= 2
    }
    for object in least.graph.objects.map(\.name) { forget(object) }
  }

  private mutating func forget(_ name: String) {
    guard let place = least.graph.objects.firstIndex(where: { $0.name == name }) else { return }
    for attribute in least.graph.objects[place].attributes.keys.sorted() {
      var graph = least.graph
      graph.objects[place].attributes[attribute] = nil
      _ = take(graph)
    }
    for relationship in least.graph.objects[place].relationships.keys.sorted() {
      var graph = least.graph
      graph.objects[place].relationships[relationship] = nil
      _ = take(graph)
    }
  }

  /// Keeps a smaller store if it still breaks the law.
  private mutating func take(_ graph: ObjectGraph) -> Bool {
    guard attempts > 0 else { return false }
    attempts -= 1
    let smaller = LawTrial(trial.pair, trial.rest, graph, seed: trial.seed)
    // The model may not allow the smaller store.
    guard (try? smaller.makeStore()) != nil else { return false }
    if let refusal = smaller.refusal, law != .migrates || options.mayRefuse(refusal) { return false }
    let mistakes = smaller.mistakes(against: law)
    guard !mistakes.isEmpty else { return false }
    least = (graph, mistakes)
    return true
  }
}

extension ObjectGraph {
  /// Returns the graph without some objects and without links to them.
  fileprivate func without(_ names: Set<String>) -> ObjectGraph {
    var graph = self
    graph.objects.removeAll { names.contains($0.name) }
    for place in graph.objects.indices {
      graph.objects[place].relationships = graph.objects[place].relationships
        .mapValues { $0.filter { !names.contains($0) } }.filter { !$0.value.isEmpty }
    }
    return graph
  }
}
