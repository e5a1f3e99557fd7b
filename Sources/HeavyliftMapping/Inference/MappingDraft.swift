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

  /// Returns the mapping with a drop for each missing property, and a comment for each refusal and each possible
  /// rename. What may have been renamed is not dropped or removed: the check asks about it until the author decides.
  func draft(from source: ManagedObjectModel, to destination: ManagedObjectModel) -> MappingModel {
    var draft = mapping
    askAboutEntities(in: &draft, from: source, to: destination)
    draft.isInferred = false
    let complete = draft.complete(from: source, to: destination)
    let index = MappingIndex(complete, MappingCheckEnvironment())
    for (fact, findings) in GoneProperties(index).findings() {
      for finding in findings {
        guard let candidate = finding.candidates.first, let kind = candidate.mappingKind else {
          if !finding.isInherited {
            draft.entityMappings[fact.number].droppedProperties.append(DroppedProperty(finding.property.name))
          }
          continue
        }
        let value = kind == .attribute ? "value" : "from"
        draft.entityMappings[fact.number].markup.closingComments.append(
          " TODO: \(finding.property.name.quotedName) was removed. If it was renamed to \(candidate.name.quotedName), "
            + "write <\(kind.rawValue) name=\"\(candidate.name)\" \(value)=\"$source.\(finding.property.name)\"/>; otherwise, "
            + "write <drop name=\"\(finding.property.name)\"/>. ")
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

  /// Replaces the removal of each entity that may have been renamed by a comment in the mapping of the new entity.
  private func askAboutEntities(
    in draft: inout MappingModel, from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) {
    let index = MappingIndex(draft.complete(from: source, to: destination), MappingCheckEnvironment())
    let renamed = RenamedEntities(index)
    for (number, entity) in source.entities.enumerated() {
      guard let candidate = renamed.candidate(for: number),
        let place = draft.entityMappings.firstIndex(where: { $0.destinationEntityName == candidate })
      else { continue }
      draft.entityMappings[place].markup.closingComments.append(
        " TODO: entity \(entity.name.quotedName) was removed. If it was renamed to \(candidate.quotedName), write "
          + "source=\"\(entity.name)\" here instead of type=\"add\"; otherwise, write <entity-mapping type=\"remove\" "
          + "source=\"\(entity.name)\"/>. ")
      draft.entityMappings.removeAll { $0.sourceEntityName == entity.name }
    }
  }

  private static func comment(_ refusal: Diagnostic) -> String {
    " TODO: \([refusal.problem, refusal.remedy].compactMap(\.self).joined(separator: "; ")). "
  }
}
