/// Suggests the name that was probably meant instead of a wrong one, as long as the search for it is cheap.
///
/// Comparing every wrong name with every known one takes minutes in a model that is wrong everywhere, and no user
/// reads the ten-thousandth suggestion.
package struct NameSuggestions {
  private static let longestName = 120
  private static let mostComparisons = 40_000
  private static let mostMistakes = 200

  let model: ModelIndex
  /// The number of mistakes of the same rule that were reported before this one.
  let mistakesBefore: Int

  package init(model: ModelIndex, mistakesBefore: Int) {
    self.model = model
    self.mistakesBefore = mistakesBefore
  }

  /// Suggests an entity's name.
  package func entity(insteadOf name: String) -> String {
    suggestion(for: name, among: model.entityNames, kind: "entity")
  }

  /// Suggests the name of an own or inherited property that has a column in the entity's table.
  package func column(insteadOf name: String, of entity: Int) -> String {
    let names = propertyNames(of: entity) { $0.reasonForNoColumn == nil }
    return suggestion(for: name, among: names, kind: "stored property")
  }

  /// Suggests the name of a relationship that the entity has or inherits.
  package func relationship(insteadOf name: String, of entity: Int) -> String {
    let names = propertyNames(of: entity) { if case .relationship = $0 { true } else { false } }
    return suggestion(for: name, among: names, kind: "relationship")
  }

  /// Suggests the name of a composite type.
  package func composite(insteadOf name: String) -> String {
    suggestion(for: name, among: Array(Set(model.model.composites.map(\.name))), kind: "composite type")
  }

  /// The names of an entity's own and inherited properties; empty once searching them costs too much.
  package func propertyNames(of entity: Int) -> [String] {
    mistakesBefore < Self.mostMistakes ? model.propertyNames(of: entity) : []
  }

  private func propertyNames(of entity: Int, where isSuitable: (PropertyReference) -> Bool) -> [String] {
    guard mistakesBefore < Self.mostMistakes else { return [] }
    return model.propertyNames(of: entity).filter {
      model.property(named: $0, of: entity).map(\.property).map(isSuitable) ?? false
    }
  }

  /// Suggests one of `names`, or lists them.
  package func suggestion(for name: String, among names: [String], kind: String) -> String {
    guard mistakesBefore < Self.mostMistakes else { return "name an existing \(kind)" }
    let isAffordable = (mistakesBefore + 1) * names.count <= Self.mostComparisons && name.utf8.count <= Self.longestName
    let candidates = isAffordable ? names.filter { !$0.isEmpty && $0.utf8.count <= Self.longestName } : []
    if isAffordable || names.isEmpty { return candidates.suggestion(for: name, kind: kind) }
    return "name an existing \(kind)"
  }
}

extension String {
  /// The word with its article, "a" or "an".
  var withArticle: String { (first.map { "aeiou".contains($0) } ?? false ? "an " : "a ") + self }
}
