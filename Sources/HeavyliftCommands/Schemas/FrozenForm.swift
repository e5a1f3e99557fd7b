import Heavylift

/// A version as a model file states it.
struct FrozenForm {
  let model: ManagedObjectModel
  /// The parts that a model file cannot state, such as default values of binary attributes: errors if they change a
  /// version hash, and otherwise warnings.
  let diagnostics: [Diagnostic]

  init(_ version: ModelBundle.Version) throws(DiagnosticList) {
    model = try ModelReader.read(text: ModelWriter.text(of: version.model)).validModel()
    let lost = VersionDrift(of: version.name, from: version.model, to: model)
    guard !lost.isEmpty else {
      diagnostics = []
      return
    }
    diagnostics = [
      Diagnostic(
        lost.difference.changesVersionHashes ? .error : .warning, code: "schema.not-representable",
        problem: "version \(version.name.quotedName) has parts that a model file cannot state: "
          + lost.facts.joined(separator: "; "),
        remedy: "if they matter, keep the classes of this version, too")
    ]
  }
}
