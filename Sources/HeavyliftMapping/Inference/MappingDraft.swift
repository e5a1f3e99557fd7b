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
  /// rename. A property that may have been renamed is not dropped: the check asks about it until the author decides.
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

  private static func comment(_ refusal: Diagnostic) -> String {
    " TODO: \([refusal.problem, refusal.remedy].compactMap(\.self).joined(separator: "; ")). "
  }
}
