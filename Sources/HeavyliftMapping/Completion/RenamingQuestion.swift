package import HeavyliftModel

/// A removed property that may have been renamed: a new one with a compatible type or a similar name has no value.
package struct RenamingQuestion: Hashable, Sendable {
  package var sourceEntity: String
  package var property: PropertyReference
  package var destinationEntity: String
  /// The new properties, the most likely one first.
  package var candidates: [PropertyReference]
}

extension CompleteMappingModel {
  /// The removed properties that may have been renamed.
  package var renamingQuestions: [RenamingQuestion] {
    PossibleRenaming().mistakes(in: MappingIndex(self, MappingCheckEnvironment())).map { mistake in
      RenamingQuestion(
        sourceEntity: mistake.owner.mapping.sourceEntityName ?? "", property: mistake.property,
        destinationEntity: mistake.owner.mapping.destinationEntityName ?? "",
        candidates: mistake.candidates.map(\.property))
    }
  }
}
