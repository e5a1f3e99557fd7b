import HeavyliftModel

extension MigrationGraph {
  /// Returns the shortest path of hops from one model to another.
  ///
  /// - Parameter allowsJumps: True to infer mappings across versions if there is no other path.
  /// - Throws: an error that shows the available hops, if no path leads to the destination, or several paths are
  ///   equally short.
  func path(from source: Int, to destination: Int, allowsJumps: Bool = false) throws -> [MigrationHop] {
    let paths = shortestPaths(from: twins[source], to: twins[destination])
    guard let path = paths.first else {
      let jumping = try jumpingPath(from: source, to: destination)
      if allowsJumps, let jumping { return jumping }
      if let mistake = misnamedFile(from: source) { throw DiagnosticList([mistake]) }
      throw missingPath(from: source, to: destination, jumps: (jumping ?? []).filter { $0.jump != nil })
    }
    guard paths.count == 1 else { throw severalPaths(paths) }
    return try hops(along: path)
  }

  private func hops(along path: [Int]) throws -> [MigrationHop] {
    try zip(path, path.dropFirst()).flatMap { from, to -> [MigrationHop] in
      switch edges(from: from)[to] {
      case .hop(var hop)?:
        let continuation = hop.continuation
        hop.continuation = []
        return [hop] + continuation
      case .broken(let mistakes)?: throw mistakes
      case nil: return []
      }
    }
  }

  /// Returns a path that includes jumps across versions; `nil` if there is no path even with jumps.
  private func jumpingPath(from source: Int, to destination: Int) throws -> [MigrationHop]? {
    let graph = allowingJumps()
    return try graph.pathSkippingLeast(from: twins[source], to: twins[destination]).map { path in
      try graph.comparingJumps(along: path).hops(along: path)
    }
  }

  func name(_ model: Int) -> String { "'\(models[model].statedTitle ?? "version \(model + 1)")'" }

  private func severalPaths(_ paths: [[Int]]) -> MigrationError {
    let drawn = paths.map { "\n  - " + $0.map(name).joined(separator: " → ") }.joined()
    return MigrationError(
      .severalPaths,
      problem: "\(paths.count) paths of equal length lead from \(name(paths[0][0])) to "
        + "\(name(paths[0][paths[0].count - 1])):\(drawn)",
      remedy: "remove the mapping files of the paths you do not want, or migrate to a version in between first")
  }

  private func missingPath(
    from source: Int, to destination: Int, jumps: [MigrationHop]
  ) -> MigrationError {
    let found = reachable(from: source)
    let isCircle = isOnCircle(source)
    let isNewer = isKnown(source, newerThan: destination)
    let way = "from \(name(source)) to \(name(destination))"
    var problem =
      isCircle
      ? "the existing mappings form a cycle, and none leads \(way)"
      : isNewer
        ? "the store has version \(name(source)), which is newer than \(name(destination)), and no mappings lead back"
        : "no mappings lead \(way)"
    problem += ":\(drawing(reached: found))"
    let refusals = refusals
    let refused = found.sorted().compactMap { refusals[$0] }.flatMap(\.diagnostics).prefix(4)
    if !refused.isEmpty {
      problem += "\n  no other mapping can be inferred:" + refused.map { "\n  - \($0.problem)" }.joined()
    }
    problem += unmatchedFiles
    for hop in jumps {
      problem +=
        "\n  a jump \(hop.title) over \((hop.jump?.skippedVersions ?? []).quotedList) can be inferred, with these "
        + "consequences:\(hop.jump?.summary ?? "")"
    }
    let kind: MigrationError.Kind = isCircle ? .circle : isNewer ? .newerVersion : .noPath
    return MigrationError(
      kind, problem: problem,
      remedy: remedy(kind, from: found, to: destination)
        + (source > destination && !isNewer
          ? "; if \(name(source)) is the newer one, use the program that wrote it" : "")
        + (jumps.isEmpty ? "" : ", or pass allowsJumps: true to accept what the jump skips"),
      underlying: refused.isEmpty ? nil : DiagnosticList(Array(refused)))
  }

  /// True if stages, mappings or names confirm that a version is newer than one that precedes it in the list.
  ///
  /// The versions of a bundle are ordered by name, so the order of `Shop 5` and `Store v2.7` means nothing, and models may
  /// have been given newest first.
  private func isKnown(_ version: Int, newerThan other: Int) -> Bool {
    guard version > other else { return false }
    if !stages.isEmpty || !shortestPaths(from: twins[other], to: twins[version]).isEmpty { return true }
    guard let one = models[version].name, let two = models[other].name else { return false }
    if one.versionStem == two.versionStem { return !one.precedesAsCounted(two) }
    // An order other than that of the names is the author's.
    let names = models.compactMap(\.name)
    return names.count == models.count && zip(names, names.dropFirst()).contains { $1.precedesAsCounted($0) }
  }

  /// Returns the mistake of a file that would fill a gap behind the versions that can be reached.
  private func misnamedFile(from source: Int) -> Diagnostic? {
    let found = reachable(from: source)
    return models.indices.dropLast().lazy.filter {
      found.contains(twins[$0]) && edges(from: twins[$0])[twins[$0 + 1]] == nil
    }
    .compactMap { search.misnamed(from: models[$0], to: models[$0 + 1]) }.first
  }

  private func remedy(
    _ kind: MigrationError.Kind, from found: Set<Int>, to destination: Int
  ) -> String {
    guard kind != .newerVersion else {
      return "use the program that wrote the store, or a newer one; nothing was changed"
    }
    // The gap is between the last version that can be reached and the first from which the path continues.
    let last = found.filter { $0 < destination }.max()
    let next = models.indices.first { index in
      twins[index] == index && !found.contains(index)
        && (index == destination || !shortestPaths(from: index, to: destination).isEmpty)
    }
    guard let last, let next else { return "write a mapping file that leads to \(name(destination))" }
    let between = models.indices.filter { $0 > last && $0 < next && twins[$0] == $0 }
    let inferring =
      (stages.isEmpty ? "" : ", or add a stage")
      + (refusals.isEmpty && next > last ? ", or ask for the missing mappings to be inferred" : "")
    guard between.isEmpty else {
      return "write a mapping file from \(name(last)) to \(name(between[0])), and on to \(name(next))\(inferring)"
    }
    return "write a mapping file from \(name(last)) to \(name(next))\(inferring)"
  }

  /// Unused files that the author may have expected to be used.
  private var unmatchedFiles: String {
    unmatched.prefix(4).map { file in
      let names = [file.source, file.destination].map { $0.map(\.quotedName) ?? "any" }
      let likely = file.mistakes.compactMap(\.remedy).map { "; \($0)" }.joined()
      return "\n  not used: \(file.file.quotedName), which leads from \(names[0]) to \(names[1])\(likely)"
    }.joined()
  }

  /// One line for each model, with the hops that start at it; one for a long series of models without hops.
  private func drawing(reached: Set<Int>) -> String {
    var lines: [String] = []
    // A long history may have no hops at all.
    var dead: [Int] = []
    func endDeadVersions() {
      if dead.count > Self.mostDeadVersions, let first = dead.first, let last = dead.last {
        lines.append("\n  \(name(first)) to \(name(last)), \(dead.count) versions → nothing")
      } else {
        lines += dead.map { "\n  \(name($0)) → nothing" }
      }
      dead = []
    }
    for index in models.indices {
      guard twins[index] == index else {
        endDeadVersions()
        lines.append("\n  \(name(index)), which has the same version hashes as \(name(twins[index]))")
        continue
      }
      guard !edges(from: index).isEmpty else {
        dead.append(index)
        continue
      }
      endDeadVersions()
      let hops = edges(from: index).sorted { $0.key < $1.key }.map { destination, edge in
        switch edge {
        case .hop(let hop): "\(name(destination)) (\(Self.word(hop.origin)))"
        case .broken: "\(name(destination)) (a mapping with mistakes)"
        }
      }
      lines.append("\n  \(name(index)) → \(hops.joined(separator: ", "))")
    }
    endDeadVersions()
    return lines.joined()
  }

  /// The largest number of neighboring versions without hops that get a line each.
  private static let mostDeadVersions = 4

  private static func word(_ origin: MigrationHop.Origin) -> String {
    switch origin {
    case .inferred: "inferred"
    case .files(let names): names.joined(separator: " + ")
    case .stage(let stage, _): stage.title
    }
  }
}
