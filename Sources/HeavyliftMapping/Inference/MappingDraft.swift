import HeavyliftModel

/// Turns an inferred mapping into a draft that says where its author must decide something.
struct MappingDraft {
  private var mapping: MappingModel
  private let refusals: [String: [Diagnostic]]

  /// - Parameter refusals: by destination entity, what could not be inferred about it.
  init(_ mapping: MappingModel, refusals: [String: [Diagnostic]]) {
    self.mapping = mapping
    self.refusals = refusals
  }

  /// Adds a drop for each property that is gone, and a comment for each refusal and for each property that may have been
  /// renamed. Such a property is not dropped: the check asks about it until the author has decided.
  func draft(from source: ManagedObjectModel, to destination: ManagedObjectModel) -> MappingModel {
    var draft = mapping
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
          " TODO: \(finding.property.name.quotedName) is gone: renamed to \(candidate.name.quotedName)? Then write <\(kind.rawValue) "
            + "name=\"\(candidate.name)\" \(value)=\"$source.\(finding.property.name)\"/>, otherwise "
            + "<drop name=\"\(finding.property.name)\"/>. ")
      }
    }
    // An entity for which nothing could be inferred has no entity mapping that the comment could be in.
    var left = refusals
    for place in draft.entityMappings.indices {
      guard let name = draft.entityMappings[place].destinationEntityName, let found = left.removeValue(forKey: name)
      else { continue }
      draft.entityMappings[place].markup.closingComments += found.map(Self.comment)
    }
    draft.markup.closingComments += left.sorted { $0.key < $1.key }.flatMap { $0.value.map(Self.comment) }
    return draft
  }

  private static func comment(_ refusal: Diagnostic) -> String {
    " TODO: \([refusal.problem, refusal.remedy].compactMap(\.self).joined(separator: "; ")). "
  }
}
