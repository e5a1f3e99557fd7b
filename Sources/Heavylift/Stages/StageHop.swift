import HeavyliftMapping
import HeavyliftModel

/// The hops that carry out a stage's step between two neighboring versions.
struct StageHop: Sendable {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let stage: MigrationHistory.Stage

  /// The hops, or the reasons why they cannot be inferred.
  var edge: MigrationGraph.Edge {
    do {
      return .hop(try inferred())
    } catch {
      return .broken(DiagnosticList(error.diagnostics.map(refusal)))
    }
  }

  private func inferred() throws(DiagnosticList) -> MigrationHop {
    MigrationHop(
      sourceModel: source, destinationModel: destination,
      mappings: [try MappingModel.inferred(from: source, to: destination)], origin: .stage(stage, .whole))
  }

  private func refusal(_ reason: Diagnostic) -> Diagnostic {
    let versions = "\((source.name ?? "unnamed").quotedName) → \((destination.name ?? "unnamed").quotedName)"
    return Diagnostic(
      .error, code: "stage.not-inferred", problem: "\(stage.title) cannot migrate \(versions): \(reason.problem)",
      remedy: (reason.remedy.map { "\($0); or " } ?? "")
        + (stage.handlers.isEmpty
          ? "use a custom stage with a handler, or write a mapping file for these versions"
          : "write a mapping file for these versions"),
      location: reason.location)
  }
}

extension MigrationHistory {
  /// The hops of all steps.
  var hops: [StageHop] {
    edges.map { edge in
      StageHop(source: versions[edge.source], destination: versions[edge.destination], stage: edge.stage)
    }
  }
}
