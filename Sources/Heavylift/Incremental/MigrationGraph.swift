import HeavyliftMapping
import HeavyliftModel

/// The versions of a model, and which hops lead from one to another.
struct MigrationGraph {
  /// A hop that mapping files are for, or that was inferred; one with mistakes can be found, but not taken.
  enum Edge {
    case hop(MigrationHop)
    case broken(DiagnosticList)
  }

  let models: [ManagedObjectModel]
  /// Of each model, the first that a store cannot tell from it: mostly it itself. Versions that differ in default values or
  /// class names alone have the same hashes, and a store of one is a store of the other.
  let twins: [Int]
  /// By the models' places, or those of their twins: from, to.
  private(set) var edges: [[Int: Edge]]
  /// Why a mapping could not be inferred, by the model that it would have led from.
  private(set) var refusals: [Int: DiagnosticList] = [:]

  /// Looks for hops.
  ///
  /// Between neighbours every mapping counts that could be meant; between others only one that says what models it is
  /// for, because one that does not fits many.
  init(models: [ManagedObjectModel], mappings: MappingSearch, infersMissing: Bool) {
    self.models = models
    let hashes = models.map(\.versionHashes)
    let twins = models.indices.map { index in hashes.firstIndex(of: hashes[index]) ?? index }
    self.twins = twins
    edges = Array(repeating: [:], count: models.count)
    for source in models.indices {
      for destination in models.indices where twins[source] != twins[destination] {
        guard
          let edge = Self.edge(
            models[source], models[destination], mappings, areNeighbours: destination == source + 1)
        else { continue }
        // Of twins the later one's counts.
        if case .broken = edge, edges[twins[source]][twins[destination]] != nil { continue }
        edges[twins[source]][twins[destination]] = edge
      }
    }
    guard infersMissing else { return }
    for source in models.indices.dropLast()
    where twins[source] != twins[source + 1] && edges[twins[source]][twins[source + 1]] == nil {
      do {
        let mapping = try MappingModel.inferred(from: models[source], to: models[source + 1])
        edges[twins[source]][twins[source + 1]] = .hop(
          MigrationHop(
            sourceModel: models[source], destinationModel: models[source + 1], mappings: [mapping], origin: .inferred))
      } catch {
        refusals[twins[source]] = error
      }
    }
  }

  private static func edge(
    _ source: ManagedObjectModel, _ destination: ManagedObjectModel, _ search: MappingSearch, areNeighbours: Bool
  ) -> Edge? {
    do {
      let found = try search.mappings(from: source, to: destination, mustNameThem: !areNeighbours)
      return .hop(
        MigrationHop(
          sourceModel: source, destinationModel: destination, mappings: found.compactMap(\.mappingModel),
          origin: .files(found.map(\.file))))
    } catch {
      guard areNeighbours else { return nil }
      // That no file is for it is no mistake; one that is, and has some, is. What cannot be read might be the one that is
      // missing, and nothing may be inferred in its stead.
      let mistakes = error.diagnostics.filter { $0.code != "mapping.no-mapping" }
      return mistakes.isEmpty ? nil : .broken(DiagnosticList(mistakes))
    }
  }

  /// Every shortest way from one model to another; none if there is no way.
  func shortestPaths(from source: Int, to destination: Int, atMost limit: Int = 8) -> [[Int]] {
    var paths = [[source]]
    var seen: Set<Int> = [source]
    while !paths.isEmpty {
      let found = paths.filter { $0.last == destination }
      if !found.isEmpty { return Array(found.prefix(limit)) }
      var longer: [[Int]] = []
      for path in paths {
        for next in edges[path[path.count - 1]].keys.sorted() where !seen.contains(next) {
          longer.append(path + [next])
        }
      }
      seen.formUnion(longer.compactMap(\.last))
      // Enough to know that there are several.
      paths = Array(longer.prefix(1_000))
    }
    return []
  }

  /// The models that hops lead to, the first one included.
  func reachable(from source: Int) -> Set<Int> {
    var found: Set<Int> = [source]
    var open = [source]
    while let next = open.popLast() {
      for other in edges[next].keys where found.insert(other).inserted { open.append(other) }
    }
    return found
  }

  /// Whether hops lead back to a model from itself.
  func isOnCircle(_ model: Int) -> Bool { edges[model].keys.contains { reachable(from: $0).contains(model) } }
}
