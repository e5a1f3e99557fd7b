public import HeavyliftModel

/// A name in a mapping that its models do not have.
package struct MissingName: Hashable, Sendable {
  /// The model that lacks the name.
  package var side: MappingSide
  /// The entity that is missing, or whose property is missing.
  package var entity: String
  /// The missing property; nil if the entity itself is missing.
  package var property: String?
  /// The name that was probably meant.
  package var likelyName: String?
}

extension MissingName: CustomStringConvertible {
  /// `property 'seconds' of entity 'Track'`, with a suggestion if there is one.
  package var description: String {
    let hint = likelyName.map { " (perhaps \($0.quotedName))" } ?? ""
    if let property { return "property \(property.quotedName) of entity \(entity.quotedName)\(hint)" }
    return "entity \(entity.quotedName) of the \(side.rawValue) model\(hint)"
  }

  /// `entity 'Track' has no property 'seconds'`, as a sentence.
  var sentence: String {
    let hint = likelyName.map { " (perhaps \($0.quotedName))" } ?? ""
    if let property { return "entity \(entity.quotedName) has no property \(property.quotedName)\(hint)" }
    return "the \(side.rawValue) model has no entity \(entity.quotedName)\(hint)"
  }
}

extension MappingModel {
  /// Returns the names in the mapping that these models lack: entities, properties, and keys in expressions and
  /// filters, each once, in the order of the mapping.
  package func missingNames(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> [MissingName] {
    missingNames(from: source, to: destination, suggestsNames: true)
  }

  /// Returns the missing names, optionally without suggestions.
  func missingNames(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, suggestsNames: Bool
  ) -> [MissingName] {
    let work = RebaseWork(
      self, source: ModelEdit(from: nil, to: source), destination: ModelEdit(from: nil, to: destination),
      followsIdentifiers: false, suggestsNames: suggestsNames)
    _ = work.carriedNames()
    var told: Set<MissingName> = []
    return work.facts.compactMap(\.missingName).filter { told.insert($0).inserted }
  }

  /// Returns diagnostics if the models are not those that the mapping was written for; empty unless there is evidence
  /// of that.
  ///
  /// - Parameters:
  ///   - source: The model of the old stores.
  ///   - destination: The model of the new stores.
  ///   - others: Models that may include the right ones.
  public func mismatches(
    source: ManagedObjectModel, destination: ManagedObjectModel, knowing others: [ManagedObjectModel] = []
  ) -> [Diagnostic] {
    [MappingSide.source, .destination].compactMap {
      mismatch(of: $0, source: source, destination: destination, knowing: others)
    }
  }

  /// Returns the diagnostic about one of the two models.
  func mismatch(
    of side: MappingSide, source: ManagedObjectModel, destination: ManagedObjectModel,
    knowing others: [ManagedObjectModel] = []
  ) -> Diagnostic? {
    let (reference, model) = side == .source ? (self.source, source) : (self.destination, destination)
    // Missing names are only reported if nothing more specific is known.
    let isBlind = reference.fingerprints.isEmpty && reference.checksum.map { $0 != model.versionChecksum } ?? false
    let missing = isBlind ? missingNames(from: source, to: destination).filter { $0.side == side } : []
    let place = markup.attributes["\(side.rawValue)-checksum"] == nil ? side.rawValue : "\(side.rawValue)-checksum"
    return reference.mismatch(
      with: model, as: side, knowing: others, lacking: missing.map(\.description),
      location: markup.location(of: place))
  }
}

extension RebaseConflict {
  fileprivate var missingName: MissingName? {
    switch self {
    case .entityGone(_, let side, let name, let likely), .namedEntityGone(_, let name, let side, let likely):
      MissingName(side: side, entity: name, likelyName: likely)
    case .propertyGone(_, let name, _, let entity, let likely), .mentionGone(_, _, let name, _, let entity, let likely):
      MissingName(side: .destination, entity: entity, property: name, likelyName: likely)
    case .keyGone(_, let name, let entity, let side, let likely):
      MissingName(side: side, entity: entity, property: name, likelyName: likely)
    default: nil
    }
  }
}
