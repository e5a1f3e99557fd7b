import HeavyliftModel

extension MigrationPair {
  /// Introduces one mistake after another into the mapping or the stages, and into the migrated store, and checks each
  /// time that the expectations detect it.
  ///
  /// A test that detects none of them tests nothing. Neither does a test whose graph has no object that a mistake
  /// affects: such mistakes are in the report's `uncovered`, with the object that the graph lacks.
  ///
  /// - Parameters:
  ///   - graph: The contents of the old store.
  ///   - expected: The expected contents of the migrated store; `nil` to use only the verifier.
  ///   - excluded: The names of mistakes that no object can show.
  ///   - check: Returns other mistakes in a migration, of kinds that no graph can express.
  public func mutate(
    _ graph: ObjectGraph, expecting expected: ObjectGraph? = nil, excluding excluded: Set<String> = [],
    checking check: (TestedMigration) throws -> [String] = { _ in [] }
  ) throws -> MutationReport {
    let migration = try migrate(graph)
    var trial = MutationTrial(sound: migration, graph: graph, expected: expected)
    let mutations =
      MappingMutations(self, graph).all + StageMutations(self).all
      + StoreMutations(migration.graph, expected: expected, model: destinationModel).all
    for mutation in mutations { try trial.judge(mutation, check) }
    trial.findUncoveredInStages()
    trial.report.exclude(excluded, known: mutations.map(\.name))
    return trial.report
  }
}

/// Judges mutations of one migration.
private struct MutationTrial {
  let sound: TestedMigration
  let graph: ObjectGraph
  let expected: ObjectGraph?
  var report = MutationReport()

  mutating func judge(_ mutation: Mutation, _ check: (TestedMigration) throws -> [String]) throws {
    guard let mutant = try mutant(mutation) else { return }
    let told = mutant.failures(expecting: expected).map(\.description)
    let messages = told + ((try? check(mutant)) ?? ["the check ends with an error"])
    if let telling = messages.first(where: { message in mutation.place.allSatisfy(message.contains) }) {
      report.killed[mutation.name] = telling
    } else if let first = messages.first {
      report.misplaced[mutation.name] = first
    } else if !differences(mutant, isStrict: false).isEmpty {
      report.survived.append(mutation.name)
    } else if let wider = mutation.onBothSides.first {
      try judge(wider, check)
    } else if let lack = mutation.lack {
      let isOpen = differences(mutant, isStrict: true).contains { $0.propertyName == mutation.property }
      report.uncovered[mutation.name] =
        isOpen && mutation.property != nil
        ? "an expected value of \(mutation.place.joined()): the expected graph leaves it open, and no other check detects "
          + "the mistake" : lack
    }
  }

  /// Returns the migration with a mutation; `nil` if the engine refuses it, or if the mutation does not apply.
  private mutating func mutant(_ mutation: Mutation) throws -> TestedMigration? {
    switch mutation.kind {
    case .pair(let other):
      do {
        return try TestedMigration(sound.pair, graph, carriedOutBy: other)
      } catch {
        // The engine itself refuses the mutated mapping or stage, which is as good as a failing test.
        report.killed[mutation.name] = "\(error)"
        return nil
      }
    case .store(let change):
      // Fails if the mutation does not apply here, or if no store can hold its result.
      return try? TestedMigration(sound.pair, graph, altering: change)
    }
  }

  /// Returns the differences of a mutant from the sound migration.
  ///
  /// - Parameter isStrict: False to ignore what the expectation leaves open.
  private func differences(_ mutant: TestedMigration, isStrict: Bool) -> [GraphDifference] {
    var graph = sound.graph
    if !isStrict {
      let open = Dictionary(
        (expected?.objects ?? []).map { ($0.name, $0.openProperties) }, uniquingKeysWith: { first, _ in first })
      for index in graph.objects.indices {
        graph.objects[index].openProperties = open[graph.objects[index].name] ?? []
      }
    }
    return GraphComparison(expected: graph, found: mutant.graph, model: sound.pair.destinationModel).differences
  }

  /// Finds what the graph lacks for the entity mappings of stages, which are inferred and cannot be mutated.
  mutating func findUncoveredInStages() {
    guard sound.pair.stages != nil, let hop = sound.hops.first else { return }
    for mapping in hop.completes {
      guard let name = mapping.sourceEntityName, mapping.destinationEntityName != nil,
        let entity = hop.sourceModel.entity(named: name), !entity.isAbstract,
        !graph.objects.contains(where: { $0.entityName == name })
      else { continue }
      report.uncovered["exclude all objects of \(mapping.name.quotedName)"] = LackingObject(takenBy: mapping).text
    }
  }
}

extension MutationReport {
  /// Moves uncovered mutations that were excluded by name, and finds names that exclude nothing.
  fileprivate mutating func exclude(_ names: Set<String>, known: [String]) {
    for name in names.sorted() {
      if uncovered.removeValue(forKey: name) != nil {
        excluded.append(name)
      } else if killed[name] != nil {
        uselessExclusions[name] = "a check detects it"
      } else if survived.contains(name) || misplaced[name] != nil {
        uselessExclusions[name] = "the graph shows it"
      } else {
        uselessExclusions[name] =
          "there is no such mutation; " + (known + uncovered.keys).suggestion(for: name, kind: "mutation")
      }
    }
  }
}
