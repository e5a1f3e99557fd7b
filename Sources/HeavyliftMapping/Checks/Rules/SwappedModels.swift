import HeavyliftModel

/// The models must not be swapped.
///
/// Everything else that is wrong with such a mapping is a consequence.
struct SwappedModels {
  private static let consequences: Set<String> = [
    "mapping.unknown-entity", "mapping.unknown-property", "expression.unknown-key",
  ]
  /// A single missing name is more likely a typo.
  private static let fewestNames = 2

  /// - Parameter found: The diagnostics to report if the models are not swapped.
  func diagnostic(for mapping: MappingIndex, found: [Diagnostic]) -> Diagnostic? {
    let complete = mapping.complete
    let (source, destination) = (complete.sourceModel, complete.destinationModel)
    let written = complete.mappingModel
    let location = written.markup.location(of: "source")
    if found.contains(where: { $0.code == "mapping.other-model" }), written.source.isMeaning(destination, not: source),
      written.destination.isMeaning(source, not: destination)
    {
      let names = written.missingNames(from: source, to: destination, suggestsNames: false)
      if !written.source.isPinned, !written.destination.isPinned, names.isEmpty,
        !written.missingNames(from: destination, to: source, suggestsNames: false).isEmpty
      {
        return Diagnostic(
          .error, code: "mapping.swapped-models",
          problem:
            "the mapping says that it leads from model \(name(destination)) to model \(name(source)), but the names "
            + "in it fit only the opposite direction",
          remedy: "swap 'source' and 'destination' of 'mapping-model'", location: location)
      }
      return Diagnostic(
        .error, code: "mapping.swapped-models",
        problem:
          "the mapping leads from model \(name(destination)) to model \(name(source)), but the two models were "
          + "given in reverse order",
        remedy: "swap the two models", location: location)
    }
    // Looking up all names costs more than checking a mapping without mistakes.
    guard !written.source.isPinned, !written.destination.isPinned,
      found.contains(where: { Self.consequences.contains($0.code) })
    else { return nil }
    let missing = written.missingNames(from: source, to: destination, suggestsNames: false)
    guard missing.count >= Self.fewestNames,
      written.missingNames(from: destination, to: source, suggestsNames: false).isEmpty
    else {
      return nil
    }
    let shown = missing.prefix(3).map { $0.plainDescription }.joined(separator: ", ")
    let more = missing.count > 3 ? " and \(missing.count - 3) more" : ""
    return Diagnostic(
      .error, code: "mapping.swapped-models",
      problem:
        "the mapping leads from model \(name(source)) to model \(name(destination)), but the names in it fit only "
        + "the opposite direction; missing: \(shown)\(more)",
      remedy: "swap 'source' and 'destination' of 'mapping-model', or the models that were given",
      location: location)
  }

  private func name(_ model: ManagedObjectModel) -> String { (model.name ?? "unnamed").quotedName }
}

extension ModelReference {
  fileprivate var isPinned: Bool { checksum != nil || !fingerprints.isEmpty }

  fileprivate func isMeaning(_ model: ManagedObjectModel, not other: ManagedObjectModel) -> Bool {
    if let checksum { return checksum == model.versionChecksum && checksum != other.versionChecksum }
    guard let name else { return false }
    return name == model.name && name != other.name
  }
}

extension MissingName {
  /// The name, with the model that lacks it.
  fileprivate var plainDescription: String {
    let model = "in the \(side.rawValue) model"
    guard let property else { return "entity \(entity.quotedName) \(model)" }
    return "property \(property.quotedName) of entity \(entity.quotedName) \(model)"
  }
}
