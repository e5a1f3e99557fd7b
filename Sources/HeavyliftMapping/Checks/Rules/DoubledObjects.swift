import HeavyliftModel

/// A source object must not become two objects of the same destination entity unless that is declared.
struct DoubledObjects: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.doubled-objects"
    var first: EntityMappingFact
    var second: EntityMappingFact
    var severity: Diagnostic.Severity
    var location: DiagnosticLocation?
  }

  private struct Sides: Hashable {
    var source: Int
    var destination: Int

    /// Returns `nil` for a mapping that creates no objects from a source, or whose policy may skip objects.
    init?(_ fact: EntityMappingFact) {
      guard let (source, destination) = fact.entities, !fact.isCustom else { return nil }
      (self.source, self.destination) = (source, destination)
    }
  }

  private static let mostComparisons = 12

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    // Core Data accepts such duplicates, and an Xcode file cannot declare them.
    let isXcodes = mapping.complete.mappingModel.unmentionedEntities == .dropped
    var overlaps = MappingOverlaps(mapping)
    var earlier: [Sides: [EntityMappingFact]] = [:]
    for fact in mapping.earlierMappings {
      if let sides = Sides(fact) { earlier[sides, default: []].append(fact) }
    }
    return mapping.mappings.compactMap { fact in
      guard let sides = Sides(fact) else { return nil }
      defer { earlier[sides, default: []].append(fact) }
      let others = earlier[sides, default: []].prefix(Self.mostComparisons).filter { other in
        !(fact.description.intendsDuplicates || other.description.intendsDuplicates) && overlaps.overlap(other, fact)
      }
      let other = others.first { fact.certainlyDoubles($0) } ?? others.first
      return other.map { other in
        Mistake(
          first: other, second: fact, severity: !isXcodes && fact.certainlyDoubles(other) ? .error : .warning,
          location: fact.location(of: "source"))
      }
    }
  }
}

extension EntityMappingFact {
  /// Returns true if every object that one of two overlapping mappings takes is certainly taken by the other. Even if
  /// two filters can match the same object, a store may not contain such an object.
  fileprivate func certainlyDoubles(_ other: EntityMappingFact) -> Bool {
    takesEverything || other.takesEverything || takesSameObjects(as: other)
  }
}

extension DoubledObjects.Mistake {
  var problem: String {
    let pass = first.isOfEarlierPass ? " of an earlier pass" : ""
    return
      "\(second.place) duplicates objects: entity mapping \(first.name.quotedName)\(pass) uses the same source objects"
  }

  func remedy(_ names: MappingNames) -> String? {
    "remove one of the two, split the objects between them with 'where', or write duplicates=\"intended\""
  }
}
