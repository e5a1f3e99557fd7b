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
    facts.gone.findings().flatMap { fact, findings in
      findings.filter { !$0.candidates.isEmpty }.map { finding in
        RenamingQuestion(
          sourceEntity: fact.mapping.sourceEntityName ?? "", property: finding.property,
          destinationEntity: fact.mapping.destinationEntityName ?? "", candidates: finding.candidates.map(\.property))
      }
    }
  }
}
