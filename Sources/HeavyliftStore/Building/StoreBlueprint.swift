import HeavyliftModel

/// Where a store keeps what, whether or not the store is there already.
package struct StoreBlueprint {
  let runtime: StoreRuntime
  package let layout: PhysicalLayout
  /// Where a migration's statements find the store's tables: in an attached file, or among views.
  var schemaName = SourceAttachment.name
  /// Whether nobody has written it, and views stand for its tables.
  let isViewed: Bool
  /// Where its large values are; nil for one that is yet to be.
  private(set) var externalData: ExternalDataFolder?

  /// That of a new store.
  package init(
    model: ManagedObjectModel, configuration: String?, joinTableChoices: JoinTableChoices = JoinTableChoices()
  ) {
    let held = model.restricted(to: configuration)
    isViewed = false
    layout = PhysicalLayout(model: held, choices: joinTableChoices)
    runtime = StoreRuntime(model: held, layout: layout)
  }

  /// That of a store.
  package init(of store: PersistentStore) {
    layout = store.layout
    runtime = store.runtime
    externalData = store.externalData
    isViewed = store.isViewed
    if isViewed { schemaName = "temp" }
  }

  /// The key that a column holds: as rows are read, whatever is there as an integer. Views have nothing else in theirs.
  func key(in column: String) -> String { isViewed ? column : "CAST(\(column) AS INTEGER)" }
}

extension EntityLayout {
  /// The column of a to-one relationship, also of one that is implied by a to-many without an inverse.
  package func toOne(named name: String) -> ToOneColumn? {
    toOnes.first { $0.name == name } ?? ownerColumns.first { $0.name == name }
  }

  /// Where the links of a to-many relationship are.
  package func toMany(named name: String) -> ToManyStorage? { toManys.first { $0.name == name } }
}
