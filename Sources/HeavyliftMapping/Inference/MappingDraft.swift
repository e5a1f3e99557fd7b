import HeavyliftModel

/// Turns an inferred mapping into a draft that marks the decisions its author must make.
struct MappingDraft {
  private var mapping: MappingModel
  private let refusals: [String: [Diagnostic]]

  /// - Parameter refusals: Diagnostics for everything that could not be inferred, by destination entity.
  init(_ mapping: MappingModel, refusals: [String: [Diagnostic]]) {
    self.mapping = mapping
    self.refusals = refusals
  }

  /// Returns the mapping with a comment for each decision that only its author can make: for each refusal, and for each
  /// property and entity that is gone. It drops and removes nothing: the check reports everything that is gone until the
  /// author decides.
  func draft(from source: ManagedObjectModel, to destination: ManagedObjectModel) -> MappingModel {
    var draft = mapping
    askAboutEntities(in: &draft, from: source, to: destination)
    draft.isInferred = false
    for (fact, findings) in draft.complete(from: source, to: destination).facts.gone.findings() {
      // The question about an inherited property is answered once, unless each entity has its own candidates.
      for finding in findings where !finding.isInherited || !finding.candidates.isEmpty {
        draft.entityMappings[fact.number].markup.closingComments.append(Self.question(about: finding))
      }
    }
    // An entity for which nothing could be inferred has no entity mapping to hold the comment.
    var left = refusals
    for place in draft.entityMappings.indices {
      guard let name = draft.entityMappings[place].destinationEntityName, let found = left.removeValue(forKey: name)
      else { continue }
      draft.entityMappings[place].markup.closingComments += found.map(Self.comment)
    }
    draft.markup.closingComments += left.sorted { $0.key < $1.key }.flatMap { $0.value.map(Self.comment) }
    return draft
  }

  private static func question(about finding: GoneProperties.Finding) -> String {
    let name = finding.property.name
    let drop = "<drop name=\"\(name)\"/>"
    guard let candidate = finding.candidates.first else {
      let contents = finding.property.mappingKind == .relationship ? "links are" : "values are"
      return
        " TODO: \(name.quotedName) was removed. If its \(contents) to be deleted, write \(drop); otherwise, write an "
        + "expression that reads $source.\(name). "
    }
    return " TODO: \(name.quotedName) was removed. If it was renamed to \(candidate.property.name.quotedName), write "
      + "\(candidate.element ?? candidate.reading)\(candidate.blank.map { " with \($0)" } ?? ""); otherwise, write \(drop). "
  }

  /// Replaces the removal of each entity by a comment: in the mapping of the new entity that it may have been renamed to,
  /// or else in the mapping model.
  private func askAboutEntities(
    in draft: inout MappingModel, from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) {
    let renamed = draft.complete(from: source, to: destination).facts.renamed
    for (number, entity) in source.entities.enumerated() where draft.removes(entity.name) {
      let remove = "<entity-mapping type=\"remove\" source=\"\(entity.name)\"/>"
      let start = " TODO: entity \(entity.name.quotedName) was removed. If"
      if let candidate = renamed.candidate(for: number),
        let place = draft.entityMappings.firstIndex(where: { $0.destinationEntityName == candidate })
      {
        draft.entityMappings[place].markup.closingComments.append(
          "\(start) it was renamed to \(candidate.quotedName), write source=\"\(entity.name)\" here instead of "
            + "type=\"add\"; otherwise, write \(remove). ")
      } else {
        draft.markup.closingComments.append(
          "\(start) its objects are to be deleted, write \(remove); otherwise, write <entity-mapping "
            + "source=\"\(entity.name)\" destination=\"…\"/>. ")
      }
      draft.entityMappings.removeAll { $0.sourceEntityName == entity.name }
    }
  }

  private static func comment(_ refusal: Diagnostic) -> String {
    " TODO: \([refusal.problem, refusal.remedy].compactMap(\.self).joined(separator: "; ")). "
  }
}

extension MappingModel {
  fileprivate func removes(_ entity: String) -> Bool {
    entityMappings.contains { $0.sourceEntityName == entity && $0.destinationEntityName == nil }
  }
}
