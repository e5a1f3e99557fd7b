import Heavylift
import HeavyliftXML

/// The check of a tool's stages against the versions of a model.
struct StageCheck {
  /// The mistakes.
  private(set) var diagnostics: [Diagnostic] = []
  private var history: MigrationHistory?

  /// - Parameter files: The paths of the models, oldest version first. Mappings are ignored.
  init(_ stages: [MigrationStage], _ files: [String], _ io: CommandIO) {
    guard !stages.isEmpty else {
      diagnostics = [
        Diagnostic(
          .error, code: "stage.no-stages", problem: "no stages are registered in this tool",
          remedy: "build a tool of your own that has them: 'tool.code.stages = [...]'")
      ]
      return
    }
    // A path that is not a model, or cannot be read, is reported by the check of the files.
    let versions = files.compactMap { try? ModelSource(path: $0, url: io.url($0)) }.flatMap(\.versions).map(\.model)
    do {
      let manager = try StagedMigrationManager(stages, versions: versions)
      history = manager.history
      diagnostics = manager.mistakesOfInference
    } catch let error as StagedMigrationError {
      diagnostics = error.diagnostics
    } catch {
      diagnostics = ErrorReport(error).diagnostics
    }
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
