import HeavyliftModel

/// An inferred mapping should not remove an entity that was probably renamed.
///
/// In a mapping file, `DroppedEntity` asks about an entity that no mapping mentions.
struct PossibleEntityRenaming: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.possible-entity-renaming"
    var entity: String
    var candidate: String
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    guard mapping.complete.mappingModel.isInferred else { return [] }
    let renamed = mapping.facts.renamed
    return mapping.source.model.entities.indices.compactMap { entity in
      renamed.candidate(for: entity).map {
        Mistake(entity: mapping.source.model.entities[entity].name, candidate: $0, location: mapping.location)
      }
    }
  }
}

extension PossibleEntityRenaming.Mistake {
  // Core Data's inference removes the entity.
  var severity: Diagnostic.Severity { .warning }

  var problem: String {
    "source entity \(entity.quotedName) was removed with all its objects, and destination entity "
      + "\(candidate.quotedName) is new, gets no objects, and has the same or nearly the same properties. Was it renamed?"
  }

  func remedy(_ names: MappingNames) -> String? {
    "if it was, set the renaming identifier of \(candidate.quotedName) to \(entity.quotedName), or write a mapping file "
      + "with '<entity-mapping source=\"\(entity)\" destination=\"\(candidate)\"/>'"
  }
}
