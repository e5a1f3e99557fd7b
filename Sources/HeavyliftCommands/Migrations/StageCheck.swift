import Heavylift
import HeavyliftXML

/// The check of a tool's stages against the versions of a model.
struct StageCheck {
  /// The mistakes.
  private(set) var diagnostics: [Diagnostic] = []
  /// The manager of the stages; `nil` if they have mistakes, apart from steps that no mapping can be inferred for.
  private(set) var manager: StagedMigrationManager?
  private var history: MigrationHistory?

  /// - Parameter files: The paths of the models, oldest version first. Mappings are ignored.
  init(_ files: [String], _ io: CommandIO) {
    // A path that is not a model, or cannot be read, is reported by the check of the files.
    let sources = files.compactMap { try? ModelSource(path: $0, url: io.url($0)) }
    let versions = sources.flatMap(\.versions).map(\.model)
    let stages = io.code.stages(forModelsAt: sources.map(\.path), versions: versions)
    guard !stages.isEmpty else {
      diagnostics = [Self.noStages(models: sources, others: io.code.stagesByModel.keys.sorted())]
      return
    }
    do {
      let manager = try StagedMigrationManager(stages, versions: versions)
      self.manager = manager
      history = manager.history
      diagnostics = manager.mistakesOfInference()
    } catch let error as StagedMigrationError {
      diagnostics = error.diagnostics
    } catch {
      diagnostics = ErrorReport(error).diagnostics
    }
  }

  private static func noStages(models: [ModelSource], others: [String]) -> Diagnostic {
    guard !others.isEmpty else {
      return Diagnostic(
        .error, code: "stage.no-stages", problem: "no stages are registered in this tool",
        remedy: "build a tool of your own that has them: 'tool.code.stages = [...]'")
    }
    let name = models.first.map { MigrationCode.modelName(path: $0.path) } ?? "NAME"
    return Diagnostic(
      .error, code: "stage.no-stages",
      problem: "this tool has no stages for these models, only for \(others.quotedList)",
      remedy: "register them: 'tool.code.stagesByModel[\"\(name)\"] = [...]'")
  }

  private func title(_ version: Int) -> String { (history?.versions[version].name ?? "unnamed").quotedName }

  /// One line for each step.
  var lines: [String] {
    (history?.edges ?? []).map { edge in
      let handlers = edge.stage.handlers.map(\.title).joined(separator: ", ")
      return "\(title(edge.source)) → \(title(edge.destination)), by \(edge.stage.title)"
        .shown + (handlers.isEmpty ? "" : " (\(handlers.shown))")
    }
  }

  var json: JSONValue {
    .array(
      (history?.edges ?? []).map { edge in
        .object([
          ("from", .optional(history?.versions[edge.source].name)),
          ("to", .optional(history?.versions[edge.destination].name)), ("stage", edge.stage.json),
        ])
      })
  }
}
