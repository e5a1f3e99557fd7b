import HeavyliftExpression
import HeavyliftModel

/// A mapping that removes objects must not remove those that another mapping migrates: they are migrated.
///
/// Without a filter, it may follow mappings with filters: it then removes the other objects.
struct ContradictoryRemoval: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.contradictory-removal"
    var removal: EntityMappingFact
    var migration: EntityMappingFact
    /// False if the two filters can match the same object, but need not.
    var isCertain: Bool
    var severity: Diagnostic.Severity
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    // Xcode's mapping models do not remove objects by name.
    guard mapping.complete.mappingModel.unmentionedEntities == .copied else { return [] }
    var overlaps = MappingOverlaps(mapping)
    return (mapping.earlierMappings + mapping.mappings).compactMap { removal in
      guard let source = removal.source, removal.isRemoval else { return nil }
      let earlier = removal.isOfEarlierPass ? [] : mapping.earlierMappings.filter { $0.source == source }
      let others = (earlier + mapping.mappings(from: source)).filter { other in
        other.destination != nil && !other.isCustom && (other.takesEverything || !removal.takesEverything)
          && overlaps.overlap(other, removal)
      }
      guard let other = others.first(where: \.takesEverything) ?? others.first else { return nil }
      let isCertain = other.takesEverything || other.takesSameObjects(as: removal)
      return Mistake(
        removal: removal, migration: other, isCertain: isCertain,
        // Objects that only become parts of others may be meant to be removed.
        severity: isCertain && mapping.facts.pair.successors[source] == other.destination ? .error : .warning,
        location: removal.isOfEarlierPass ? other.location(of: "source") : removal.location(of: "source"))
    }
  }
}

extension EntityMappingFact {
  /// True if the mapping removes objects. One that says otherwise is an error of its own.
  fileprivate var isRemoval: Bool {
    mapping.destinationEntityName == nil && !isCustom && description.propertyMappings.isEmpty
      && [nil, .remove].contains(description.givenType) && mapping.filter?.kind != .literal(false)
  }
}

extension ContradictoryRemoval.Mistake {
  var problem: String {
    let pass = removal.isOfEarlierPass ? " of an earlier pass" : ""
    let other = migration.isOfEarlierPass ? " of an earlier pass" : ""
    return
      "\(removal.place)\(pass) \(isCertain ? "removes" : "may remove") objects that entity mapping "
      + "\(migration.name.quotedName)\(other) migrates; they are not removed"
  }

  func remedy(_ names: MappingNames) -> String? {
    let other = migration.name.quotedName
    guard migration.takesEverything, let opposite = removal.mapping.filter?.opposite,
      let clause = MappingPredicate.whereClause(opposite)
    else {
      return migration.mapping.filter == removal.mapping.filter
        ? "remove one of the two" : "write filters that no object passes twice, or remove one of the two"
    }
    return "write \(clause) in entity mapping \(other) if these objects are to be deleted; otherwise, remove "
      + "\(removal.name.quotedName)"
  }
}
