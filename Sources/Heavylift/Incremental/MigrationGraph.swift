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
  /// The models' version hashes, which take a while to compute.
  private let hashes: [[String: VersionHash]]
  /// By the models' places: from, to.
  private(set) var edges: [[Int: Edge]]
  /// Why a mapping could not be inferred, by the model that it would have led from.
  private(set) var refusals: [Int: DiagnosticList] = [:]

  /// Looks for hops.
  ///
  /// Between neighbours every mapping counts that could be meant; between others only one that says what models it is
  /// for, because one that does not fits many.
  init(models: [ManagedObjectModel], mappings: MappingSearch, infersMissing: Bool) {
    self.models = models
    hashes = models.map(\.versionHashes)
    edges = Array(repeating: [:], count: models.count)
    for source in models.indices {
      for destination in models.indices where source != destination && models[source] != models[destination] {
        edges[source][destination] = Self.edge(
          models[source], models[destination], mappings, areNeighbours: destination == source + 1)
      }
    }
    guard infersMissing else { return }
    for source in models.indices.dropLast() where edges[source][source + 1] == nil {
      do {
        let mapping = try MappingModel.inferred(from: models[source], to: models[source + 1])
        edges[source][source + 1] = .hop(
          MigrationHop(
            sourceModel: models[source], destinationModel: models[source + 1], mappings: [mapping], origin: .inferred))
      } catch {
        refusals[source] = error
      }
    }
  }

  private static func edge(
    _ source: ManagedObjectModel, _ destination: ManagedObjectModel, _ search: MappingSearch, areNeighbours: Bool
  ) -> Edge? {
    do {
      let found = try search.mappings(from: source, to: destination).filter { areNeighbours || $0.namesItsModels }
      guard !found.isEmpty else { return nil }
      return .hop(
        MigrationHop(
          sourceModel: source, destinationModel: destination, mappings: found.compactMap(\.mappingModel),
          origin: .files(found.map(\.file))))
    } catch {
      // That no file is for it is no mistake; one that is, and has some, is.
      let isMissing = error.diagnostics.contains { $0.code == "mapping.no-mapping" }
      return isMissing || !areNeighbours ? nil : .broken(error)
    }
  }

  /// Where the model of that version is.
  func place(of model: ManagedObjectModel) -> Int? {
    let own = models.firstIndex(of: model).map { hashes[$0] } ?? model.versionHashes
    return hashes.firstIndex(of: own)
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

extension MappingCandidate {
  /// Whether the file says by itself what two models it is for.
  var namesItsModels: Bool {
    if versionHashes.count == 2 || carriedModels.count == 2 { return true }
    guard let mappingModel, kind == .written else { return false }
    return [mappingModel.source, mappingModel.destination].allSatisfy {
      $0.name != nil || $0.checksum != nil || !$0.fingerprints.isEmpty
    }
  }
}
