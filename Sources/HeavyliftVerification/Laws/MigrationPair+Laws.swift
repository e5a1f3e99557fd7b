import HeavyliftModel

extension MigrationPair {
  /// Checks the laws that every correct migration obeys, on stores generated from seeds.
  ///
  /// ```swift
  /// let report = try pair.lawReport(options: MigrationLawOptions(values: ["Track.json": ["{}", "not JSON"]]))
  /// print(report)  // 'Music 1' → 'Music 2', seeds 0..<20: 20 stores with 87 objects: all laws hold
  /// ```
  ///
  /// A store that breaks a law is made as small as possible while it still breaks that law. The report has only the
  /// first seed for each broken law.
  ///
  /// - Parameters:
  ///   - rest: The pairs that follow in a chain, for the laws about chains.
  ///   - options: The stores to generate and the laws to check.
  /// - Throws: `DiagnosticList` if the options name unknown attributes, `Diagnostic` if no store of the old version can
  ///   be created. Problems with the mapping are in the report.
  public func lawReport(
    followedBy rest: [MigrationPair] = [], options: MigrationLawOptions = MigrationLawOptions()
  ) throws -> MigrationLawReport {
    let mistakes = RandomGraph.mistakes(in: options.values.keys, sourceModel)
    guard mistakes.isEmpty else { throw DiagnosticList(mistakes) }
    var report = MigrationLawReport(title: title, seeds: options.seeds)
    let cases = FilterCase.all(of: self)
    for seed in options.seeds {
      let graph = RandomGraph(
        sourceModel, seed: seed, objectsPerEntity: options.objectsPerEntity, values: options.values,
        includesExtremes: options.includesExtremes, cases: cases
      ).graph
      let trial = LawTrial(self, rest, graph, seed: seed)
      try trial.makeStore()
      if let refusal = trial.refusal, options.mayRefuse(refusal) {
        report.refused += 1
        continue
      }
      report.stores += trial.refusal == nil ? 1 : 0
      report.objects += trial.refusal == nil ? graph.objects.count : 0
      for law in MigrationLaw.allCases
      where options.laws.contains(law) && !report.violations.contains(where: { $0.law == law }) {
        let mistakes = trial.mistakes(against: law)
        guard !mistakes.isEmpty else { continue }
        let least = LawShrinking(law, trial, options).least
        report.violations.append(
          MigrationLawViolation(
            law: law, seed: seed, title: title, mistakes: least.mistakes, graph: least.graph,
            graphText: least.graph.json(model: sourceModel)))
      }
    }
    return report
  }

  /// The versions: `'Music 1' → 'Music 2'`.
  var title: String { "'\(sourceModel.title)' → '\(destinationModel.title)'" }
}
