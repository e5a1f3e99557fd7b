import HeavyliftModel

extension MigrationPair {
  /// Introduces one mistake after another into the mapping or the stages, and into the migrated store, and checks each
  /// time that the expectations detect it.
  ///
  /// A test that detects none of them tests nothing. Mistakes that do not affect the objects of the graph do not count:
  /// often the other side of a relationship makes up for them.
  ///
  /// - Parameters:
  ///   - graph: The contents of the old store.
  ///   - expected: The expected contents of the migrated store; `nil` to use only the verifier.
  ///   - check: Returns other mistakes in a migration, of kinds that no graph can express.
  public func mutate(
    _ graph: ObjectGraph, expecting expected: ObjectGraph? = nil,
    checking check: (TestedMigration) throws -> [String] = { _ in [] }
  ) throws -> MutationReport {
    var report = MutationReport()
    let migration = try migrate(graph)
    let mutations =
      MappingMutations(self).all + StageMutations(self).all
      + StoreMutations(migration.graph, expected: expected, model: destinationModel).all
    for mutation in mutations {
      guard let mutant = try mutant(mutation, graph, &report) else { continue }
      let told = mutant.failures(expecting: expected).map(\.description)
      let messages = told + ((try? check(mutant)) ?? ["the check ends with an error"])
      if let telling = messages.first(where: { message in mutation.place.allSatisfy(message.contains) }) {
        report.killed[mutation.name] = telling
      } else if let first = messages.first {
        report.misplaced[mutation.name] = first
      } else if try !isLike(migration, mutant, expected) {
        report.survived.append(mutation.name)
      }
    }
    return report
  }

  /// Returns the migration with a mutation; `nil` if the engine refuses it, or if the mutation does not apply.
  private func mutant(
    _ mutation: Mutation, _ graph: ObjectGraph, _ report: inout MutationReport
  ) throws -> TestedMigration? {
    switch mutation.kind {
    case .pair(let other):
      do {
        return try TestedMigration(self, graph, carriedOutBy: other)
      } catch {
        // The engine itself refuses the mutated mapping or stage, which is as good as a failing test.
        report.killed[mutation.name] = "\(error)"
        return nil
      }
    case .store(let change):
      // Fails if the mutation does not apply here, or if no store can hold its result.
      return try? TestedMigration(self, graph, altering: change)
    }
  }

  /// Returns true if a mutation changed nothing except what the expectation leaves open.
  private func isLike(
    _ sound: TestedMigration, _ mutant: TestedMigration, _ expected: ObjectGraph?
  ) throws -> Bool {
    var graph = sound.graph
    let open = Dictionary(
      (expected?.objects ?? []).map { ($0.name, $0.openProperties) }, uniquingKeysWith: { first, _ in first })
    for index in graph.objects.indices {
      graph.objects[index].openProperties = open[graph.objects[index].name] ?? []
    }
    return GraphComparison(expected: graph, found: mutant.graph, model: destinationModel).differences.isEmpty
  }
}
