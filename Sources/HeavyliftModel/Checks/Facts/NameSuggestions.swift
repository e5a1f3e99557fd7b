/// Finds for a wrong name the one that was probably meant, as long as that is cheap.
///
/// Comparing every wrong name with every known one takes minutes in a model that is wrong everywhere, and nobody reads
/// the ten-thousandth suggestion.
package struct NameSuggestions {
  private static let longestName = 120
  private static let mostComparisons = 40_000
  private static let mostMistakes = 200

  let model: ModelIndex
  /// How many mistakes of the same rule were worded before this one.
  let mistakesBefore: Int

  package init(model: ModelIndex, mistakesBefore: Int) {
    self.model = model
    self.mistakesBefore = mistakesBefore
  }

  /// What to write instead of an entity's name.
  package func entity(insteadOf name: String) -> String {
    suggestion(for: name, among: model.entityNames, kind: "entity")
  }

  /// What to write instead of the name of an entity's own or inherited property.
  package func property(insteadOf name: String, of entity: Int) -> String {
    suggestion(for: name, among: propertyNames(of: entity), kind: "property")
  }

  /// What to write instead of the name of a relationship that an entity has or inherits.
  package func relationship(insteadOf name: String, of entity: Int) -> String {
    let names = propertyNames(of: entity).filter {
      if case .relationship = model.property(named: $0, of: entity)?.property { true } else { false }
    }
    return suggestion(for: name, among: names, kind: "relationship")
  }

  /// What to write instead of a composite type's name.
  package func composite(insteadOf name: String) -> String {
    suggestion(for: name, among: Array(Set(model.model.composites.map(\.name))), kind: "composite type")
  }

  /// The names of an entity's own and inherited properties, for as long as they are worth looking through.
  package func propertyNames(of entity: Int) -> [String] {
    mistakesBefore < Self.mostMistakes ? model.propertyNames(of: entity) : []
  }

  /// What to write instead of a name of any kind.
  package func suggestion(for name: String, among names: [String], kind: String) -> String {
    guard mistakesBefore < Self.mostMistakes else { return "name \(kind.withArticle) that there is" }
    let isAffordable = (mistakesBefore + 1) * names.count <= Self.mostComparisons && name.utf8.count <= Self.longestName
    let candidates = isAffordable ? names.filter { !$0.isEmpty && $0.utf8.count <= Self.longestName } : []
    if isAffordable || names.isEmpty { return candidates.suggestion(for: name, kind: kind) }
    return "name one of the \(names.count) that there are"
  }
}

extension String {
  /// The word after "a" or "an".
  var withArticle: String { (first.map { "aeiou".contains($0) } ?? false ? "an " : "a ") + self }
}
