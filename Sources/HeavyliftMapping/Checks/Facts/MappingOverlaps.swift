import HeavyliftExpression
import HeavyliftModel

/// Finds the entity mappings that take the same source objects. Each pair is checked once.
struct MappingOverlaps {
  private static let mostPairs = 2_000
  private static let mostMappings = 12

  private struct Pair: Hashable {
    var first: Int
    var second: Int
  }

  private let facts: MappingFacts
  private var known: [Pair: Bool] = [:]

  init(_ mapping: MappingIndex) { facts = mapping.facts }

  /// Returns the first two mappings whose filters can pass the same object. A mapping with a policy does not count,
  /// because the policy may skip the object.
  mutating func first(among names: [String]) -> [String]? {
    var bySource: [Int: [EntityMappingFact]] = [:]
    for fact in names.compactMap({ facts.mapping(named: $0) }) where !fact.isCustom {
      guard let source = fact.source else { continue }
      for other in bySource[source, default: []].prefix(Self.mostMappings)
      where other.name != fact.name && overlap(other, fact) {
        return [other.name, fact.name]
      }
      bySource[source, default: []].append(fact)
    }
    return nil
  }

  /// Returns true if an object can pass both filters, and false if that is impossible or unknown.
  mutating func overlap(_ one: EntityMappingFact, _ other: EntityMappingFact) -> Bool {
    guard let source = one.source, source == other.source else { return false }
    // The objects of a source expression are unknown before it runs.
    if one.description.sourceExpression != nil || other.description.sourceExpression != nil { return false }
    guard let left = one.mapping.filter, let right = other.mapping.filter else { return true }
    let pair = Pair(first: one.number, second: other.number)
    if let answer = known[pair] { return answer }
    guard known.count < Self.mostPairs else { return false }
    let cases = FilterCases([left, right]) { [facts] in facts.source.property(named: $0, of: source)?.property }
    let answer = cases?.canPass(0, 1) ?? false
    known[pair] = answer
    return answer
  }
}
