import Heavylift

/// A version as a model file states it.
struct FrozenForm {
  let model: ManagedObjectModel
  /// The parts that a model file cannot state, such as default values of binary attributes: errors if they change a
  /// version hash, and otherwise warnings.
  let diagnostics: [Diagnostic]

  init(_ version: ModelBundle.Version) throws(DiagnosticList) {
    let unwritable = Self.unwritablePlaces(in: version.model)
    guard unwritable.isEmpty else {
      throw DiagnosticList([
        Diagnostic(
          .error, code: "schema.not-representable",
          problem: "version \(version.name.quotedName) has characters that a model file cannot state: in "
            + unwritable.joined(separator: ", "),
          remedy: "remove them from the default values and the user info")
      ])
    }
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

  /// The parts of a model with characters that XML cannot represent, in words.
  private static func unwritablePlaces(in model: ManagedObjectModel) -> [String] {
    func isUnwritable(_ model: ManagedObjectModel) -> Bool {
      ModelWriter.unwritableCharacter(in: ModelWriter.text(of: model)) != nil
    }
    guard isUnwritable(model) else { return [] }
    let places = model.entities.flatMap { entity in
      entity.attributes.filter { attribute in
        isUnwritable(ManagedObjectModel(entities: [EntityDescription(name: "", attributes: [attribute])]))
      }.map { "attribute \($0.name.quotedName) of entity \(entity.name.quotedName)" }
    }
    return places.isEmpty ? ["its user info or its names"] : places
  }
}
