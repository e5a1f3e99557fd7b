import HeavyliftModel

/// The models are not those that the mapping is for, only the other way round.
///
/// Everything else that would be said of such a mapping follows from that.
struct SwappedModels {
  private static let consequences: Set<String> = [
    "mapping.unknown-entity", "mapping.unknown-property", "expression.unknown-key",
  ]
  /// One name alone is more likely a slip of the pen.
  private static let fewestNames = 2

  /// - Parameter found: what there is to say otherwise.
  func diagnostic(for mapping: MappingIndex, found: [Diagnostic]) -> Diagnostic? {
    let complete = mapping.complete
    let (source, destination) = (complete.sourceModel, complete.destinationModel)
    let written = complete.mappingModel
    let location = written.markup.location(of: "source")
    if found.contains(where: { $0.code == "mapping.other-model" }), written.source.isMeaning(destination, not: source),
      written.destination.isMeaning(source, not: destination)
    {
      return Diagnostic(
        .error, code: "mapping.swapped-models",
        problem:
          "the mapping leads from model \(name(destination)) to model \(name(source)), and was given the two the "
          + "other way round",
        remedy: "exchange the two models", location: location)
    }
    // Looking for all names costs more than the check of a mapping without mistakes.
    guard !written.source.isPinned, !written.destination.isPinned,
      found.contains(where: { Self.consequences.contains($0.code) })
    else { return nil }
    let missing = written.missingNames(from: source, to: destination)
    guard missing.count >= Self.fewestNames, written.missingNames(from: destination, to: source).isEmpty else {
      return nil
    }
    let shown = missing.prefix(3).map { $0.plainDescription }.joined(separator: ", ")
    let more = missing.count > 3 ? " and \(missing.count - 3) more" : ""
    return Diagnostic(
      .error, code: "mapping.swapped-models",
      problem:
        "the mapping leads from model \(name(source)) to model \(name(destination)), and what it names fits only "
        + "the other way round: there is no \(shown)\(more)",
      remedy: "exchange 'source' and 'destination' of 'mapping-model', or the models that were given",
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
  /// Without what may have been meant, and with the model that does not have it.
  fileprivate var plainDescription: String {
    let model = "in the \(side.rawValue) model"
    guard let property else { return "entity \(entity.quotedName) \(model)" }
    return "property \(property.quotedName) of entity \(entity.quotedName) \(model)"
  }
}
