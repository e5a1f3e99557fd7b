public import HeavyliftModel

extension ModelReference {
  /// Returns a diagnostic if a model is not the one that the reference refers to; nil unless there is evidence of
  /// that.
  ///
  /// ```swift
  /// if let mismatch = mapping.source.mismatch(with: music1, as: .source) { print(mismatch) }
  /// // error[mapping.other-model]: source model 'Music 1' is not the one that the mapping was written for: property
  /// //   'seconds' of entity 'Track' has changed
  /// //   update the mapping for this model with 'heavylift rebase', or use the model that it was written for
  /// ```
  ///
  /// The checksum identifies the version. A model with the right checksum may have any name; if its fingerprints still
  /// differ, for example in a default value, that is a warning.
  ///
  /// - Parameters:
  ///   - model: The given model.
  ///   - side: The side of the mapping that the model is used for.
  ///   - others: Models that may include the one with the pinned checksum.
  ///   - lacking: Descriptions of the names in the mapping that the model lacks.
  ///   - location: The location of the reference.
  public func mismatch(
    with model: ManagedObjectModel, as side: MappingSide, knowing others: [ManagedObjectModel] = [],
    lacking: [String] = [], location: DiagnosticLocation? = nil
  ) -> Diagnostic? {
    ModelMismatch(reference: self, model: model, side: side, others: others, lacking: lacking)
      .diagnostic(location: location)
  }
}

/// Describes why a model is not the one that a reference refers to.
private struct ModelMismatch {
  var reference: ModelReference
  var model: ManagedObjectModel
  var side: MappingSide
  var others: [ManagedObjectModel]
  var lacking: [String]

  func diagnostic(location: DiagnosticLocation?) -> Diagnostic? {
    let changes = reference.changes(in: model)
    let parts = changes.filter(\.isOfPart)
    guard reference.checksum != nil || !reference.fingerprints.isEmpty else {
      guard case .name(let meant, _)? = changes.first else { return nil }
      return error(
        "the mapping was written for \(side.rawValue) model \(meant.quotedName), not for \(shownModel)",
        remedy: "use model \(meant.quotedName), or a mapping for \(shownModel)", location)
    }
    if let checksum = changes.first(where: \.isChecksum) {
      return error(problem(checksum, parts), remedy: remedy, location)
    }
    if parts.isEmpty { return nil }
    guard reference.checksum != nil else {
      return error(
        "\(sideModel) is not the one that the mapping was written for: \(list(parts))",
        remedy: remedy, location)
    }
    return Diagnostic(
      .warning, code: "mapping.edited-model",
      problem: "\(sideModel) has changed since the mapping was written, in ways that the "
        + "checksum does not cover: \(list(parts))",
      remedy: "check that the mapping still does what it should, then pin the model again with 'heavylift rebase'",
      location: location)
  }

  private func error(_ problem: String, remedy: String, _ location: DiagnosticLocation?) -> Diagnostic {
    Diagnostic(.error, code: "mapping.other-model", problem: problem, remedy: remedy, location: location)
  }

  private var shownModel: String { model.name.map(\.quotedName) ?? "this one" }

  private var sideModel: String {
    model.name.map { "\(side.rawValue) model \($0.quotedName)" } ?? "this \(side.rawValue) model"
  }

  private func problem(_ checksum: ModelReferenceChange, _ parts: [ModelReferenceChange]) -> String {
    let start = "\(sideModel) is not the one that the mapping was written for: "
    if !parts.isEmpty { return start + list(parts) }
    let missing = lacking.isEmpty ? "" : "; the mapping refers to parts that this model lacks: \(Self.joined(lacking))"
    let unknown =
      reference.fingerprints.isEmpty
      ? "; the mapping has no fingerprints to show what changed"
      : ", although none of its properties has changed"
    return start + checksum.description + unknown + missing
  }

  private var remedy: String {
    let meant = others.first { $0.versionChecksum == reference.checksum }
    let given = meant.map { "model \(($0.name ?? "unnamed").quotedName), which has the pinned checksum" }
    return "update the mapping for this model with 'heavylift rebase', or use "
      + (given ?? "the model that it was written for")
  }

  private func list(_ changes: [ModelReferenceChange]) -> String { Self.joined(changes.map(\.description)) }

  private static func joined(_ texts: [String]) -> String {
    let most = 12
    let shown = texts.prefix(most).joined(separator: "; ")
    return texts.count > most ? "\(shown); and \(texts.count - most) more" : shown
  }
}

extension ModelReferenceChange {
  fileprivate var isChecksum: Bool { if case .checksum = self { true } else { false } }

  /// True if an entity or a property differs, rather than the model as a whole.
  fileprivate var isOfPart: Bool {
    switch self {
    case .name, .checksum: false
    default: true
    }
  }
}
