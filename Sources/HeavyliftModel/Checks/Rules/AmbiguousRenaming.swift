/// A migration matches entities, attributes and relationships by renaming identifier, or else by name. No two siblings
/// of a kind may share this key.
struct AmbiguousRenaming: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.ambiguous-renaming"
    /// The entity or property in words, such as "entity 'Writer'".
    var thing: String
    var identifier: String
    /// The sibling that shares the identifier.
    var other: String
    var location: DiagnosticLocation?
  }

  private struct Sibling {
    var name: String
    var identifier: String?
    var markup: Markup
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    let entities = model.model.entities
    var found = mistakes(
      among: entities.map { Sibling(name: $0.name, identifier: $0.renamingIdentifier, markup: $0.markup) },
      thing: { "entity \(entities[$0].name.quotedName)" })
    for entity in entities {
      // A renamed attribute can leave its name to a relationship.
      for group in [entity.attributes.map(PropertyReference.attribute), entity.relationships.map { .relationship($0) }]
      {
        found += mistakes(
          among: group.map { Sibling(name: $0.name, identifier: $0.renamingIdentifier, markup: $0.markup) },
          thing: { PropertyPlace(group[$0], of: entity).description })
      }
    }
    return found
  }

  private func mistakes(among siblings: [Sibling], thing: (Int) -> String) -> [Mistake] {
    guard siblings.contains(where: { $0.identifier != nil }) else { return [] }
    let groups = Dictionary(grouping: siblings.indices) { siblings[$0].identifier ?? siblings[$0].name }
    return groups.flatMap { identifier, group -> [Mistake] in
      // The sibling whose name is the identifier has the better claim to it.
      let owner = group.first { siblings[$0].name == identifier } ?? group[0]
      return group.compactMap { number in
        // Another rule reports equal names.
        guard siblings[number].name != siblings[owner].name else { return nil }
        return Mistake(
          thing: thing(number), identifier: identifier, other: siblings[owner].name,
          location: siblings[number].markup.location(of: "elementID"))
      }
    }
  }
}

extension AmbiguousRenaming.Mistake {
  var severity: Diagnostic.Severity { .warning }
  var problem: String {
    identifier == other
      ? "\(thing) has renaming identifier \(identifier.quotedName), but \(other.quotedName) still exists"
      : "\(thing) has the same renaming identifier \(identifier.quotedName) as \(other.quotedName)"
  }
  func remedy(_ names: NameSuggestions) -> String? {
    "keep the identifier only on the entity or property that was renamed"
  }
}
