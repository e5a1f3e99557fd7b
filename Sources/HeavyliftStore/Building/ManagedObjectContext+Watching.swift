extension ManagedObjectContext {
  /// The rules that all rows of new objects have kept which another thread has written, by the entity's name.
  ///
  /// That links lead somewhere is counted among them, as far as nobody has connected objects.
  package var rulesKeptByNewRows: [String: Set<PropertyRule>] {
    var kept: [String: Set<PropertyRule>] = [:]
    for entity in store.runtime.entities {
      if let rules = store.rulesKeptByNewRows(of: entity.index) { kept[entity.name] = rules }
    }
    return kept
  }

  /// The entities of which objects were written that nobody has held against rules.
  package var namesOfUnwatchedEntities: [String] { unwatchedEntities.map { store.runtime.entities[$0].name } }
}
