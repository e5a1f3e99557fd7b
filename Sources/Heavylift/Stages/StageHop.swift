import HeavyliftMapping
import HeavyliftModel

/// The hops that carry out a stage's step between two neighboring versions.
struct StageHop: Sendable {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let stage: MigrationHistory.Stage

  /// The first hop, with those that follow it as its continuation, or the reasons why there can be none.
  var edge: MigrationGraph.Edge { edge(orCode: Self.handlerRemedy) }

  /// The remedy for a lightweight stage, in the engine's own terms.
  static let handlerRemedy = "use a custom stage with a handler"

  /// - Parameter code: The remedy for a lightweight stage: code that does what cannot be inferred.
  func edge(orCode code: String) -> MigrationGraph.Edge {
    do {
      return .hop(try hop())
    } catch {
      return .broken(DiagnosticList(error.diagnostics.map { refusal($0, orCode: code) }))
    }
  }

  private func hop() throws(DiagnosticList) -> MigrationHop {
    if stage.handlers.isEmpty { return inferred(try MappingModel.inferred(from: source, to: destination)) }
    var refusals: DiagnosticList?
    if stage.handlers == [.willMigrate] {
      // A handler that only prepares the old objects does not need the properties of both versions.
      let (mapping, found) = MappingModel.inferring(from: source, to: destination)
      if found.isEmpty { return inferred(mapping) }
      refusals = DiagnosticList(found)
    }
    let intermediate = try IntermediateModel(from: source, to: destination)
    // No handler could convert the old values.
    if let refusals, !intermediate.conversions.isEmpty { throw refusals }
    guard let contraction = intermediate.contraction else {
      return MigrationHop(
        sourceModel: source, destinationModel: destination, mappings: [intermediate.expansion],
        origin: .stage(stage, .whole))
    }
    var hop = MigrationHop(
      sourceModel: source, destinationModel: intermediate.model, mappings: [intermediate.expansion],
      origin: .stage(stage, .expansion))
    hop.intermediate = intermediate
    hop.continuation = [
      MigrationHop(
        sourceModel: intermediate.model, destinationModel: destination, mappings: [contraction],
        origin: .stage(stage, .contraction))
    ]
    return hop
  }

  private func inferred(_ mapping: MappingModel) -> MigrationHop {
    MigrationHop(
      sourceModel: source, destinationModel: destination, mappings: [mapping], origin: .stage(stage, .whole))
  }

  private func refusal(_ reason: Diagnostic, orCode code: String) -> Diagnostic {
    let versions = "\(source.title.quotedName) → \(destination.title.quotedName)"
    return Diagnostic(
      .error, code: "stage.not-inferred", problem: "\(stage.title) cannot migrate \(versions): \(reason.problem)",
      remedy: (reason.remedy ?? "write a mapping file for these versions")
        + (stage.handlers.contains { $0 != .willMigrate } ? "" : "; or \(code)"),
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
