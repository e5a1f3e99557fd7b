import HeavyliftModel

/// Suggests the intended name for an unknown one, as long as the search for it is cheap.
struct MappingNames {
  let mapping: MappingIndex
  /// The number of mistakes that the same rule found before this one.
  let mistakesBefore: Int

  var source: NameSuggestions { NameSuggestions(model: mapping.source, mistakesBefore: mistakesBefore) }
  var destination: NameSuggestions { NameSuggestions(model: mapping.destination, mistakesBefore: mistakesBefore) }

  /// Suggests an entity mapping for an unknown name.
  func entityMapping(insteadOf name: String) -> String {
    // The author may have named the destination entity instead.
    if let entity = mapping.destination.entity(named: name) {
      let mappings = mapping.mappings(to: entity)
      if mappings.count == 1 { return "\(name.quotedName) is an entity: did you mean \(mappings[0].name.quotedName)?" }
    }
    return source.suggestion(for: name, among: mapping.facts.names, kind: "entity mapping")
  }

  /// Suggests a policy for an unknown class.
  func policy(insteadOf name: String) -> String {
    let known = mapping.environment.policies.map { Array($0.keys) } ?? []
    return source.suggestion(for: name, among: known, kind: "registered policy")
  }
}
