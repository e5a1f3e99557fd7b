import HeavyliftConcurrency
import HeavyliftMapping
import HeavyliftModel

/// The versions of a model, and the hops between them.
struct MigrationGraph {
  /// A hop that mapping files define, or that was inferred. A hop with mistakes is part of the graph, but cannot be
  /// carried out.
  enum Edge {
    case hop(MigrationHop)
    case broken(DiagnosticList)
  }

  let models: [ManagedObjectModel]
  /// For each model, the index of the first model with the same version hashes and version ID: usually its own. Versions
  /// that differ only in default values or class names have the same hashes, and a store of one is a store of the other.
  let twins: [Int]
  /// The hops that files and stages define, and jumps, by source and destination index, both taken from `twins`.
  private var stated: [[Int: Edge]]
  /// The hops to the next version that were inferred so far, by the index of their source model: most versions are not on
  /// a store's path.
  private let inferences = Locked<[Int: Inference]>([:])
  /// Files for models that are not among these versions.
  private(set) var unmatched: [UnmatchedMapping] = []
  let infersMissing: Bool
  /// The mapping files, with the versions that they may be for.
  let search: MappingSearch
  /// The steps that stages define.
  let stages: [StageHop]
  /// The source, the skipped versions and the destination of each jump.
  private var jumpedVersions: [Pair: ClosedRange<Int>] = [:]

  /// Creates a graph of the hops between the models.
  ///
  /// Between neighboring versions, every mapping that fits is used; between other versions, only a mapping that names
  /// its models, because a mapping without these names would fit many pairs.
  ///
  /// - Parameter unreadNames: The names of other versions, to which no hop leads from these.
  init(
    models: [ManagedObjectModel], unreadNames: [String] = [], mappings: MappingSearch, infersMissing: Bool,
    stages: [StageHop] = []
  ) {
    self.models = models
    self.infersMissing = infersMissing
    self.stages = stages
    twins = models.indices.map { index in models.firstIndex { $0.isSameVersion(as: models[index]) } ?? index }
    stated = Array(repeating: [:], count: models.count)
    search = mappings.knowing(models, unread: unreadNames)
    if !search.candidates.isEmpty { findHops(in: search) }
    for stage in stages { add(stage) }
  }

  // MARK: Finding

  /// The indexes of two versions, both taken from `twins`.
  private struct Pair: Hashable, Comparable {
    var source: Int
    var destination: Int

    static func < (one: Pair, other: Pair) -> Bool {
      (one.source, one.destination) < (other.source, other.destination)
    }
  }

  private mutating func findHops(in search: MappingSearch) {
    // Files that fit a pair but do not state that they are for it.
    var unstated: [Pair: [String]] = [:]
    for source in models.indices {
      for destination in models.indices where twins[source] != twins[destination] {
        let pair = Pair(source: twins[source], destination: twins[destination])
        guard
          let (edge, files, areStated) = Self.edge(
            models[source], models[destination], search, areNeighbors: destination == source + 1)
        else { continue }
        if stated[pair.source][pair.destination] == nil {
          add(edge, pair)
        } else if areStated, unstated[pair] != nil {
          add(edge, pair)
        } else if areStated {
          merge(edge, files, pair)
        } else {
          continue
        }
        unstated[pair] = areStated ? nil : files
      }
    }
    refuseUndecided(unstated, search)
    refuseMisspelled(search)
  }

  private mutating func add(_ edge: Edge, _ pair: Pair) { stated[pair.source][pair.destination] = edge }

  /// Adds a second hop for a pair, between twins of its versions.
  private mutating func merge(_ edge: Edge, _ files: [String], _ pair: Pair) {
    guard case .hop(let present)? = stated[pair.source][pair.destination], case .hop(let other) = edge,
      case .files(let names) = present.origin
    else {
      // A hop with mistakes must not hide one without mistakes.
      if case .hop = edge { add(edge, pair) }
      return
    }
    // If both hops come from the same files, this pair has the newer models, so its hop replaces the other one.
    guard names != files else { return add(edge, pair) }
    add(
      .broken(
        DiagnosticList([
          Diagnostic(
            .error, code: "mapping.several-mappings",
            problem: "\((names + files).quotedList) are for the same versions: \(present.title) and "
              + "\(other.title) have the same version hashes",
            remedy: "keep one of them")
        ])), pair)
  }

  /// Returns the hop that mapping files define, the files' names, and true if the files state that they are for these
  /// versions; `nil` if no files define a hop.
  private static func edge(
    _ source: ManagedObjectModel, _ destination: ManagedObjectModel, _ search: MappingSearch, areNeighbors: Bool
  ) -> (edge: Edge, files: [String], areStated: Bool)? {
    do {
      guard
        let found = try areNeighbors
          ? search.found(from: source, to: destination) : search.stated(from: source, to: destination)
      else { return nil }
      let files = found.candidates.map(\.file)
      let hop = MigrationHop(
        sourceModel: source, destinationModel: destination, mappings: found.candidates.compactMap(\.mappingModel),
        origin: .files(files))
      return (.hop(hop), files, found.areStated)
    } catch {
      // A missing file is not an error. But an unreadable file might be the missing one, so nothing may be inferred in
      // its place; between versions that are not neighbors, no file is expected.
      let isMissing = error.diagnostics.contains { $0.code == "mapping.no-mapping" }
      let mistakes = error.diagnostics.filter { $0.code != "mapping.no-mapping" }
      guard !mistakes.isEmpty, areNeighbors || !isMissing else { return nil }
      return (.broken(DiagnosticList(mistakes)), [], true)
    }
  }

  /// Refuses a file that does not state its versions and fits several hops, because it must not run in each of them.
  private mutating func refuseUndecided(_ unstated: [Pair: [String]], _ search: MappingSearch) {
    for file in Set(unstated.values.joined()).sorted() {
      let pairs = unstated.filter { $0.value.contains(file) }.keys.sorted()
      guard pairs.count > 1 else { continue }
      let kind = search.candidates.first { $0.file == file }?.kind ?? .written
      let fitting = pairs.map { "\(name($0.source)) → \(name($0.destination))" }.joined(separator: ", ")
      let mistake = Diagnostic(
        .error, code: "mapping.undecided-mapping",
        problem: "mapping file \(file.quotedName) does not say which versions it is for, and it fits several hops: "
          + fitting,
        remedy: kind == .written
          ? "write source=\"…\" and destination=\"…\" on its <mapping-model>"
          : "choose its models again in Xcode, or turn it into a mapping file with 'heavylift convert --from … --to …'")
      for pair in pairs { add(.broken(DiagnosticList([mistake])), pair) }
    }
  }

  private mutating func refuseMisspelled(_ search: MappingSearch) {
    for file in search.unmatched {
      let places = [file.likelySource, file.likelyDestination].compactMap { likely in
        models.firstIndex { $0.name == likely }.map { twins[$0] }
      }
      guard !file.mistakes.isEmpty, places.count == 2, places[0] != places[1], stated[places[0]][places[1]] == nil
      else {
        unmatched.append(file)
        continue
      }
      add(.broken(DiagnosticList(file.mistakes)), Pair(source: places[0], destination: places[1]))
    }
  }

  // MARK: Stages

  /// Adds the step of a stage, unless there is a mapping file for its versions.
  private mutating func add(_ stage: StageHop) {
    guard let source = models.firstIndex(where: { $0.isSameVersion(as: stage.source) }),
      let destination = models.firstIndex(where: { $0.isSameVersion(as: stage.destination) })
    else { return }
    switch stated[source][destination] {
    case .hop(var hop):
      hop.overriddenStage = stage.stage
      stated[source][destination] = .hop(hop)
    case .broken: return
    case nil: stated[source][destination] = stage.edge
    }
  }

  // MARK: Inferring

  /// The attempt to infer a hop to the next version.
  private enum Inference {
    case edge(Edge)
    case refused(DiagnosticList)
  }

  private func inference(from source: Int) -> Inference {
    if let known = inferences.withLock({ $0[source] }) { return known }
    let inference = infer(from: source)
    inferences.withLock { $0[source] = inference }
    return inference
  }

  private func infer(from source: Int) -> Inference {
    let (old, new) = (models[source], models[source + 1])
    if let mistake = search.misnamed(from: old, to: new) { return .edge(.broken(DiagnosticList([mistake]))) }
    do {
      let mapping = try MappingModel.inferred(from: old, to: new)
      return .edge(
        .hop(MigrationHop(sourceModel: old, destinationModel: new, mappings: [mapping], origin: .inferred)))
    } catch {
      return .refused(error)
    }
  }

  /// The versions that are the given one, and between which and the next version nothing but inference leads.
  private func inferring(from model: Int) -> [Int] {
    guard infersMissing else { return [] }
    return models.indices.dropLast().filter {
      twins[$0] == model && twins[$0 + 1] != model && stated[model][twins[$0 + 1]] == nil
    }
  }

  /// The hops from a model, by the index of their destination.
  func edges(from model: Int) -> [Int: Edge] {
    inferring(from: model).reduce(into: stated[model]) { edges, source in
      guard edges[twins[source + 1]] == nil, case .edge(let edge) = inference(from: source) else { return }
      edges[twins[source + 1]] = edge
    }
  }

  /// True if a mapping to the next version can be inferred, and nothing else leads from a version, or the next one has the
  /// same hashes.
  func isOnlyInferred(from model: Int) -> Bool {
    let next = twins[model + 1]
    guard twins[model] != next else { return true }
    let edges = edges(from: twins[model])
    guard edges.count == 1, case .hop(let hop)? = edges[next] else { return false }
    return hop.origin == .inferred
  }

  /// The reasons a mapping could not be inferred, by the index of its source model.
  var refusals: [Int: DiagnosticList] {
    models.indices.reduce(into: [:]) { refusals, model in
      for source in inferring(from: model) {
        if case .refused(let reasons) = inference(from: source) { refusals[model] = reasons }
      }
    }
  }

  /// Returns a copy of the graph that also has every jump across versions that can be inferred, not yet compared with
  /// the hops that it replaces.
  func allowingJumps() -> MigrationGraph {
    var graph = self
    guard infersMissing else { return graph }
    let (edges, refusals) = (models.indices.map { self.edges(from: $0) }, refusals)
    for source in models.indices {
      for destination in models.indices.dropFirst(source + 2)
      where twins[source] != twins[destination] && edges[twins[source]][twins[destination]] == nil {
        let skipped = (source + 1..<destination).filter {
          twins[$0] != twins[source] && twins[$0] != twins[destination]
        }
        guard !skipped.isEmpty,
          let mapping = try? MappingModel.inferred(from: models[source], to: models[destination])
        else { continue }
        graph.jumpedVersions[Pair(source: twins[source], destination: twins[destination])] = source...destination
        graph.stated[twins[source]][twins[destination]] = .hop(
          MigrationHop(
            sourceModel: models[source], destinationModel: models[destination], mappings: [mapping], origin: .inferred,
            jump: jump(from: source, over: skipped, to: destination, edges, refusals)))
      }
    }
    return graph
  }

  private func jump(
    from source: Int, over skipped: [Int], to destination: Int, _ edges: [[Int: Edge]],
    _ refusals: [Int: DiagnosticList]
  ) -> MigrationJump {
    let places = Set(([source] + skipped + [destination]).map { twins[$0] })
    let origins = places.sorted().flatMap { from in
      edges[from].sorted { $0.key < $1.key }.filter { places.contains($0.key) }.compactMap {
        _, edge -> MigrationHop.Origin? in
        if case .hop(let hop) = edge { hop.origin } else { nil }
      }
    }
    let files = origins.flatMap { origin -> [String] in
      if case .files(let names) = origin { names } else { [] }
    }
    let stages = origins.compactMap { origin -> String? in
      guard case .stage(let stage, _) = origin, !stage.handlers.isEmpty else { return nil }
      return "\(stage.title) (\(stage.handlers.map(\.title).joined(separator: ", ")))"
    }
    return MigrationJump(
      skippedVersions: skipped.map { models[$0].name ?? "version \($0 + 1)" },
      reasons: ([source] + skipped).compactMap { refusals[twins[$0]] }.flatMap(\.diagnostics), skippedFiles: files,
      skippedStages: stages, differences: [])
  }

  /// Returns a copy of the graph whose jumps along a path are compared with the hops that they replace. Comparing takes
  /// much longer than inferring.
  func comparingJumps(along path: [Int]) -> MigrationGraph {
    var graph = self
    for (source, destination) in zip(path, path.dropFirst()) {
      guard case .hop(var hop)? = stated[source][destination],
        let versions = jumpedVersions[Pair(source: source, destination: destination)]
      else { continue }
      hop.jump?.differences = JumpComparison(Array(models[versions])).differences
      graph.stated[source][destination] = .hop(hop)
    }
    return graph
  }
}

extension MigrationGraph {
  /// Returns every shortest path from one model to another; empty if there is no path.
  func shortestPaths(from source: Int, to destination: Int, atMost limit: Int = 8) -> [[Int]] {
    var paths = [[source]]
    var seen: Set<Int> = [source]
    while !paths.isEmpty {
      let found = paths.filter { $0.last == destination }
      if !found.isEmpty { return Array(found.prefix(limit)) }
      var longer: [[Int]] = []
      for path in paths {
        for next in edges(from: path[path.count - 1]).keys.sorted() where !seen.contains(next) {
          longer.append(path + [next])
        }
      }
      seen.formUnion(longer.compactMap(\.last))
      // A thousand paths are enough to know that there are several.
      paths = Array(longer.prefix(1_000))
    }
    return []
  }

  /// Returns the path that skips the fewest versions; among several such paths, the shortest; among several of those,
  /// the one that goes hop by hop for as long as possible. Returns `nil` if there is no path.
  func pathSkippingLeast(from source: Int, to destination: Int) -> [Int]? {
    var best: [Int: PathCost] = [source: PathCost(skipped: 0, path: [source])]
    var open: Set<Int> = [source]
    while let next = open.min(by: { best[$0, default: .none] < best[$1, default: .none] }) {
      open.remove(next)
      let cost = best[next, default: .none]
      if next == destination { return cost.path }
      for (target, edge) in edges(from: next) where !cost.path.contains(target) {
        let candidate = PathCost(skipped: cost.skipped + edge.skippedCount, path: cost.path + [target])
        if let known = best[target], known <= candidate { continue }
        best[target] = candidate
        open.insert(target)
      }
    }
    return nil
  }

  /// Returns all models that can be reached through hops, including the first one.
  func reachable(from source: Int) -> Set<Int> {
    var found: Set<Int> = [source]
    var open = [source]
    while let next = open.popLast() {
      for other in edges(from: next).keys where found.insert(other).inserted { open.append(other) }
    }
    return found
  }

  /// Returns true if hops lead from a model back to the same model.
  func isOnCircle(_ model: Int) -> Bool { edges(from: model).keys.contains { reachable(from: $0).contains(model) } }
}

private struct PathCost: Comparable {
  var skipped: Int
  var path: [Int]

  static let none = PathCost(skipped: .max, path: [])

  static func < (one: PathCost, other: PathCost) -> Bool {
    if one.skipped != other.skipped { return one.skipped < other.skipped }
    if one.path.count != other.path.count { return one.path.count < other.path.count }
    return one.path.lexicographicallyPrecedes(other.path)
  }
}

extension MigrationGraph.Edge {
  /// The number of versions that the hop skips because it was inferred as a jump.
  var skippedCount: Int {
    if case .hop(let hop) = self { hop.jump?.skippedVersions.count ?? 0 } else { 0 }
  }
}
