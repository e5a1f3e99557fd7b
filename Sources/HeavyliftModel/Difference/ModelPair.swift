import HeavyliftConcurrency

/// Two versions of a model, and what became of the entities and properties of the old one. Each pair is compared once.
///
/// A class, because rules pass pairs around, and a copy of two models takes longer than most rules.
package final class ModelPair: Sendable {
  package let source: ModelIndex
  package let destination: ModelIndex
  private let comparison: Comparison

  /// - Parameter succession: What the versions in between make of the entities and properties; `nil` if names and
  ///   renaming identifiers decide.
  package init(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, succession: Succession? = nil
  ) {
    (self.source, self.destination) = (ModelIndex(source), ModelIndex(destination))
    comparison =
      succession.map { Comparison(source, destination, $0) } ?? source.facts.comparison(of: source, with: destination)
  }

  /// The destination entity that each source entity became; `nil` if it was removed.
  package var successors: [Int?] { comparison.successors }

  /// The source entity that each destination entity was; `nil` if it is new.
  package var predecessors: [Int?] { comparison.predecessors }

  /// Returns what the properties of a source entity became in a destination entity. The numbers are those of the indexes'
  /// `properties(of:)`.
  package func match(_ old: Int, _ new: Int) -> RenamingMatch {
    comparison.match(old, new) {
      comparison.stated(old, new, in: source)
        ?? RenamingMatch(old: source.properties(of: old), new: destination.properties(of: new))
    }
  }
}

extension ModelPair {
  /// The part that the facts of the source model keep: numbers only, because neither model can contain the other.
  final class Comparison: Sendable {
    fileprivate let destination: ManagedObjectModel.State
    fileprivate let successors: [Int?]
    fileprivate let predecessors: [Int?]
    private let properties: [[Int?]]?
    private let matches = Locked(Matches())

    private struct Entities: Hashable {
      var old: Int
      var new: Int
    }

    private struct Matches {
      var byEntities: [Entities: RenamingMatch] = [:]
      var count = 0
    }

    fileprivate init(_ source: ManagedObjectModel, _ destination: ManagedObjectModel) {
      WorkCount.add(.compare, "\(source.title) → \(destination.title)")
      self.destination = destination.state
      var successors = [Int?](repeating: nil, count: source.entities.count)
      var predecessors = [Int?](repeating: nil, count: destination.entities.count)
      let match = RenamingMatch(
        old: source.entities.map { RenamingMatch.Thing(name: $0.name, identifier: $0.renamingIdentifier) },
        new: destination.entities.map { RenamingMatch.Thing(name: $0.name, identifier: $0.renamingIdentifier) })
      for case (let old?, let new?) in match.pairs { (successors[old], predecessors[new]) = (new, old) }
      (self.successors, self.predecessors, properties) = (successors, predecessors, nil)
    }

    fileprivate init(_ source: ManagedObjectModel, _ destination: ManagedObjectModel, _ succession: Succession) {
      self.destination = destination.state
      var successors = [Int?](repeating: nil, count: source.entities.count)
      for case (let new, let old?) in succession.entities.enumerated() { successors[old] = new }
      (self.successors, predecessors, properties) = (successors, succession.entities, succession.properties)
    }

    /// Returns what the versions in between say about the properties of an entity; `nil` if names decide.
    fileprivate func stated(_ old: Int, _ new: Int, in source: ModelIndex) -> RenamingMatch? {
      guard let properties, predecessors[new] == old else { return nil }
      return RenamingMatch(olds: properties[new], oldCount: source.properties(of: old).count)
    }

    fileprivate func match(_ old: Int, _ new: Int, _ compute: () -> RenamingMatch) -> RenamingMatch {
      let entities = Entities(old: old, new: new)
      if let known = matches.withLock({ $0.byEntities[entities] }) { return known }
      let match = compute()
      matches.withLock {
        guard $0.count + match.pairs.count <= ModelFacts.mostInheritedProperties else { return }
        $0.count += match.pairs.count
        $0.byEntities[entities] = match
      }
      return match
    }
  }
}

extension ModelFacts {
  /// A version is compared with the next one, with the newest one, and with those of rare mapping files.
  private static let mostComparisons = 8

  fileprivate func comparison(
    of source: ManagedObjectModel, with destination: ManagedObjectModel
  ) -> ModelPair.Comparison {
    let state = destination.state
    if let known = comparisons.withLock({ $0.first { $0.destination === state } }) { return known }
    let comparison = ModelPair.Comparison(source, destination)
    comparisons.withLock {
      if $0.count == Self.mostComparisons { $0.removeFirst() }
      $0.append(comparison)
    }
    return comparison
  }
}
