import HeavyliftModel

/// What an existing store decided about its join tables where the model leaves a choice; see `LayoutBuilder.joinTables()`.
package struct JoinTableChoices: Hashable, Sendable {
  /// The ends that name their tables.
  var naming: Set<JoinEnd> = []
  /// The number behind the column of an end's targets, 0 for none.
  var numbers: [JoinEnd: Int] = [:]

  /// No choices.
  package init() {}

  /// The choices of a store, in the words of a model that its data migrates to.
  ///
  /// - Parameters:
  ///   - layout: That of the store.
  ///   - model: Its relationships are looked up by their renaming identifiers, then by their names.
  package init(of layout: PhysicalLayout, for model: ManagedObjectModel) {
    var (naming, numbers) = (Set<JoinEnd>(), [JoinEnd: Int]())
    for join in layout.joins {
      naming.insert(join.first.end)
      for side in [join.first, join.second] { numbers[side.end] = side.number }
    }
    for entity in model.entities {
      for relationship in entity.relationships where relationship.isToMany {
        let old = [entity.renamingIdentifier, entity.name].compactMap(\.self).flatMap { name in
          [relationship.renamingIdentifier, relationship.name].compactMap(\.self).map {
            JoinEnd(entity: name, relationship: $0)
          }
        }
        guard let known = old.first(where: { numbers[$0] != nil }) else { continue }
        let end = JoinEnd(entity: entity.name, relationship: relationship.name)
        self.numbers[end] = numbers[known]
        if naming.contains(known) { self.naming.insert(end) }
      }
    }
  }
}
