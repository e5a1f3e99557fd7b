import HeavyliftModel

/// A source object does not become two of the same destination entity by mistake.
struct DoubledObjects: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.doubled-objects"
    var first: String
    var second: EntityMappingFact
    /// Whether the two have names of their own and make different objects, so that it may well be meant so.
    var isPlausible: Bool
    var location: SourceLocation?
  }

  private struct Sides: Hashable {
    var source: Int
    var destination: Int
  }

  private static let mostComparisons = 12

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    var overlaps = MappingOverlaps(mapping)
    var earlier: [Sides: [EntityMappingFact]] = [:]
    return mapping.mappings.compactMap { fact in
      guard let source = fact.source, let destination = fact.destination, !fact.isCustom else { return nil }
      let sides = Sides(source: source, destination: destination)
      defer { earlier[sides, default: []].append(fact) }
      let other = earlier[sides, default: []].prefix(Self.mostComparisons).first { overlaps.overlap($0, fact) }
      return other.map { other in
        Mistake(
          first: other.name, second: fact, isPlausible: other.isPlausiblyBeside(fact),
          location: fact.location(of: "source"))
      }
    }
  }
}

extension EntityMappingFact {
  /// Whether two mappings of the same sides have names of their own and make different objects.
  func isPlausiblyBeside(_ other: EntityMappingFact) -> Bool {
    description.givenName != nil && other.description.givenName != nil
      && description.propertyMappings != other.description.propertyMappings
  }
}

extension DoubledObjects.Mistake {
  var severity: Diagnostic.Severity { isPlausible ? .note : .warning }

  var problem: String {
    "\(second.place) makes a second object of what entity mapping \(first.quotedName) takes as well"
  }

  func remedy(_ names: MappingNames) -> String? {
    isPlausible ? nil : "leave one of them out, or tell their objects apart with 'where'"
  }
}
