import HeavyliftModel

/// A source object must not become two objects of the same destination entity unless that is declared.
struct DoubledObjects: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.doubled-objects"
    var first: String
    var second: EntityMappingFact
    var severity: Diagnostic.Severity
    var location: SourceLocation?
  }

  private struct Sides: Hashable {
    var source: Int
    var destination: Int
  }

  private static let mostComparisons = 12

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    // Core Data accepts such duplicates, and an Xcode file cannot declare them.
    let isXcodes = mapping.complete.mappingModel.unmentionedEntities == .dropped
    var overlaps = MappingOverlaps(mapping)
    var earlier: [Sides: [EntityMappingFact]] = [:]
    return mapping.mappings.compactMap { fact in
      guard let source = fact.source, let destination = fact.destination, !fact.isCustom else { return nil }
      let sides = Sides(source: source, destination: destination)
      defer { earlier[sides, default: []].append(fact) }
      let others = earlier[sides, default: []].prefix(Self.mostComparisons).filter { other in
        !(fact.description.intendsDuplicates || other.description.intendsDuplicates) && overlaps.overlap(other, fact)
      }
      let other = others.first { fact.certainlyDoubles($0) } ?? others.first
      return other.map { other in
        Mistake(
          first: other.name, second: fact, severity: !isXcodes && fact.certainlyDoubles(other) ? .error : .warning,
          location: fact.location(of: "source"))
      }
    }
  }
}

extension EntityMappingFact {
  /// Returns true if every object that one of two overlapping mappings takes is certainly taken by the other. Even if
  /// two filters can match the same object, a store may not contain such an object.
  fileprivate func certainlyDoubles(_ other: EntityMappingFact) -> Bool {
    takesEverything || other.takesEverything || mapping.filter == other.mapping.filter
  }
}

extension DoubledObjects.Mistake {
  var problem: String {
    "\(second.place) duplicates objects: entity mapping \(first.quotedName) uses the same source objects"
  }

  func remedy(_ names: MappingNames) -> String? {
    "remove one of the two, split the objects between them with 'where', or write duplicates=\"intended\""
  }
}
