import HeavyliftModel

/// Finds for a wrong name the one that was probably meant, as long as that is cheap.
struct MappingNames {
  let mapping: MappingIndex
  /// How many mistakes of the same rule were worded before this one.
  let mistakesBefore: Int

  var source: NameSuggestions { NameSuggestions(model: mapping.source, mistakesBefore: mistakesBefore) }
  var destination: NameSuggestions { NameSuggestions(model: mapping.destination, mistakesBefore: mistakesBefore) }

  /// What to write instead of the name of an entity mapping.
  func entityMapping(insteadOf name: String) -> String {
    // Somebody may have named the entity that the objects become.
    if let entity = mapping.destination.entity(named: name) {
      let mappings = mapping.mappings(to: entity)
      if mappings.count == 1 { return "\(name.quotedName) is an entity: did you mean \(mappings[0].name.quotedName)?" }
    }
    return source.suggestion(for: name, among: mapping.names, kind: "entity mapping")
  }

  /// What to write instead of the class of a policy.
  func policy(insteadOf name: String) -> String {
    let known = mapping.environment.policies.map { Array($0.keys) } ?? []
    return source.suggestion(for: name, among: known, kind: "registered policy")
  }
}
