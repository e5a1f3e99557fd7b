import HeavyliftModel

/// An existing store's choices for join tables where the model leaves them open; see `LayoutBuilder.joinTables()`.
package struct JoinTableChoices: Hashable, Sendable {
  /// The ends that join tables are named after.
  var naming: Set<JoinEnd> = []
  /// For each end, the number that is appended to the name of its column; 0 for none.
  var numbers: [JoinEnd: Int] = [:]

  /// Creates an empty set of choices.
  package init() {}

  /// The choices of a store, translated to the model that its data is migrated to.
  ///
  /// - Parameters:
  ///   - layout: The layout of the store.
  ///   - model: The new model; its relationships are matched by renaming identifiers, then by name.
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
