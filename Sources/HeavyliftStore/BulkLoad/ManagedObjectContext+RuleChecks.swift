extension ManagedObjectContext {
  /// By entity, the rules that all rows of new objects obey that another thread has written.
  ///
  /// These include the rule that the targets of relationships exist, which is certain only if `hasLinked` is false.
  package var rulesKeptByNewRows: [String: Set<PropertyRule>] {
    var kept: [String: Set<PropertyRule>] = [:]
    for entity in store.runtime.entities {
      if let rules = store.rulesKeptByNewRows(of: entity.index) { kept[entity.name] = rules }
    }
    return kept
  }

  /// The entities with rows that were written without checking the rules.
  package var namesOfUncheckedEntities: [String] { uncheckedEntities.map { store.runtime.entities[$0].name } }
}
