import HeavyliftModel

/// An implicitly copied entity must not share its destination with another mapping by accident.
struct ImpliedMerge: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.implied-merge"
    var implied: EntityMappingFact
    var written: EntityMappingFact
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.mappings.filter(\.isImplied).compactMap { implied in
      guard let entity = implied.destination,
        let written = mapping.mappings(to: entity).first(where: { !$0.isImplied && $0.source != nil })
      else { return nil }
      return Mistake(implied: implied, written: written, location: written.location(of: "destination"))
    }
  }
}

extension ImpliedMerge.Mistake {
  var severity: Diagnostic.Severity { .warning }

  var problem: String {
    "\(written.place) creates objects of \(destination.quotedName), but the objects of source entity \(source.quotedName), "
      + "which no entity mapping mentions, also become objects of \(destination.quotedName)"
  }

  func remedy(_ names: MappingNames) -> String? {
    "write '<entity-mapping source=\"\(source)\" destination=\"\(destination)\"/>' if both are intended, or "
      + "'<entity-mapping source=\"\(source)\" type=\"remove\"/>' to delete those objects"
  }

  private var source: String { implied.mapping.sourceEntityName ?? "" }
  private var destination: String { implied.mapping.destinationEntityName ?? "" }
}
